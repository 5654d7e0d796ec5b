import type { CallPlace, CallQuery, NewCall, QuestionQuery, StoredQuestion } from 'toolpact/extend';
import { isSame } from '../lost-paths.ts';
import { hostileTexts, hostileValues } from './hostile-records.ts';
import {
  defineLedgerCheck,
  differs,
  endWith,
  hour,
  type LedgerTrial,
  listedAs,
  minute,
  outcomeOf,
  question,
  toLedgerTrial,
  waitFor,
} from './ledger-check.ts';
import { settle } from './store-check.ts';

const maxPages = 100;

/** Promises about what is read of calls, and for how long. */
export const ledgerReadChecks = [
  defineLedgerCheck({
    id: 'store/ledger-lists',
    requirement: 'Calls are listed by all that is asked for, those that began last first, page by page, also while others begin.',
    async *run({ calls, begin, draft, tenant, tool, run, at }) {
      const by = (index: number): NewCall['by'] => ({
        begunAt: 1000 + Math.floor(index / 2),
        runId: `run ${index % 2}`,
        ...(index % 3 > 0 && { sessionId: `session ${index % 3}` }),
        ...(index === 5 && { callerKey: 'key' }),
      });
      // Not in the order of time: the order of writing decides only between calls of the same moment.
      const indexes = [...Array(12).keys()].map((index) => (index + 6) % 12);
      for (const index of indexes)
        await begin(`c${index}`, {
          by: by(index),
          tool: index % 4 === 0 ? `${tool} 4` : tool,
          listed: listedAs({ id: `c${index}`, status: 'running' }),
        });
      const failed = listedAs({ id: 'c1', status: 'error', kind: 'timeout', replayOf: 'c0', message: 'failed' });
      await calls.end(run('c1'), endWith(1, { listed: failed }));
      await calls.end(run('c4'), endWith(4, { listed: listedAs({ id: 'c4', status: 'error', kind: 'denied' }) }));
      await calls.wait(run('c6'), waitFor('q', { listed: listedAs({ id: 'c6', status: 'pending' }) }));
      await calls.note(run('c7'), { progress: { percent: 7 } });
      const cases: readonly (readonly [what: string, query: Partial<CallQuery>, indexes: readonly number[]])[] = [
        ['all', {}, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
        ['a tool', { tool: [`${tool} 4`] }, [8, 4, 0]],
        ['several tools', { tool: [tool, `${tool} 4`, 'none'] }, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
        ['no tool', { tool: [] }, []],
        ['a status', { status: ['error'] }, [4, 1]],
        ['several statuses', { status: ['pending', 'error'] }, [6, 4, 1]],
        ['a kind', { kind: ['timeout'] }, [1]],
        ['several kinds', { kind: ['timeout', 'denied', 'internal'] }, [4, 1]],
        ['a run', { runId: 'run 1' }, [11, 9, 7, 5, 3, 1]],
        ['a session', { sessionId: 'session 2' }, [11, 8, 5, 2]],
        ['a key', { callerKey: 'key' }, [5]],
        ['replays', { replayOf: 'c0' }, [1]],
        ['a beginning', { since: 1004 }, [11, 10, 9, 8]],
        ['an end', { until: 1001 }, [3, 2, 1, 0]],
        ['a span of time', { since: 1001, until: 1003 }, [7, 6, 5, 4, 3, 2]],
        ['a moment', { since: 1002, until: 1002 }, [5, 4]],
        ['a run that has no calls', { runId: 'run' }, []],
        ['a tool and a run', { tool: [`${tool} 4`], runId: 'run 0' }, [8, 4, 0]],
        ['a tool and a status', { tool: [`${tool} 4`], status: ['error'] }, [4]],
        ['a tool and a span', { tool: [`${tool} 4`], since: 1002 }, [8, 4]],
        ['a run and a session', { runId: 'run 0', sessionId: 'session 2' }, [8, 2]],
        ['a run and a span', { runId: 'run 1', until: 1002 }, [5, 3, 1]],
        ['a status and a kind', { status: ['pending'], kind: ['denied'] }, []],
        ['a session and a key', { sessionId: 'session 2', callerKey: 'key' }, [5]],
      ];
      for (const [what, query, wanted] of cases) {
        for (const limit of [100, 3, 1]) {
          const found = await listAll(calls, { tenant, limit, ...query });
          const ids = found.map(({ id }) => id);
          if (
            !isSame(
              ids,
              wanted.map((index) => `c${index}`),
            )
          )
            yield { message: `${what} is not listed by ${limit}`, evidence: ids };
        }
      }
      const { rows } = await calls.list({ tenant, limit: 100 });
      const row = (id: string) => rows.find((each) => each.id === id);
      yield* differs(
        'a row is not like its call',
        [row('c1'), row('c6'), row('c7')],
        [
          { ...at('c1'), epoch: 1, stage: 'ended', isCancelled: false, changes: 2, listed: failed, progress: undefined },
          { stage: 'waiting', listed: { status: 'pending' } },
          { stage: 'running', progress: { percent: 7 }, outcome: undefined },
        ],
      );
      const first = await calls.list({ tenant, limit: 5 });
      await calls.begin(draft('newer', { by: { begunAt: 5000 } }));
      await calls.begin(draft('same', { by: { begunAt: 1005 } }));
      const rest = await listAll(calls, { tenant, limit: 5, cursor: first.next });
      const inOrder = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((index) => `c${index}`);
      if (
        !isSame(
          [...first.rows, ...rest].map(({ id }) => id),
          inOrder,
        )
      )
        yield { message: 'a page moves when others begin', evidence: rest };
      const second = await listAll(calls, { tenant, limit: 5, cursor: first.rows[1]?.cursor });
      if (
        !isSame(
          second.map(({ id }) => id),
          inOrder.slice(2),
        )
      )
        yield { message: 'it does not go on after a row', evidence: second };
      const wrong = await settle(() => calls.list({ tenant, limit: 5, cursor: "'" }));
      if (!wrong.failed) yield { message: 'a cursor that is none is taken', evidence: wrong };
      yield* differs('calls of another tenant are listed', await calls.list({ tenant: `${tenant}b`, limit: 100 }), {
        rows: [],
        next: undefined,
      });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-lists-questions',
    requirement:
      'Open questions of a kind are listed, oldest first, page by page, also while some are answered; those whose time is over are not.',
    async *run({ calls, begin, tenant, wait, run, tool }) {
      const list = async (query: Partial<QuestionQuery> = {}) => calls.questions({ tenant, kind: 'approval', limit: 100, ...query });
      const handles = (questions: readonly StoredQuestion[]) => questions.map(({ handle }) => handle);
      yield* differs('there are questions before any was asked', await list(), []);
      for (let index = 0; index < 6; index += 1) {
        await begin(`c${index}`, {
          wait: waitFor(undefined, {
            questions: [question(`a${index}`), question(`i${index}`, { kind: 'input', ask: { message: `i${index}?` } })],
            listed: listedAs({ id: `c${index}`, status: 'pending', runId: 'r' }),
          }),
        });
      }
      await begin('over', {
        wait: waitFor(undefined, { questions: [question('over', { expiresMs: 1 }), question('long', { expiresMs: minute })] }),
      });
      await wait(30);
      const all = await list();
      yield* differs('open questions are not listed oldest first', handles(all), ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'long']);
      yield* differs('questions are taken for those of another kind', handles(await list({ kind: 'input' })), [
        'i0',
        'i1',
        'i2',
        'i3',
        'i4',
        'i5',
      ]);
      yield* differs('a question is not listed as it was asked', (await list({ kind: 'input' }))[1], {
        handle: 'i1',
        kind: 'input',
        id: 'i1',
        ask: { message: 'i1?' },
        tenant,
        call: 'c1',
        tool,
        state: 'open',
        listed: { id: 'c1', runId: 'r' },
      });
      const first = await list({ limit: 2 });
      await calls.answer({ tenant, handle: 'a1' }, { state: 'approved', answer: 1, wakes: false });
      await calls.end(run('c3'), endWith('c3'));
      const rest = [...(await list({ limit: 2, after: 'a1' })), ...(await list({ limit: 9, after: 'a4' }))];
      yield* differs('a page moves when questions are answered', handles([...first, ...rest]), ['a0', 'a1', 'a2', 'a4', 'a5', 'long']);
      yield* differs('a question is listed that is answered or withdrawn', handles(await list()), ['a0', 'a2', 'a4', 'a5', 'long']);
      yield* differs('something comes after what is not there', await list({ after: 'missing' }), []);
      yield* differs('nothing comes after the last', await list({ after: 'long' }), []);
      yield* differs('questions of another tenant are listed', await list({ tenant: `${tenant}b` }), []);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-looks',
    requirement: 'Where many calls stand is read at once; each change counts up their changes, and what is not there is left out.',
    async *run({ calls, begin, at, run, process, alive, tenant, look }) {
      await alive('p');
      yield* differs('something stands where nothing is', await calls.look([]), []);
      await begin('a');
      await begin('b');
      await begin('waits', { wait: waitFor('q') });
      await calls.end(run('b'), endWith('b'));
      const places: CallPlace[] = [...['a', 'missing', 'b', 'waits'].map(at), { tenant: `${tenant}b`, id: 'a' }];
      const found = (await calls.look(places)).map((state) => ({ ...state })).toSorted((one, other) => (one.id < other.id ? -1 : 1));
      yield* differs('it is not told where calls stand', found, [
        { ...run('a'), stage: 'running', isCancelled: false, isDead: false, changes: 1 },
        { ...run('b'), stage: 'ended', changes: 2 },
        { ...run('waits'), stage: 'waiting', changes: 1 },
      ]);
      const count = async (id: string) => (await look(id))?.changes ?? 0;
      const changes: readonly (readonly [what: string, change: () => Promise<unknown>])[] = [
        ['an answer', () => calls.answer({ tenant, handle: 'q' }, { state: 'denied', answer: 0, wakes: false })],
        ['a cancel', () => calls.cancel(at('waits'), {})],
        ['a take', () => calls.take(at('waits'), { epoch: 1, process: process('p'), from: 'waiting' })],
        ['a note', () => calls.note(run('waits', 2), { progress: { percent: 1 } })],
        ['an end', () => calls.end(run('waits', 2), endWith(1))],
        ['a call that replaces it', () => begin('next', { instead: run('waits', 2) })],
      ];
      for (const [what, change] of changes) {
        const before = await count('waits');
        await change();
        const after = await count('waits');
        if (after <= before) yield { message: `${what} is not counted as a change`, evidence: { before, after } };
      }
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-watches',
    requirement: 'Whoever watches hears of each kind of change soon, until that is stopped.',
    async *run({ calls, begin, at, run, process, alive, tenant, wait }) {
      await alive('p');
      let heard: (CallPlace | undefined)[] = [];
      const stop = calls.watch((place) => void heard.push(place));
      const stopOther = calls.watch(() => {
        throw new Error('a listener that fails');
      });
      const hears = async (id: string) => {
        for (let looks = 0; looks < 100; looks += 1) {
          if (heard.some((place) => place === undefined || (place.tenant === tenant && place.id === id))) return true;
          await wait(20);
        }
        return false;
      };
      const changes: readonly (readonly [what: string, change: () => Promise<unknown>])[] = [
        ['a beginning', () => begin('a', { wait: waitFor('q') })],
        ['an answer', () => calls.answer({ tenant, handle: 'q' }, { state: 'approved', answer: 0, wakes: true })],
        ['a take', () => calls.take(at('a'), { epoch: 1, process: process('p'), from: 'waiting' })],
        ['a note', () => calls.note(run('a', 2), { progress: { percent: 1 } })],
        ['a wait', () => calls.wait(run('a', 2), waitFor('q2'))],
        ['a cancel', () => calls.cancel(at('a'), {})],
        ['an end', () => calls.end(run('a', 2), endWith(1))],
      ];
      for (const [what, change] of changes) {
        heard = [];
        await change();
        if (!(await hears('a'))) yield { message: `${what} is not heard` };
      }
      stop();
      stop();
      stopOther();
      heard = [];
      await begin('b');
      await wait(20);
      if (heard.length > 0) yield { message: 'something is heard after that was stopped', evidence: heard };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-forgets',
    requirement:
      'A call is forgotten with all that belongs to it once it was kept for long enough after its last write, but not while it waits or runs and was promised.',
    async *run({ calls, begin, get, at, run, tenant, wait, store, draft, look, process, alive, now }) {
      await alive('p');
      const brief = { keepMs: 20 };
      await begin('ended', { ...brief, key: { text: 'k', countsMs: hour }, wait: waitFor('q ended', { handle: 'h' }) });
      await calls.take(at('ended'), { epoch: 1, process: process('p'), from: 'waiting' });
      await calls.stepEnd(run('ended', 2), { id: '1', name: 'pay', attempt: 1, record: 1 });
      await calls.end(run('ended', 2), endWith(1, { keepsSteps: true }));
      await begin('listed', { ...brief, isPromised: false });
      await begin('runs', brief);
      await begin('waits', { ...brief, isPromised: false, wait: waitFor('q waits') });
      await begin('kept');
      await calls.end(run('kept'), endWith(1));
      await wait(60);
      for (const handle of ['ended', 'h', 'q ended', 'listed']) yield* differs('a call is not forgotten', await get(handle), undefined);
      yield* differs('a forgotten call stands somewhere', [await look('ended'), await look('listed')], [undefined, undefined]);
      yield* differs('steps of a forgotten call are kept', await calls.steps(at('ended')), []);
      yield* differs('a forgotten call has its key', await calls.findByKey(tenant, 'k'), undefined);
      yield* differs('a forgotten call is listed', (await calls.list({ tenant, limit: 9 })).rows.map(({ id }) => id).toSorted(), [
        'kept',
        'runs',
        'waits',
      ]);
      yield* differs('a forgotten call is replaced', await calls.begin(draft('new', { instead: run('ended', 2) })), { is: 'refused' });
      yield* differs(
        'a question of a forgotten call is there',
        await calls.answer({ tenant, handle: 'q ended' }, { state: 'denied', answer: 1, wakes: false }),
        { is: 'unknown' },
      );
      yield* differs('a run of a forgotten call writes', await calls.end(run('listed'), endWith(1)), { is: 'lost', call: undefined });
      yield* differs('a forgotten call is cancelled', await calls.cancel(at('ended'), {}), { is: 'unknown' });
      yield* differs('an id that was forgotten is in use', await calls.begin(draft('ended', { key: { text: 'k', countsMs: hour } })), {
        is: 'begun',
        epoch: 1,
      });
      yield* differs(
        'a new call has what was forgotten of another',
        [await calls.steps(at('ended')), await get('ended')],
        [[], { questions: [], changes: 1 }],
      );
      await store.sweep();
      const left = await Promise.all(['runs', 'waits', 'kept', 'ended'].map(async (id) => (await get(id))?.id));
      yield* differs('a call is forgotten too early', left, ['runs', 'waits', 'kept', 'ended']);
      const endsAt = now();
      yield* differs('a promised call that ran for long cannot end', await calls.end(run('runs'), endWith(1)), { is: 'written' });
      const ended = await get('runs');
      // A store that answers late may rightly have forgotten it.
      if (now() - endsAt < brief.keepMs) yield* differs('a call is not kept after its end', ended, { stage: 'ended' });
      await wait(60);
      const swept = await store.sweep();
      yield* differs('a call is kept for ever', await get('runs'), undefined);
      if (!Number.isSafeInteger(swept)) yield { message: 'a sweep gives no number', evidence: swept };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-any-text',
    requirement:
      'Any text can be an id, a key, a handle, a tool, a process, a tenant or the name of a step, and no two are taken for each other.',
    async *run({ calls, draft, tenant, tool, process, wait }) {
      // No database has to index a megabyte.
      const texts = hostileTexts.filter(([, text]) => text !== '').map(([title, text]) => [title, text.slice(-100_000)] as const);
      for (const [index, [title, text]] of texts.entries()) {
        const place = { tenant: `${tenant} ${text}`, id: text };
        const owner = process(text);
        await calls.heartbeat({ process: owner, leaseMs: minute, ranMs: hour });
        const begun = await calls.begin({
          ...draft(text, {
            tool: `${tool} ${text}`,
            process: owner,
            key: { text, countsMs: hour },
            origin: text,
            by: { begunAt: index, runId: text, sessionId: text, callerKey: text },
            wait: waitFor(undefined, { questions: [question(`q${text}`, { id: text })], handle: `h${text}`, wakeMs: 1 }),
          }),
          tenant: place.tenant,
        });
        if (begun.is !== 'begun') yield { message: `a call cannot be named by ${title}`, evidence: begun.is };
        const whole = {
          ...place,
          tool: `${tool} ${text}`,
          process: owner,
          key: text,
          origin: text,
          handle: `h${text}`,
          isDead: false,
          questions: [{ id: text, handle: `q${text}` }],
        };
        const found = [
          await calls.get(place.tenant, text),
          await calls.get(place.tenant, `h${text}`),
          await calls.get(place.tenant, `q${text}`),
          await calls.findByKey(place.tenant, text),
        ];
        const [problem] = differs(`${title} is not given back as it was`, found, [whole, whole, whole, whole]);
        if (problem) yield text.length > 1000 ? { message: problem.message } : problem;
        const listed = await calls.list({
          tenant: place.tenant,
          tool: [`${tool} ${text}`],
          runId: text,
          sessionId: text,
          callerKey: text,
          limit: 9,
        });
        if (listed.rows.length !== 1) yield { message: `a call is not listed by ${title}` };
        const asked = await calls.questions({ tenant: place.tenant, kind: 'approval', limit: 9 });
        if (asked[0]?.handle !== `q${text}` || asked.length !== 1) yield { message: `a question is not listed by ${title}` };
        const step = { id: text, name: text, attempt: 1 };
        await calls.stepEnd({ ...place, epoch: 1 }, { ...step, record: index });
        if (!isSame(await calls.steps(place), [{ ...step, epoch: 1, isOpen: false, record: index }]))
          yield { message: `a step cannot be named by ${title}` };
        await calls.answer({ tenant: place.tenant, handle: `q${text}` }, { state: 'answered', answer: text, wakes: true });
        await wait(5);
        const due = await calls.takeDue({ process: owner, tools: [`${tool} ${text}`], limit: 9 });
        if (due[0]?.id !== text || due.length !== 1 || due[0].questions[0]?.answer !== text)
          yield { message: `a call cannot be taken by ${title}` };
      }
      // All in one place: no two texts may be the same id, key or step.
      for (const [title, text] of texts)
        if ((await calls.begin(draft(text, { key: { text, countsMs: hour } }))).is !== 'begun')
          yield { message: `${title} is taken for something else` };
      for (const [index, [, text]] of texts.entries())
        await calls.stepEnd({ tenant, id: 'a', epoch: 1 }, { id: text, name: 'n', attempt: index });
      const rows = await listAll(calls, { tenant, limit: 7 });
      if (rows.length !== texts.length) yield { message: `${texts.length} calls began, and ${rows.length} are listed` };
      for (const [title, text] of texts)
        if ((await calls.findByKey(tenant, text))?.id !== text) yield { message: `a key of ${title} is taken for something else` };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-any-value',
    requirement: 'Any JSON value is given back as it was, also a large one.',
    async *run({ calls, begin, run, at, alive, process, get }) {
      await alive('q');
      for (const [index, [title, make]] of hostileValues.entries()) {
        const value = make();
        const id = `c${index}`;
        await begin(id, {
          args: value,
          start: { value },
          listed: listedAs({ id, status: 'running', preview: JSON.stringify(value).slice(0, 50) }),
        });
        await calls.stepEnd(run(id), { id: '1', name: 'step', attempt: 1, record: value });
        const taken = await calls.take(at(id), { epoch: 1, process: process('q'), from: 'dead' });
        const [args, start, record] = taken.is === 'taken' ? [taken.call.args, taken.call.start, taken.call.steps[0]?.record] : [];
        await calls.end(run(id, 2), endWith(value, { trace: value, listed: listedAs({ id }) }));
        const ended = await get(id);
        // As text, because a key such as __proto__ hides from most comparisons.
        const got = [args, start?.value, record, ended?.trace, (ended?.outcome as { readonly data?: unknown } | undefined)?.data];
        if (got.some((each) => JSON.stringify(each) !== JSON.stringify(value))) yield { message: `${title} is not given back as it was` };
      }
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-gives-copies',
    requirement: 'Changing what was given to a ledger or got from it changes nothing in it.',
    async *run({ calls, draft, run, at, get, tenant, process, alive }) {
      await alive('p');
      const list = [1];
      const ask = { message: 'May I?', list };
      const wait = waitFor(undefined, { questions: [question('q', { ask })], listed: listedAs({ status: 'pending', message: 'first' }) });
      const call = { ...draft('a', { args: { list }, start: { list }, wait }) };
      const begins = calls.begin(call);
      list.push(2);
      Object.assign(call, { id: 'b', tool: 'changed' });
      Object.assign(wait.listed, { message: 'changed' });
      await begins;
      const pristine = {
        id: 'a',
        start: { list: [1] },
        listed: { message: 'first' },
        questions: [{ ask: { message: 'May I?', list: [1] }, listed: { message: 'first' } }],
      };
      const read = await get('a');
      yield* differs('it stores what was changed after it was given', read, pristine);
      (read?.start as { list?: number[] } | undefined)?.list?.push(3);
      (read?.questions[0]?.ask as { list?: number[] } | undefined)?.list?.push(3);
      const taken = await calls.take(at('a'), { epoch: 1, process: process('p'), from: 'waiting' });
      yield* differs('changing what it gave changes what is stored', taken, { is: 'taken', call: { ...pristine, args: { list: [1] } } });
      const record = { list: [1] };
      const ends = calls.stepEnd(run('a', 2), { id: '1', name: 'pay', attempt: 1, record });
      record.list.push(2);
      await ends;
      const [step] = await calls.steps(at('a'));
      yield* differs('a step stores what was changed after it was given', step?.record, { list: [1] });
      (step?.record as { list?: number[] } | undefined)?.list?.push(3);
      yield* differs('changing a step that it gave changes the stored one', (await calls.steps(at('a')))[0]?.record, { list: [1] });
      yield* differs('the end of a call is not stored', await calls.end(run('a', 2), endWith('done')), { is: 'written' });
      const first = await calls.get(tenant, 'a');
      Object.assign(first?.outcome ?? {}, { data: 'changed' });
      yield* differs('changing an outcome that it gave changes the stored one', await get('a'), { outcome: outcomeOf('done') });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-closes',
    requirement: 'A write under way is stored when the store is closed, and what comes after is refused.',
    async *run({ store, calls, draft, run, at, tenant, process, tool }) {
      const begins = settle(() => calls.begin(draft('a')));
      await store.close();
      const { value: begun } = await begins;
      if (begun?.is !== 'begun') yield { message: 'a write under way is lost when the store is closed', evidence: begun };
      const after: Readonly<Record<string, () => Promise<unknown>>> = {
        begin: () => calls.begin(draft('b')),
        take: () => calls.take(at('a'), { epoch: 1, process: process('p'), from: 'dead' }),
        takeDue: () => calls.takeDue({ process: process('p'), tools: [tool], limit: 1 }),
        stepBegin: () => calls.stepBegin(run('a'), { id: '1', name: 'pay', attempt: 1 }),
        stepEnd: () => calls.stepEnd(run('a'), { id: '1', name: 'pay', attempt: 1 }),
        wait: () => calls.wait(run('a'), waitFor('q')),
        answer: () => calls.answer({ tenant, handle: 'q' }, { state: 'denied', answer: 1, wakes: false }),
        end: () => calls.end(run('a'), endWith(1)),
        cancel: () => calls.cancel(at('a'), {}),
        note: () => calls.note(run('a'), { progress: {} }),
        heartbeat: () => calls.heartbeat({ process: process('p'), leaseMs: 1, ranMs: 1 }),
        get: () => calls.get(tenant, 'a'),
        findByKey: () => calls.findByKey(tenant, 'a'),
        isAlive: () => calls.isAlive(process('p')),
        look: () => calls.look([at('a')]),
        steps: () => calls.steps(at('a')),
        args: () => calls.args(at('a')),
        list: () => calls.list({ tenant, limit: 1 }),
        questions: () => calls.questions({ tenant, kind: 'input', limit: 1 }),
      };
      for (const [name, call] of Object.entries(after))
        if (!(await settle(call)).failed) yield { message: `${name} is answered although the store is closed` };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-reopens',
    requirement: 'A store that calls itself durable has its calls, steps, questions and signs of life back when it is opened again.',
    async *run(trial) {
      const { store, calls, begin, run, at, tenant, reopen, alive, beginWaiting, process } = trial;
      if (!store.durable) return;
      await alive('p');
      await begin('runs', { key: { text: 'k', countsMs: hour }, args: [1] });
      await calls.stepEnd(run('runs'), { id: '1', name: 'pay', attempt: 1, record: 'paid' });
      await beginWaiting('waits', { handle: 'h', wakeMs: hour });
      await begin('ended');
      await calls.end(run('ended'), endWith('done'));
      const read = async ({ calls: ledger }: Pick<LedgerTrial, 'calls'>) => ({
        calls: await Promise.all(
          ['runs', 'h', 'q waits', 'ended'].map(async (handle) => ({ ...(await ledger.get(tenant, handle)), readAt: 0 })),
        ),
        steps: await ledger.steps(at('runs')),
        questions: await ledger.questions({ tenant, kind: 'approval', limit: 9 }),
        key: (await ledger.findByKey(tenant, 'k'))?.id,
      });
      const before = await read(trial);
      await store.close();
      const reopened = await reopen();
      if (reopened.calls === undefined) {
        yield { message: 'it has no ledger when it is opened again' };
        return;
      }
      const again = toLedgerTrial(trial as never, reopened.calls);
      const after = await read(again);
      if (!isSame(after, before)) yield { message: 'calls are lost or changed', evidence: { before, after } };
      yield* differs('a process is dead', await again.look('runs'), { isDead: false });
      yield* differs('a run cannot go on', await again.calls.end(run('runs'), endWith('done')), { is: 'written' });
      await again.begin('new');
      yield* differs('a call that begins later is not listed first', (await again.calls.list({ tenant, limit: 1 })).rows, [{ id: 'new' }]);
      const taken = await again.calls.take(at('waits'), { epoch: 1, process: process('p'), from: 'waiting' });
      yield* differs('a call that waited cannot be taken', taken, { is: 'taken', call: { epoch: 2 } });
    },
  }),
];

async function listAll(calls: LedgerTrial['calls'], query: CallQuery): Promise<Awaited<ReturnType<typeof calls.list>>['rows']> {
  const rows: Awaited<ReturnType<typeof calls.list>>['rows'][number][] = [];
  let { cursor } = query;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await calls.list({ ...query, cursor });
    rows.push(...page.rows);
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return rows;
}
