import { defineLedgerCheck, differs, endWith, hour, listedAs, minute, outcomeOf, question, waitFor } from './ledger-check.ts';

/** Promises about how calls begin. */
export const ledgerBeginChecks = [
  defineLedgerCheck({
    id: 'store/ledger-begins',
    requirement: 'A call that begins is read as it was written, runs in epoch 1 and is found by its id; an id that is in use is refused.',
    async *run({ calls, draft, get, at, alive, process, tenant, tool, look }) {
      yield* differs('it gives a call that never began', await get('a'), undefined);
      await alive('p');
      const call = draft('a', {
        origin: 'first',
        listed: listedAs({ id: 'a', status: 'running', preview: 'a: 1', attempts: 0 }),
        start: { input: { a: [1.5, null, 'x'] } },
        args: { secret: 'large' },
      });
      yield* differs('a call does not begin in epoch 1', await calls.begin(call), { is: 'begun', epoch: 1 });
      const read = await get('a');
      yield* differs('a call is not read as it began', read, {
        tenant,
        id: 'a',
        epoch: 1,
        stage: 'running',
        isCancelled: false,
        isDead: false,
        tool,
        handle: 'a',
        isPromised: true,
        process: process('p'),
        key: undefined,
        origin: 'first',
        start: call.start,
        listed: call.listed,
        outcome: undefined,
        trace: undefined,
        progress: undefined,
        remainingMs: undefined,
        guessAbout: undefined,
        replacedBy: undefined,
        cancelledBy: undefined,
        wakeAt: undefined,
        endedAt: undefined,
        args: undefined,
        steps: undefined,
        questions: [],
      });
      const spans = read && [read.changedAt - read.begunAt, read.keptUntil - read.changedAt - hour].map(Math.abs);
      if (spans?.every((span) => span <= 2) !== true || (read?.readAt ?? 0) < (read?.begunAt ?? 0))
        yield { message: 'its moments do not fit together', evidence: read };
      const before = await look('a');
      yield* differs('where it stands is not told', before, { ...at('a'), epoch: 1, stage: 'running', isCancelled: false, isDead: false });
      const again = await calls.begin({ ...call, tool: 'other', key: { text: 'k', countsMs: minute }, start: {} });
      yield* differs('an id that is in use is not refused', again, { is: 'refused' });
      const { readAt: _, ...same } = read ?? { readAt: 0 };
      yield* differs('a call that was refused changes the one that is there', await get('a'), same);
      yield* differs('a call that was refused has its key', await calls.findByKey(tenant, 'k'), undefined);
      yield* differs('a call of an engine does not begin', await calls.begin(draft('e', { process: undefined, isPromised: false })), {
        is: 'begun',
        epoch: 1,
      });
      yield* differs('a call of an engine has a process, or is dead', await get('e'), {
        process: undefined,
        isPromised: false,
        isDead: false,
      });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-keys',
    requirement:
      'A key belongs to one call while that runs or waits, and after its end for as long as it counts; others of the key find that call.',
    async *run({ calls, draft, begin, get, wait, tenant, at }) {
      const key = (countsMs: number, text = 'k') => ({ key: { text, countsMs } });
      const first = await begin('a', key(1));
      await wait(30);
      yield* differs('a key does not count while its call runs', await calls.begin(draft('b', key(1))), {
        is: 'found',
        call: { ...at('a'), key: 'k', stage: 'running' },
      });
      yield* differs('a call that was only found is there', await get('b'), undefined);
      yield* differs('a call is not found by its key', await calls.findByKey(tenant, 'k'), at('a'));
      await calls.wait(first, waitFor(undefined));
      await wait(30);
      yield* differs('a key does not count while its call waits', await calls.begin(draft('b', key(1))), { is: 'found', call: at('a') });
      yield* differs('a key is taken for another', await calls.begin(draft('other', key(minute, 'k2'))), { is: 'begun' });
      const elsewhere = { ...draft('a', key(minute)), tenant: `${tenant}b` };
      yield* differs('the key of another tenant is found', await calls.begin(elsewhere), { is: 'begun' });
      yield* differs('a call is found by the key of another tenant', await calls.findByKey(`${tenant}b`, 'k2'), undefined);

      await calls.end(first, endWith('a'));
      await wait(30);
      yield* differs('a key is told that does not count any more', await get('a'), { key: undefined });
      yield* differs('a call is found by a key that counts no more', await calls.findByKey(tenant, 'k'), undefined);
      const second = await begin('b', key(minute));
      await calls.end(second, endWith('b'));
      yield* differs('a key does not count after the end', await calls.begin(draft('c', key(minute))), {
        is: 'found',
        call: { ...at('b'), stage: 'ended', key: 'k', outcome: outcomeOf('b') },
      });

      const free = await begin('d', key(minute, 'free'));
      await calls.end(free, endWith('d', { keyCountsMs: 0 }));
      yield* differs('a key that was freed counts', await calls.begin(draft('e', key(minute, 'free'))), { is: 'begun' });
      const short = await begin('f', key(minute, 'short'));
      await calls.end(short, endWith('f', { keyCountsMs: 1 }));
      await wait(30);
      yield* differs('a key counts longer than its end says', await calls.begin(draft('g', key(minute, 'short'))), { is: 'begun' });
      const long = await begin('h', key(1, 'long'));
      await calls.end(long, endWith('h', { keyCountsMs: minute }));
      await wait(30);
      yield* differs('a key counts shorter than its end says', await calls.begin(draft('i', key(1, 'long'))), {
        is: 'found',
        call: at('h'),
      });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-keys-have-one-winner',
    requirement: 'Of many calls of one key that begin at the same moment exactly one does, and the others find it.',
    async *run({ calls, draft }) {
      const begun = await Promise.all(
        Array.from({ length: 20 }, (_, index) => calls.begin(draft(`c${index}`, { key: { text: 'k', countsMs: minute } }))),
      );
      const winner = begun.findIndex(({ is }) => is === 'begun');
      const found = begun.filter((each) => each.is === 'found' && each.call.id === `c${winner}` && each.call.stage === 'running');
      if (winner < 0 || found.length !== 19)
        yield { message: 'not exactly one of 20 calls begins, to be found by the others', evidence: begun };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-replaces',
    requirement:
      'A call that begins instead of an ended one takes its key, steps and answered inputs over in the same write; only where that call is as it was seen, and of several only one.',
    async *run({ calls, draft, begin, get, at, run, tenant, process, alive }) {
      await alive('p');
      const key = { text: 'k', countsMs: minute };
      const questions = [question('input', { kind: 'input' }), question('approval'), question('open', { kind: 'input' })];
      await begin('a', { key, wait: waitFor(undefined, { questions }) });
      const answer = { answer: { yes: 1 }, wakes: false } as const;
      await calls.answer({ tenant, handle: 'input' }, { ...answer, state: 'answered' });
      await calls.answer({ tenant, handle: 'approval' }, { ...answer, state: 'approved' });
      await calls.take(at('a'), { epoch: 1, process: process('p'), from: 'waiting' });
      await calls.stepEnd(run('a', 2), { id: '1', name: 'pay', attempt: 1, record: { paid: 1 } });
      await calls.stepBegin(run('a', 2), { id: '2', name: 'mail', attempt: 1 });

      const early = await calls.begin(draft('b', { key, instead: run('a', 2) }));
      yield* differs('a call that has not ended is replaced', early, { is: 'found', call: { ...at('a'), stage: 'running' } });
      await calls.end(run('a', 2), endWith('a', { keepsSteps: true }));
      yield* differs('a call is replaced that is not as it was seen', await calls.begin(draft('b', { key, instead: run('a', 1) })), {
        is: 'found',
        call: { ...at('a'), stage: 'ended', epoch: 2 },
      });
      yield* differs('a call that is not there is replaced', await calls.begin(draft('b', { instead: run('missing', 2) })), {
        is: 'refused',
      });
      const elsewhere = { ...draft('b', { instead: run('a', 2) }), tenant: `${tenant}b` };
      yield* differs('a call of another tenant is replaced', await calls.begin(elsewhere), { is: 'refused' });
      await begin('z', { key: { text: 'z', countsMs: minute } });
      const taken = await calls.begin(draft('b', { key: { text: 'z', countsMs: minute }, instead: run('a', 2) }));
      yield* differs('a call begins instead of another although a third one has its key', taken, { is: 'found', call: at('z') });
      yield* differs('a call that was not replaced says so', await get('a'), { replacedBy: undefined, key: 'k' });
      const kept = await calls.steps(at('a'));
      yield* differs('steps of a call that was not replaced are gone', kept, [{ id: '1' }, { id: '2', isOpen: true }]);

      const many = await Promise.all(
        Array.from({ length: 10 }, (_, index) => calls.begin(draft(`b${index}`, { key, origin: 'a', instead: run('a', 2) }))),
      );
      const winner = many.findIndex(({ is }) => is === 'begun');
      const others = many.filter((each) => each.is === 'found' && each.call.id === `b${winner}`);
      if (winner < 0 || others.length !== 9) yield { message: 'not exactly one of 10 calls replaces another', evidence: many };
      const next = `b${winner}`;
      yield* differs('the key does not go over', await calls.findByKey(tenant, 'k'), { ...at(next), key: 'k', epoch: 1, stage: 'running' });
      yield* differs('it is not told what replaced a call', await get('a'), { replacedBy: next, key: undefined, stage: 'ended' });
      yield* differs('steps do not go over', await calls.steps(at(next)), [
        { id: '1', name: 'pay', attempt: 1, epoch: 0, isOpen: false, record: { paid: 1 } },
        { id: '2', name: 'mail', attempt: 1, epoch: 0, isOpen: true, record: undefined },
      ]);
      yield* differs('steps stay behind', await calls.steps(at('a')), []);
      yield* differs('answered inputs do not go over', await get(next), {
        questions: [{ id: 'input', state: 'answered', answer: { yes: 1 }, call: next }],
      });
      yield* differs('other questions go over, or answered inputs stay', await get('a'), {
        questions: [
          { id: 'approval', state: 'approved', call: 'a' },
          { id: 'open', state: 'withdrawn' },
        ],
      });
      yield* differs('an input that went over does not lead to its new call', await calls.get(tenant, 'input'), at(next));

      await calls.end(run(next), endWith('b', { keepsSteps: true }));
      const twice = await calls.begin(draft('c', { instead: run('a', 2) }));
      yield* differs('a call is replaced twice', twice, { is: 'found', call: { ...at('a'), replacedBy: next } });
      yield* differs('a call without a key does not replace one', await calls.begin(draft('d', { instead: run(next) })), { is: 'begun' });
      yield* differs('the key of a call that was replaced counts', await calls.findByKey(tenant, 'k'), undefined);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-begins-waiting',
    requirement: 'A call may begin as one that waits, with its questions; no more calls of a tenant wait than its callers allow.',
    async *run({ calls, draft, beginWaiting, begin, get, at, run, tenant, tool, process, alive }) {
      await alive('p');
      const wait = waitFor('q', {
        wakeMs: hour,
        remainingMs: 5000,
        handle: 'h',
        listed: listedAs({ status: 'pending', message: 'May I?' }),
      });
      yield* differs('a call does not begin to wait', await calls.begin(draft('a', { wait })), { is: 'begun', epoch: 1 });
      const read = await get('a');
      yield* differs('a call that began to wait is not read so', read, {
        stage: 'waiting',
        epoch: 1,
        handle: 'h',
        isDead: false,
        process: process('p'),
        outcome: wait.outcome,
        listed: wait.listed,
        remainingMs: 5000,
        questions: [
          {
            handle: 'q',
            id: 'q',
            kind: 'approval',
            ask: { message: 'May q?' },
            tenant,
            call: 'a',
            tool,
            listed: wait.listed,
            state: 'open',
          },
        ],
      });
      const wakesIn = (read?.wakeAt ?? 0) - (read?.changedAt ?? 0);
      if (Math.abs(wakesIn - hour) > 2) yield { message: 'it wakes at another time than stated', evidence: read };
      yield* differs('it is not found by its handle', await calls.get(tenant, 'h'), at('a'));
      yield* differs('it is not found by its question', await calls.get(tenant, 'q'), at('a'));

      const most = { mostWaiting: 2 };
      await beginWaiting('b', most);
      yield* differs('more calls wait than may', await calls.begin(draft('c', { wait: waitFor('qc', most) })), { is: 'full' });
      yield* differs('a call that was refused is there', [await get('c'), await calls.get(tenant, 'qc')], [undefined, undefined]);
      const running = await begin('r', { key: { text: 'k', countsMs: minute } });
      yield* differs('a call that runs may wait where no more may', await calls.wait(running, waitFor('qr', most)), { is: 'full' });
      yield* differs('a call that may not wait is changed', await get('r'), { stage: 'running', changes: 1, questions: [] });
      const joined = await calls.begin(draft('j', { key: { text: 'k', countsMs: minute }, wait: waitFor('qj', most) }));
      yield* differs('a call is refused although another has its key', joined, { is: 'found', call: at('r') });
      const elsewhere = { ...draft('a', { wait: waitFor('q', most) }), tenant: `${tenant}b` };
      yield* differs('calls of another tenant count', await calls.begin(elsewhere), { is: 'begun' });
      await calls.end(run('b'), endWith('b'));
      yield* differs('a call that has ended still counts', await calls.wait(running, waitFor('qr', most)), { is: 'written' });
      yield* differs('a call counts twice', await calls.wait(running, waitFor('qr2', most)), { is: 'written' });
      await calls.take(at('a'), { epoch: 1, process: process('p'), from: 'waiting' });
      yield* differs('a call that was taken still counts', await calls.begin(draft('c', { wait: waitFor('qc', most) })), { is: 'begun' });
    },
  }),
];
