import type { CallPlace, RunPlace, StoredCall } from 'toolpact/extend';
import { isSame } from '../lost-paths.ts';
import { defineLedgerCheck, differs, endWith, type LedgerTrial, listedAs, minute, outcomeOf, question, waitFor } from './ledger-check.ts';

/** Every write of a run. */
const writes: Readonly<Record<string, (calls: LedgerTrial['calls'], run: RunPlace) => Promise<{ readonly is: string }>>> = {
  stepBegin: (calls, run) => calls.stepBegin(run, { id: '2', name: 'late', attempt: 9 }),
  stepEnd: (calls, run) => calls.stepEnd(run, { id: '1', name: 'late', attempt: 9, record: 'late' }),
  wait: (calls, run) => calls.wait(run, waitFor('late', { wakeMs: 1, handle: 'late', joinKey: { text: 'late', countsMs: minute } })),
  note: (calls, run) => calls.note(run, { progress: { late: 1 }, joinKey: { text: 'late', countsMs: minute } }),
  end: (calls, run) => calls.end(run, endWith('late')),
  'end by a guess': (calls, run) => calls.end(run, endWith('late', { guessAbout: run.epoch })),
};

/** Promises about the writes of runs. */
export const ledgerRunChecks = [
  defineLedgerCheck({
    id: 'store/ledger-fences',
    requirement: 'A run that lost its call, whose call has ended or is not there, writes nothing and is told so with the call as it is.',
    async *run({ calls, begin, beginWaiting, at, run, process, tenant, get, alive }) {
      await alive('p');
      await begin('taken');
      await alive('q');
      await calls.stepEnd(run('taken'), { id: '1', name: 'pay', attempt: 1, record: 'paid' });
      await alive('p', 0);
      await calls.take(at('taken'), { epoch: 1, process: process('q'), from: 'dead' });
      await beginWaiting('woken');
      await calls.take(at('woken'), { epoch: 1, process: process('q'), from: 'waiting' });
      await begin('ended');
      await calls.stepEnd(run('ended'), { id: '1', name: 'pay', attempt: 1, record: 'paid' });
      await calls.end(run('ended'), endWith('ended', { keepsSteps: true }));
      const lost: readonly (readonly [what: string, run: RunPlace])[] = [
        ['whose call was taken from it', run('taken')],
        ['of an epoch to come', run('taken', 3)],
        ['whose call was taken while it waited', run('woken')],
        ['whose call has ended', run('ended')],
        ['of a call that was never there', run('missing')],
        ['of a call of another tenant', { ...run('taken', 2), tenant: `${tenant}b` }],
      ];
      const read = async ({ tenant: of, id }: CallPlace) => {
        const call = await calls.get(of, id);
        return { call: call && { ...call, readAt: 0 }, steps: await calls.steps({ tenant: of, id }) };
      };
      for (const [what, place] of lost) {
        const before = await read(place);
        for (const [name, write] of Object.entries(writes)) {
          const answer = await write(calls, place);
          const { epoch, stage } = (answer as { readonly call?: StoredCall }).call ?? {};
          if (answer.is !== 'lost' || epoch !== before.call?.epoch || stage !== before.call?.stage)
            yield { message: `${name} of a run ${what} is not told that it is lost`, evidence: answer };
          const after = await read(place);
          if (!isSame(after, before)) yield { message: `${name} of a run ${what} is written`, evidence: { before, after } };
        }
      }
      yield* differs(
        'a lost run left a handle, a question or a key',
        [await get('late'), await calls.findByKey(tenant, 'late')],
        [undefined, undefined],
      );
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-steps',
    requirement:
      'Steps are read in the order in which they first began, each as it was written last; they are forgotten with the end, and so are the arguments, unless it keeps them.',
    async *run({ calls, begin, at, run, process, look, get, alive, wait }) {
      await alive('p');
      await begin('a');
      yield* differs('a call that has no steps has some', await calls.steps(at('a')), []);
      const written = { is: 'written' };
      const step = (id: string, attempt = 1) => ({ id, name: `step ${id}`, attempt });
      yield* differs('a step does not begin', await calls.stepBegin(run('a'), step('z')), written);
      yield* differs(
        'a step that only ends is not written',
        await calls.stepEnd(run('a'), { ...step('b'), record: { v: [1, null] } }),
        written,
      );
      await calls.stepBegin(run('a'), step('a'));
      await calls.stepEnd(run('a'), { ...step('z'), record: 'done' });
      await calls.stepEnd(run('a'), { ...step('sleep'), sleepMs: minute });
      await calls.stepEnd(run('a'), { ...step('nap'), sleepMs: 1 });
      await wait(30);
      const steps = await calls.steps(at('a'));
      yield* differs('steps are not read as they were written', steps, [
        { ...step('z'), epoch: 1, isOpen: false, record: 'done', leftMs: undefined },
        { ...step('b'), epoch: 1, isOpen: false, record: { v: [1, null] } },
        { ...step('a'), epoch: 1, isOpen: true, record: undefined },
        { ...step('sleep'), epoch: 1, isOpen: false, record: undefined },
        { ...step('nap'), epoch: 1, isOpen: false },
      ]);
      const [left, over] = [steps[3]?.leftMs ?? 0, steps[4]?.leftMs ?? 1];
      if (left > minute || left < minute / 2 || over > 0) yield { message: 'it is not told how long a sleep lasts', evidence: steps };
      yield* differs('a step counts as a change of its call', await look('a'), { changes: 1, stage: 'running' });

      await alive('p', 0);
      await calls.take(at('a'), { epoch: 1, process: process('q'), from: 'dead' });
      await calls.stepBegin(run('a', 2), step('z', 2));
      await calls.stepEnd(run('a', 2), { ...step('sleep', 2), record: 'slept' });
      yield* differs('a step is not written over', await calls.steps(at('a')), [
        { ...step('z', 2), epoch: 2, isOpen: true, record: undefined },
        { ...step('b'), epoch: 1, isOpen: false },
        { ...step('a'), epoch: 1, isOpen: true },
        { ...step('sleep', 2), epoch: 2, isOpen: false, record: 'slept', leftMs: undefined },
        { ...step('nap'), epoch: 1 },
      ]);
      await calls.wait(run('a', 2), waitFor(undefined));
      const late = await calls.stepEnd(run('a', 2), { ...step('z', 2), record: 'late' });
      yield* differs('a step that ends after its call began to wait is not written', late, written);
      await calls.end(run('a', 2), endWith('a'));
      yield* differs('steps are there after the end', await calls.steps(at('a')), []);
      yield* differs('arguments are there after the end', await calls.args(at('a')), undefined);
      await begin('kept', { args: [1] });
      await calls.stepEnd(run('kept'), { ...step('b'), record: 1 });
      await calls.end(run('kept'), endWith('kept', { keepsSteps: true }));
      yield* differs('steps that an end keeps are gone', await calls.steps(at('kept')), [{ ...step('b'), record: 1 }]);
      yield* differs('arguments that an end keeps are gone', await calls.args(at('kept')), [1]);
      yield* differs('an ended call has steps of its own', await get('kept'), { steps: undefined });
      yield* differs('a call that is not there has steps', await calls.steps(at('missing')), []);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-ends-once',
    requirement:
      'The first end of a call is its end: it is read with its outcome, its open questions are withdrawn, and no other is written.',
    async *run({ calls, begin, beginWaiting, get, run, tenant, process, at, wait, takeDue }) {
      await begin('a', { args: { large: true }, key: { text: 'k', countsMs: minute } });
      const end = endWith('first', { trace: { steps: [] }, listed: listedAs({ status: 'ok', message: 'done' }) });
      yield* differs('an end is not written', await calls.end(run('a'), end), { is: 'written' });
      const read = await get('a');
      const ended = { stage: 'ended', epoch: 1, outcome: end.outcome, listed: end.listed, trace: end.trace, isDead: false, changes: 2 };
      yield* differs('a call is not read as it ended', read, { ...ended, guessAbout: undefined });
      if (read?.endedAt === undefined || read.endedAt < read.begunAt) yield { message: 'it is not told when a call ended', evidence: read };
      yield* differs('a call ends twice', await calls.end(run('a'), endWith('second')), { is: 'lost', call: ended });
      yield* differs('a second end is written', await get('a'), ended);
      for (const from of ['waiting', 'dead'] as const)
        yield* differs('an ended call is taken', await calls.take(at('a'), { epoch: 1, process: process('p'), from }), {
          is: 'lost',
          call: ended,
        });

      const questions = [question('open'), question('over', { expiresMs: 1 }), question('given')];
      await begin('b', { wait: waitFor(undefined, { questions, wakeMs: 1 }) });
      await calls.answer({ tenant, handle: 'given' }, { state: 'denied', answer: 'no', wakes: false });
      await wait(30);
      yield* differs('a call does not end that waits in the epoch of its run', await calls.end(run('b'), endWith('b')), { is: 'written' });
      yield* differs('open questions are not withdrawn with the end', await get('b'), {
        stage: 'ended',
        wakeAt: undefined,
        questions: [
          { id: 'open', state: 'withdrawn', answer: undefined },
          { id: 'over', state: 'open' },
          { id: 'given', state: 'denied' },
        ],
      });
      yield* differs('a question of an ended call is open', await calls.questions({ tenant, kind: 'approval', limit: 10 }), []);
      yield* differs('an ended call is due', await takeDue('q'), []);

      await beginWaiting('many');
      const ends = await Promise.all(Array.from({ length: 10 }, (_, index) => calls.end(run('many'), endWith(index))));
      const winner = ends.findIndex(({ is }) => is === 'written');
      const lost = ends.filter((each) => each.is === 'lost');
      yield* differs('not the end that was written first is read', await get('many'), { outcome: outcomeOf(winner) });
      if (lost.length !== 9) yield { message: 'not exactly one of 10 ends is written', evidence: ends };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-guesses',
    requirement: 'An end that was guessed is replaced by that of the very run which it is about, once, and by no other.',
    async *run({ calls, begin, get, run, at, process, alive, draft, look, tenant }) {
      await alive('p', 0);
      await alive('q');
      await begin('a', { key: { text: 'k', countsMs: minute } });
      await calls.stepEnd(run('a'), { id: '1', name: 'pay', attempt: 1, record: 'paid' });
      await calls.take(at('a'), { epoch: 1, process: process('q'), from: 'dead' });
      const guess = endWith('guess', { guessAbout: 1, keepsSteps: true });
      yield* differs('a guess is not written', await calls.end(run('a', 2), guess), { is: 'written' });
      yield* differs('a guess is not read as one', await get('a'), {
        stage: 'ended',
        outcome: guess.outcome,
        guessAbout: 1,
        isDead: false,
      });
      const others = { 'the run that guessed': 2, 'a run to come': 3, 'no run': 0 };
      for (const [who, epoch] of Object.entries(others))
        yield* differs(`${who} replaces the guess`, await calls.end(run('a', epoch), endWith('other')), { is: 'lost' });
      yield* differs('a guess replaces a guess', await calls.end(run('a'), endWith('again', { guessAbout: 1 })), { is: 'lost' });
      for (const [name, write] of Object.entries(writes)) {
        if (name.startsWith('end')) continue;
        yield* differs(`${name} of the run that was guessed about is written`, await write(calls, run('a')), { is: 'lost' });
      }
      const before = await get('a');
      yield* differs('the run that a guess is about cannot replace it', await calls.end(run('a'), endWith('truth')), { is: 'written' });
      const after = await get('a');
      yield* differs('the guess is still there', after, { stage: 'ended', outcome: outcomeOf('truth'), guessAbout: undefined, key: 'k' });
      yield* differs('steps are kept although the end forgets them', await calls.steps(at('a')), []);
      if ((after?.changes ?? 0) <= (before?.changes ?? 0)) yield { message: 'a change is not counted', evidence: { before, after } };
      yield* differs('a guess is replaced twice', await calls.end(run('a'), endWith('again')), {
        is: 'lost',
        call: { outcome: outcomeOf('truth') },
      });
      const late = await calls.begin(draft('b', { key: { text: 'k', countsMs: minute }, instead: run('a', 2) }));
      yield* differs('a call is replaced although its guess was', late, { is: 'found', call: { ...at('a'), outcome: outcomeOf('truth') } });

      await begin('own', { key: { text: 'own', countsMs: minute } });
      await calls.end(run('own'), endWith('guess', { guessAbout: 1, keyCountsMs: 0 }));
      yield* differs('a call that guesses about itself lives although its process is dead', await look('own'), {
        stage: 'ended',
        isDead: true,
      });
      await alive('p');
      yield* differs('a call that guesses about itself is dead although its process lives', await look('own'), { isDead: false });
      yield* differs('a call that guesses about itself has no process', await get('own'), { process: process('p') });
      await calls.end(run('own'), endWith('truth'));
      yield* differs('the end of a call does not replace its guess about itself', await get('own'), {
        outcome: outcomeOf('truth'),
        isDead: false,
      });
      yield* differs('a key that was freed is taken again', await calls.findByKey(tenant, 'own'), undefined);

      await alive('p', 0);
      await begin('replaced');
      await calls.take(at('replaced'), { epoch: 1, process: process('q'), from: 'dead' });
      await calls.end(run('replaced', 2), guess);
      await begin('next', { instead: run('replaced', 2) });
      await calls.end(run('replaced'), endWith('truth'));
      yield* differs('a guess is not replaced where another call goes on', await get('replaced'), {
        outcome: outcomeOf('truth'),
        replacedBy: 'next',
      });
      yield* differs('the end of a call that was replaced changes the one that goes on', await get('next'), {
        stage: 'running',
        changes: 1,
      });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-notes',
    requirement: 'A call that runs tells its progress, and lets equal calls join it; each note is a change.',
    async *run({ calls, begin, draft, get, run, at, tenant, look, wait }) {
      await begin('a');
      yield* differs('a note is not written', await calls.note(run('a'), { progress: { percent: 10 } }), { is: 'written' });
      yield* differs('progress is not read', await get('a'), { progress: { percent: 10 }, stage: 'running', changes: 2 });
      const joinKey = { text: 'join', countsMs: 1 };
      await calls.note(run('a'), { joinKey });
      yield* differs('a note loses the progress before', await get('a'), { progress: { percent: 10 }, key: 'join', changes: 3 });
      await calls.note(run('a'), { progress: { percent: 20 }, joinKey: { text: 'other', countsMs: minute } });
      yield* differs('a call gets a second key', await calls.findByKey(tenant, 'other'), undefined);
      await wait(30);
      const joins = await calls.begin(draft('b', { key: joinKey }));
      yield* differs('an equal call does not join', joins, { is: 'found', call: { ...at('a'), progress: { percent: 20 } } });
      await begin('c');
      yield* differs('a call cannot note a key that another has', await calls.note(run('c'), { joinKey }), { is: 'written' });
      yield* differs(
        'a call takes the key of another',
        [await calls.findByKey(tenant, 'join'), await get('c')],
        [at('a'), { key: undefined }],
      );
      const { changes = 0 } = (await look('a')) ?? {};
      await calls.end(run('a'), endWith('a', { keyCountsMs: 0 }));
      yield* differs('an end is no change', await look('a'), { changes: changes + 1 });
      yield* differs('an ended call is joined', await calls.begin(draft('d', { key: joinKey })), { is: 'begun' });
    },
  }),
];
