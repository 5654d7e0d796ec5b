import type { GivenAnswer } from 'toolpact/extend';
import { defineLedgerCheck, differs, endWith, hour, listedAs, minute, outcomeOf, question, waitFor } from './ledger-check.ts';

const yes: GivenAnswer = { state: 'approved', answer: { by: 'ann' }, wakes: true };
const quietly: GivenAnswer = { ...yes, wakes: false };

/** Promises about calls that wait, and the questions that they wait for. */
export const ledgerWaitChecks = [
  defineLedgerCheck({
    id: 'store/ledger-waits',
    requirement:
      'A call waits together with its questions, in one write; what it asked before stays, and what it says of itself is replaced.',
    async *run({ calls, begin, get, run, at, tenant, draft, process, alive, wait: pass }) {
      await alive('p');
      await begin('a');
      const first = waitFor(undefined, {
        questions: [
          question('q1'),
          question('q2', { kind: 'input', ask: { message: 'Which?', schema: { type: 'string' } }, expiresMs: hour }),
        ],
        wakeMs: minute,
        remainingMs: 5000,
        handle: 'h1',
      });
      yield* differs('a call cannot wait', await calls.wait(run('a'), first), { is: 'written' });
      const read = await get('a');
      yield* differs('a call is not read as it waits', read, {
        stage: 'waiting',
        epoch: 1,
        changes: 2,
        isDead: false,
        handle: 'h1',
        outcome: first.outcome,
        listed: first.listed,
        remainingMs: 5000,
        questions: [
          { id: 'q1', handle: 'q1', kind: 'approval', state: 'open', expiresAt: undefined, decidedAt: undefined, answer: undefined },
          { id: 'q2', kind: 'input', ask: { message: 'Which?', schema: { type: 'string' } }, state: 'open', listed: first.listed },
        ],
      });
      const input = read?.questions[1];
      if (Math.abs((input?.expiresAt ?? 0) - (input?.askedAt ?? 0) - hour) > 2)
        yield { message: 'a question expires at another time than stated', evidence: input };
      await calls.answer({ tenant, handle: 'q1' }, quietly);
      await calls.take(at('a'), { epoch: 1, process: process('p'), from: 'waiting' });
      yield* differs('a call that runs again is not read so', await get('a'), {
        stage: 'running',
        epoch: 2,
        wakeAt: undefined,
        handle: 'h1',
        outcome: first.outcome,
      });
      const again = waitFor('q1', {
        questions: [question('q1', { ask: { message: 'Changed?' } }), question('q3')],
        listed: listedAs({ status: 'pending', message: 'again' }),
        handle: 'h2',
      });
      await calls.wait(run('a', 2), again);
      yield* differs('a call that waits again loses or changes what it asked before', await get('a'), {
        stage: 'waiting',
        handle: 'h2',
        listed: again.listed,
        remainingMs: undefined,
        wakeAt: undefined,
        questions: [
          { id: 'q1', ask: { message: 'May q1?' }, state: 'approved' },
          { id: 'q2', state: 'open' },
          { id: 'q3', state: 'open' },
        ],
      });
      const found = await Promise.all(['a', 'h1', 'h2', 'q1', 'q2', 'q3'].map((handle) => calls.get(tenant, handle)));
      yield* differs(
        'it is not found by its id, its handle and its questions alone',
        found.map((call) => call?.id),
        ['a', undefined, 'a', 'a', 'a', 'a'],
      );
      await calls.wait(run('a', 2), waitFor(undefined));
      yield* differs('a call that waits anew loses its handle', await calls.get(tenant, 'h2'), at('a'));

      await begin('j');
      const joinKey = { text: 'join', countsMs: 1 };
      await calls.wait(run('j'), waitFor('qj', { joinKey }));
      await pass(30);
      yield* differs('an equal call does not join one that waits', await calls.begin(draft('k', { key: joinKey })), {
        is: 'found',
        call: { ...at('j'), key: 'join', stage: 'waiting' },
      });
      await begin('l', { wait: waitFor('ql', { joinKey }) });
      yield* differs('a second call has the key', [await calls.findByKey(tenant, 'join'), await get('l')], [at('j'), { key: undefined }]);
      await begin('m', { key: { text: 'own', countsMs: minute } });
      await calls.wait(run('m'), waitFor('qm', { joinKey: { text: 'second', countsMs: minute } }));
      yield* differs('a call has two keys', [await calls.findByKey(tenant, 'second'), await get('m')], [undefined, { key: 'own' }]);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-wakes',
    requirement:
      'A call is due when its time has come, or when an answer that wakes it came since it was taken; another answer lets it wait.',
    async *run({ calls, begin, beginWaiting, run, tenant, takeDue, wait, alive, get, process, at }) {
      await alive('p');
      const due = async () => (await takeDue('p')).map(({ id, epoch, wasDead }) => [id, epoch, wasDead]);
      await begin('sleeps', { wait: waitFor(undefined, { wakeMs: minute }) });
      await begin('naps', { wait: waitFor(undefined, { wakeMs: 1 }) });
      await beginWaiting('asks');
      await wait(30);
      yield* differs('not those are due whose time has come', await due(), [['naps', 2, false]]);
      yield* differs('a call is due twice', await due(), []);
      yield* differs('an answer is not taken', await calls.answer({ tenant, handle: 'q asks' }, quietly), {
        is: 'answered',
        question: { state: 'approved', answer: { by: 'ann' }, handle: 'q asks' },
        call: { ...at('asks'), stage: 'waiting', epoch: 1, changes: 2 },
      });
      yield* differs('an answer wakes a call that waits for its caller', await due(), []);
      await begin('many', { wait: waitFor(undefined, { questions: ['1', '2', '3'].map((id) => question(id)), wakeMs: hour }) });
      yield* differs('a call that waits for several answers is due', await due(), []);
      await calls.answer({ tenant, handle: '1' }, yes);
      const woken = await get('many');
      if (!((woken?.wakeAt ?? Number.POSITIVE_INFINITY) <= (woken?.readAt ?? 0)))
        yield { message: 'it is not told that an answer has woken a call', evidence: woken };
      yield* differs('a call is not due after an answer', await due(), [['many', 2, false]]);
      await calls.answer({ tenant, handle: '2' }, yes);
      yield* differs('an answer to a call that runs is lost', await get('many'), {
        stage: 'running',
        questions: [{ state: 'approved' }, { state: 'approved' }, { state: 'open' }],
      });
      await calls.wait(run('many', 2), waitFor(undefined, { wakeMs: hour }));
      yield* differs('a call is not due at once whose answer came while it ran', await due(), [['many', 3, false]]);
      await calls.wait(run('many', 3), waitFor(undefined, { wakeMs: hour }));
      yield* differs('a call is due because of an answer that it has read', await due(), []);
      await calls.wait(run('many', 3), waitFor(undefined, { wakeMs: 1 }));
      await wait(30);
      yield* differs('a call that waits anew is not due at its new time', await due(), [['many', 4, false]]);
      await calls.answer({ tenant, handle: '3' }, quietly);
      await calls.wait(run('many', 4), waitFor(undefined, { wakeMs: hour }));
      yield* differs('an answer that does not wake its call makes it due later', await due(), []);
      await begin('engine', { process: undefined, wait: waitFor('qe', { wakeMs: 1 }) });
      await calls.answer({ tenant, handle: 'qe' }, yes);
      await wait(30);
      yield* differs('a call of an engine is due', await due(), []);
      yield* differs('a call of an engine is taken', await calls.take(at('engine'), { epoch: 1, process: process('p'), from: 'waiting' }), {
        is: 'lost',
      });
      yield* differs('a call of an engine cannot go on', await calls.wait(run('engine'), waitFor('qe2')), { is: 'written' });
      yield* differs('a call of an engine cannot end', await calls.end(run('engine'), endWith('done')), { is: 'written' });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-answers',
    requirement:
      'A question is answered once, before its time is over, by its handle or that of its call; with an end, in the same write or not at all.',
    async *run({ calls, begin, beginWaiting, get, at, run, tenant, process, wait, alive }) {
      await alive('p');
      const answer = (handle: string, given: GivenAnswer = yes, of = tenant) => calls.answer({ tenant: of, handle }, given);
      yield* differs('a question that was never asked is answered', await answer('missing'), { is: 'unknown' });
      await beginWaiting('a', { handle: 'ha' });
      yield* differs('a question of another tenant is answered', await answer('q a', yes, `${tenant}b`), { is: 'unknown' });
      const decided = await answer('q a');
      yield* differs('a question is not answered', decided, {
        is: 'answered',
        question: { handle: 'q a', id: 'q a', call: 'a', tenant, state: 'approved', answer: { by: 'ann' } },
        call: { ...at('a'), stage: 'waiting', epoch: 1, changes: 2, isCancelled: false },
      });
      const { decidedAt = 0, askedAt = 1 } = decided.is === 'answered' ? decided.question : {};
      if (decidedAt < askedAt) yield { message: 'it is not told when a question was answered', evidence: decided };
      for (const handle of ['q a', 'a', 'ha'])
        yield* differs('a question is answered twice', await answer(handle, { ...yes, state: 'denied', answer: 'no' }), {
          is: 'decided',
          question: { handle: 'q a', state: 'approved', answer: { by: 'ann' } },
        });
      yield* differs('a second answer is written', await get('a'), {
        changes: 2,
        questions: [{ state: 'approved', answer: { by: 'ann' } }],
      });

      await begin('b', { wait: waitFor(undefined, { questions: [question('1'), question('2', { kind: 'input' })], handle: 'hb' }) });
      yield* differs('a call with several questions names one', await answer('hb'), { is: 'unknown' });
      await answer('1', { ...yes, wakes: false });
      const named = await answer('hb', { ...yes, state: 'answered', answer: [1, null] });
      yield* differs('a call does not name its only open question', named, { is: 'answered', question: { id: '2', answer: [1, null] } });
      yield* differs('a call whose questions are answered does not name the last', await answer('b'), {
        is: 'decided',
        question: { id: '2' },
      });
      await begin('c');
      yield* differs('a call without questions names one', await answer('c'), { is: 'unknown' });

      await begin('d', {
        wait: waitFor(undefined, { questions: [question('over', { expiresMs: 1 }), question('long', { expiresMs: minute })] }),
      });
      await wait(30);
      yield* differs('a question is answered after its time', await answer('over'), {
        is: 'expired',
        question: { id: 'over', state: 'open', answer: undefined },
      });
      yield* differs('a question is not answered in time', await answer('long'), { is: 'answered' });
      yield* differs('a call names no question whose time is over', await answer('d'), { is: 'expired', question: { id: 'over' } });

      const ends = (epoch: number, rest: Partial<GivenAnswer> = {}): GivenAnswer => ({
        state: 'denied',
        answer: 'no',
        wakes: false,
        end: { ...endWith('denied', { listed: listedAs({ status: 'error', kind: 'denied' }) }), epoch },
        ...rest,
      });
      await begin('e', { wait: waitFor(undefined, { questions: [question('e1'), question('e2')] }), key: { text: 'k', countsMs: minute } });
      yield* differs('a call that is not as it was seen is ended', await answer('e1', ends(2)), { is: 'changed' });
      yield* differs('an answer is written without its end', await get('e'), {
        stage: 'waiting',
        changes: 1,
        questions: [{ state: 'open' }, { state: 'open' }],
      });
      yield* differs(
        'an answer does not end its call',
        await answer('e1', ends(1, { end: { ...endWith('denied', { keyCountsMs: 0 }), epoch: 1 } })),
        {
          is: 'answered',
          question: { state: 'denied' },
          call: { ...at('e'), stage: 'ended', epoch: 1 },
        },
      );
      yield* differs('a call does not read as an answer ended it', await get('e'), {
        stage: 'ended',
        outcome: outcomeOf('denied'),
        key: undefined,
        questions: [
          { state: 'denied', answer: 'no' },
          { state: 'withdrawn', answer: undefined },
        ],
      });
      yield* differs('a withdrawn question is answered', await answer('e2'), { is: 'decided', question: { state: 'withdrawn' } });
      await beginWaiting('f');
      await calls.take(at('f'), { epoch: 1, process: process('p'), from: 'waiting' });
      yield* differs('an answer ends a call that runs', await answer('q f', ends(2)), { is: 'changed' });
      yield* differs('a call that runs is not answered', await answer('q f'), { is: 'answered', call: { stage: 'running', epoch: 2 } });
      yield* differs('a call that was answered cannot end', await calls.end(run('f', 2), endWith('f')), { is: 'written' });

      await beginWaiting('g');
      const many = await Promise.all(Array.from({ length: 10 }, (_, index) => answer('q g', { ...yes, answer: index })));
      const winner = many.findIndex(({ is }) => is === 'answered');
      if (many.filter(({ is }) => is === 'decided').length !== 9)
        yield { message: 'not exactly one of 10 answers is taken', evidence: many };
      yield* differs('not the answer that was taken is read', await get('g'), { questions: [{ answer: winner }] });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-cancels',
    requirement:
      'A request to stop a call is seen by every later run; a call that waits as it was seen ends with it, one that has ended stays as it is.',
    async *run({ calls, begin, beginWaiting, get, run, at, tenant, process, takeDue, alive, look }) {
      await alive('p');
      yield* differs('a call that is not there is cancelled', await calls.cancel(at('missing'), {}), { is: 'unknown' });
      await begin('a');
      yield* differs('a call of another tenant is cancelled', await calls.cancel({ tenant: `${tenant}b`, id: 'a' }, {}), { is: 'unknown' });
      const asked = { ...at('a'), stage: 'running', isCancelled: true, cancelledBy: 'ann', changes: 2 };
      yield* differs('a call that runs is not asked to stop', await calls.cancel(at('a'), { by: 'ann' }), { is: 'asked', call: asked });
      yield* differs('a second request replaces the first', await calls.cancel(at('a'), { by: 'bob' }), {
        is: 'asked',
        call: { cancelledBy: 'ann' },
      });
      yield* differs('a request to stop is not stored', [await get('a'), await look('a')], [asked, { isCancelled: true, changes: 2 }]);
      yield* differs('a call that is to stop begins to wait', await calls.wait(run('a'), waitFor('qa', { handle: 'ha' })), {
        is: 'cancelled',
      });
      yield* differs(
        'a wait that was refused is written',
        [await get('a'), await calls.get(tenant, 'qa')],
        [{ stage: 'running', changes: 2, questions: [] }, undefined],
      );
      const own = await calls.heartbeat({ process: process('p'), leaseMs: minute, ranMs: hour });
      yield* differs('a process is not told that its call is to stop', own, [{ ...run('a'), isCancelled: true }]);
      yield* differs('a call that is to stop cannot write a step', await calls.stepEnd(run('a'), { id: '1', name: 'undo', attempt: 1 }), {
        is: 'written',
      });
      await alive('p', 0);
      const [taken] = await takeDue('q');
      yield* differs('the next run does not see that it is to stop', taken, {
        ...at('a'),
        epoch: 2,
        isCancelled: true,
        cancelledBy: 'ann',
      });
      await alive('p');
      await calls.end(run('a', 2), endWith('stopped'));
      yield* differs(
        'a call that has ended is cancelled',
        await calls.cancel(at('a'), { by: 'bob', end: { ...endWith('late'), epoch: 2 } }),
        {
          is: 'over',
          call: { outcome: outcomeOf('stopped'), cancelledBy: 'ann', changes: 4 },
        },
      );
      await begin('done');
      await calls.end(run('done'), endWith('done'));
      await calls.cancel(at('done'), { by: 'ann' });
      yield* differs('a call that had ended is to stop', await get('done'), { isCancelled: false, cancelledBy: undefined, changes: 2 });

      const end = { ...endWith('cancelled', { listed: listedAs({ status: 'error', kind: 'cancelled' }) }), epoch: 1 };
      await beginWaiting('b');
      yield* differs('a call that waits does not end', await calls.cancel(at('b'), { by: 'ann', end }), {
        is: 'ended',
        call: { stage: 'ended', isCancelled: true, cancelledBy: 'ann', outcome: end.outcome, questions: [{ state: 'withdrawn' }] },
      });
      yield* differs('a call that ended so is taken', await calls.take(at('b'), { epoch: 1, process: process('q'), from: 'waiting' }), {
        is: 'lost',
      });
      await begin('c');
      yield* differs('a call that runs ends', await calls.cancel(at('c'), { end }), {
        is: 'asked',
        call: { stage: 'running', isCancelled: true },
      });
      await beginWaiting('d');
      await calls.take(at('d'), { epoch: 1, process: process('q'), from: 'waiting' });
      await calls.wait(run('d', 2), waitFor(undefined));
      yield* differs('a call ends that waits otherwise than it was seen', await calls.cancel(at('d'), { end }), {
        is: 'asked',
        call: { stage: 'waiting', epoch: 2, isCancelled: true },
      });
      await alive('q');
      const due = (await takeDue('q')).map(({ id, epoch, isCancelled }) => [id, epoch, isCancelled]);
      yield* differs('a call that waits and is to stop is not due', due, [['d', 3, true]]);
      await beginWaiting('e');
      await calls.cancel(at('e'), { by: 'ann' });
      yield* differs('a call that was asked before does not end', await calls.cancel(at('e'), { by: 'bob', end }), {
        is: 'ended',
        call: { cancelledBy: 'ann', outcome: end.outcome },
      });
    },
  }),
];
