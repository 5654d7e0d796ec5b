import type { CallPlace, Ledger, NewCall, Store, StoredCall } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test } from 'vitest';
import { ledgerChecks } from './ledger-checks.ts';

let time = 1_000_000;
const now = () => time;
const wait = async (ms: number) => {
  time += ms;
};

type Break = (calls: Ledger) => Partial<Ledger>;

/** A way to open stores whose ledgers are broken in the same way; durable ones have their calls back. */
function opener(spoil: Break, isDurable = false): () => Promise<Store> {
  let kept = memoryStore({ now });
  return async () => {
    if (!isDurable) kept = memoryStore({ now });
    const calls = kept.calls as Ledger;
    const store = isDurable ? { ...kept, durable: true, close: async () => undefined } : kept;
    return { ...store, calls: { ...calls, ...spoil(calls) } };
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Changes each call that is read. */
const reading =
  (change: (call: StoredCall) => object): Break =>
  (calls) => ({
    get: async (...at) => {
      const call = await calls.get(...at);
      return call && ({ ...call, ...change(call) } as StoredCall);
    },
  });

/** Changes each call that begins. */
const beginning =
  (change: (call: NewCall) => NewCall): Break =>
  (calls) => ({ begin: (call) => calls.begin(change(call)) });

/** Gives a run the epoch that its call has now. */
const unfenced = async <TPlace extends CallPlace>(calls: Ledger, at: TPlace): Promise<TPlace> => {
  const [state] = await calls.look([at]);
  return { ...at, epoch: state?.epoch ?? 1 };
};

/** Takes a call as it was when this process looked. */
const takingLate: Break = (calls) => ({
  async take(at, taker) {
    const seen = await calls.get(at.tenant, at.id);
    await turn();
    const taken = await calls.take(at, taker);
    const mayTake =
      seen?.epoch === taker.epoch && (taker.from === 'dead' ? seen.isDead && seen.stage === 'running' : seen.stage === 'waiting');
    if (taken.is === 'taken' || !seen || !mayTake) return taken;
    const call = { ...seen, epoch: seen.epoch + 1, stage: 'running', process: taker.process, isDead: false, wakeAt: undefined } as const;
    return { is: 'taken', call: { ...call, changes: seen.changes + 1, wasDead: taker.from === 'dead', steps: [] } };
  },
});

/** Does something before an operation. */
const first = async <TValue>(before: unknown, then: () => TValue | Promise<TValue>): Promise<TValue> => {
  await before;
  return then();
};

type Broken = readonly [title: string, spoil: Break, message: RegExp, isDurable?: boolean];

/** For each check, ledgers that break what it requires and, as far as possible, nothing else. */
const broken: Readonly<Record<string, readonly Broken[]>> = {
  'store/ledger-begins': [
    ['begins twice', (calls) => ({ begin: (call) => first(calls.begin(call), () => ({ is: 'begun', epoch: 1 })) }), /an id that is in use/],
    ['forgets whose process it is', beginning((call) => ({ ...call, process: undefined })), /is not read as it began/],
    ['gives arguments to everybody', reading(() => ({ args: 'secret' })), /is not read as it began/],
  ],
  'store/ledger-keys': [
    ['ignores keys', beginning(({ key: _, ...call }) => call), /a key does not count while its call runs/],
    [
      'keeps keys for ever',
      beginning(({ key, ...call }) => ({ ...call, ...(key && { key: { ...key, countsMs: 1e9 } }) })),
      /a key is told that does not count/,
    ],
    ['never frees a key', (calls) => ({ end: (run, { keyCountsMs: _, ...end }) => calls.end(run, end) }), /a key that was freed counts/],
    ['takes tenants for each other', beginning((call) => ({ ...call, tenant: 'all' })), /a key|is not found|not found by/],
  ],
  'store/ledger-keys-have-one-winner': [
    [
      'looks for the key before it writes',
      (calls) => ({
        async begin({ key, ...call }) {
          const holder = key && (await calls.findByKey(call.tenant, key.text));
          await turn();
          return holder ? { is: 'found', call: holder } : calls.begin(call);
        },
      }),
      /not exactly one of 20 calls begins/,
    ],
  ],
  'store/ledger-replaces': [
    [
      'replaces what it has not seen',
      (calls) => ({
        begin: async ({ instead, ...call }) => calls.begin({ ...call, ...(instead && { instead: await unfenced(calls, instead) }) }),
      }),
      /is not as it was seen/,
    ],
    ['leaves steps behind', (calls) => ({ steps: async (at) => (at.id.startsWith('b') ? [] : calls.steps(at)) }), /steps do not go over/],
    [
      'replaces twice',
      (calls) => ({
        begin: async (call) => {
          const begun = await calls.begin(call);
          return begun.is === 'found' && begun.call.replacedBy !== undefined
            ? calls.begin({ ...call, instead: undefined, key: undefined })
            : begun;
        },
      }),
      /a call is replaced twice|not exactly one of 10/,
    ],
  ],
  'store/ledger-begins-waiting': [
    [
      'lets all wait',
      (calls) => ({
        begin: ({ wait: waits, ...call }) => calls.begin({ ...call, ...(waits && { wait: { ...waits, mostWaiting: undefined } }) }),
      }),
      /more calls wait than may/,
    ],
    [
      'counts calls that run',
      (calls) => ({ wait: async () => ({ is: 'full' }), begin: calls.begin }),
      /a call that has ended still counts/,
    ],
    [
      'begins before it waits',
      (calls) => ({
        begin: async ({ wait: waits, ...call }) => {
          const begun = await calls.begin(call);
          if (waits && begun.is === 'begun') await calls.wait({ ...call, epoch: 1 }, waits);
          return begun;
        },
      }),
      /more calls wait|is refused is there|not read so/,
    ],
  ],
  'store/ledger-takes': [
    [
      'takes calls of the living',
      (calls) => ({
        take: async (at, taker) => {
          await calls.heartbeat({ process: (await calls.get(at.tenant, at.id))?.process ?? '', leaseMs: 0, ranMs: 1e9 });
          return calls.take(at, taker);
        },
      }),
      /a call that runs is taken/,
    ],
    [
      'takes whatever epoch it has',
      (calls) => ({
        take: async (at, taker) =>
          calls.take(at, { ...taker, ...(await unfenced(calls, { ...at, epoch: 0 })), process: taker.process, from: taker.from } as never),
      }),
      /by another epoch than it has/,
    ],
    [
      'gives no steps',
      (calls) => ({
        take: async (...words) => {
          const taken = await calls.take(...words);
          return taken.is === 'taken' ? { ...taken, call: { ...taken.call, steps: [] } } : taken;
        },
      }),
      /is not taken/,
    ],
    ['looks before it takes', takingLate, /not exactly one of 20 takes/],
  ],
  'store/ledger-takes-what-is-due': [
    ['waits for nobody', (calls) => ({ takeDue: ({ graceMs: _, ...asked }) => calls.takeDue(asked) }), /not the dead calls alone/],
    [
      'takes more than was asked for',
      (calls) => ({ takeDue: (asked) => calls.takeDue({ ...asked, limit: 100 }) }),
      /before it has been due/,
    ],
    ['takes calls that were not promised', beginning((call) => ({ ...call, isPromised: true })), /not the dead calls alone/],
  ],
  'store/ledger-due-once': [
    [
      'gives calls to several',
      (calls) => {
        const given: Awaited<ReturnType<Ledger['takeDue']>>[number][] = [];
        return {
          takeDue: async (asked) => {
            given.push(...(await calls.takeDue(asked)));
            return given.slice(0, asked.limit);
          },
        };
      },
      /12 calls are due|does not run where it was taken/,
    ],
    ['leaves the last ones', (calls) => ({ takeDue: (asked) => calls.takeDue({ ...asked, limit: 0 }) }), /12 calls are due, and 0/],
  ],
  'store/ledger-heartbeats': [
    [
      'lets nobody die',
      (calls) => ({ heartbeat: (beat) => calls.heartbeat({ ...beat, leaseMs: 1e9 }) }),
      /a process lives beyond its lease/,
    ],
    ['tells nothing', (calls) => ({ heartbeat: (beat) => first(calls.heartbeat(beat), () => []) }), /is not told which calls it runs/],
    ['tells of all', (calls) => ({ heartbeat: (beat) => calls.heartbeat({ ...beat, ranMs: 0 }) }), /have just begun have run for long/],
    ['takes all for alive', () => ({ isAlive: async () => true }), /gave no sign of life lives/],
  ],
  'store/ledger-fences': [
    [
      'lets any run write steps',
      (calls) => ({ stepEnd: async (run, step) => calls.stepEnd(await unfenced(calls, run), step) }),
      /stepEnd of a run whose call was taken/,
    ],
    [
      'lets any run begin steps',
      (calls) => ({ stepBegin: async (run, step) => calls.stepBegin(await unfenced(calls, run), step) }),
      /stepBegin of a run/,
    ],
    ['lets any run wait', (calls) => ({ wait: async (run, waits) => calls.wait(await unfenced(calls, run), waits) }), /wait of a run/],
    ['lets any run end its call', (calls) => ({ end: async (run, end) => calls.end(await unfenced(calls, run), end) }), /end of a run/],
    ['lets any run note', (calls) => ({ note: async (run, note) => calls.note(await unfenced(calls, run), note) }), /note of a run/],
    [
      'does not say what it found',
      (calls) => ({
        end: async (...words) => {
          const written = await calls.end(...words);
          return written.is === 'lost' ? { is: 'lost', call: undefined } : written;
        },
      }),
      /is not told that it is lost/,
    ],
  ],
  'store/ledger-steps': [
    [
      'keeps the first of each',
      (calls) => ({
        stepEnd: async (run, step) => {
          const known = await calls.steps(run);
          return known.some(({ id }) => id === step.id) ? calls.note(run, {}) : calls.stepEnd(run, step);
        },
      }),
      /steps are not read as they were written/,
    ],
    [
      'orders steps by name',
      (calls) => ({ steps: async (at) => [...(await calls.steps(at))].sort((one, other) => (one.id < other.id ? -1 : 1)) }),
      /steps are not read/,
    ],
    [
      'keeps steps of what has ended',
      (calls) => ({ end: (run, end) => calls.end(run, { ...end, keepsSteps: true }) }),
      /steps are there after the end/,
    ],
    ['forgets steps', (calls) => ({ end: (run, end) => calls.end(run, { ...end, keepsSteps: false }) }), /steps that an end keeps/],
    [
      'counts steps as changes',
      (calls) => ({ stepEnd: (run, step) => first(calls.note(run, {}), () => calls.stepEnd(run, step)) }),
      /counts as a change/,
    ],
  ],
  'store/ledger-ends-once': [
    [
      'says that all is written',
      (calls) => ({ end: (...words) => first(calls.end(...words), () => ({ is: 'written' })) }),
      /a call ends twice/,
    ],
    [
      'keeps questions open',
      reading(({ questions }) => ({
        questions: questions.map((each) => ({ ...each, state: each.state === 'withdrawn' ? 'open' : each.state })),
      })),
      /are not withdrawn/,
    ],
    [
      'ends no call that waits',
      (calls) => ({
        end: async (run, end) =>
          (await calls.look([run]))[0]?.stage === 'waiting' ? { is: 'lost', call: undefined } : calls.end(run, end),
      }),
      /does not end that waits/,
    ],
  ],
  'store/ledger-guesses': [
    [
      'takes guesses for facts',
      (calls) => ({ end: (run, { guessAbout: _, ...end }) => calls.end(run, end) }),
      /a guess is not read as one/,
    ],
    [
      'replaces guesses by guesses',
      (calls) => ({
        end: async (run, end) => {
          const written = await calls.end(run, end);
          return written.is === 'lost' && written.call?.guessAbout === run.epoch ? { is: 'written' } : written;
        },
      }),
      /a guess replaces a guess/,
    ],
    [
      'lets all replace a guess',
      (calls) => ({
        end: async (run, end) => {
          const { guessAbout } = (await calls.get(run.tenant, run.id)) ?? {};
          return calls.end({ ...run, epoch: guessAbout ?? run.epoch }, end);
        },
      }),
      /replaces the guess/,
    ],
  ],
  'store/ledger-notes': [
    ['forgets progress', reading(() => ({ progress: undefined })), /progress is not read/],
    [
      'gives no key',
      (calls) => ({ note: (run, { joinKey: _, ...note }) => calls.note(run, note) }),
      /a note loses the progress|does not join/,
    ],
    ['counts no note', reading(({ changes }) => ({ changes: Math.min(changes, 1) })), /progress is not read/],
  ],
  'store/ledger-waits': [
    ['asks nothing', (calls) => ({ wait: (run, waits) => calls.wait(run, { ...waits, questions: [] }) }), /is not read as it waits/],
    ['is not joined', (calls) => ({ wait: (run, { joinKey: _, ...waits }) => calls.wait(run, waits) }), /does not join one that waits/],
    ['forgets its handle', (calls) => ({ wait: (run, waits) => calls.wait(run, { handle: run.id, ...waits }) }), /loses its handle/],
  ],
  'store/ledger-wakes': [
    [
      'wakes at every answer',
      (calls) => ({ answer: (at, given) => calls.answer(at, { ...given, wakes: true }) }),
      /wakes a call that waits for its caller/,
    ],
    [
      'wakes at no answer',
      (calls) => ({ answer: (at, given) => calls.answer(at, { ...given, wakes: false }) }),
      /not told that an answer has woken/,
    ],
    [
      'never wakes by itself',
      (calls) => ({
        begin: ({ wait: waits, ...call }) => calls.begin({ ...call, ...(waits && { wait: { ...waits, wakeMs: undefined } }) }),
      }),
      /not those are due whose time/,
    ],
  ],
  'store/ledger-answers': [
    [
      'answers again',
      (calls) => ({
        answer: async (at, given) => {
          const answered = await calls.answer(at, given);
          return answered.is === 'decided'
            ? { is: 'answered', question: answered.question, call: (await calls.look([{ ...at, id: answered.question.call }]))[0] as never }
            : answered;
        },
      }),
      /a question is answered twice/,
    ],
    [
      'keeps no time',
      (calls) => ({
        begin: ({ wait: waits, ...call }) =>
          calls.begin({
            ...call,
            ...(waits && { wait: { ...waits, questions: waits.questions.map(({ expiresMs: _, ...each }) => each) } }),
          }),
      }),
      /is answered after its time/,
    ],
    [
      'answers without the end',
      (calls) => ({
        answer: async (at, { end, ...given }) => {
          const answered = await calls.answer(at, given);
          if (end && answered.is === 'answered') await calls.end({ ...answered.call, epoch: end.epoch }, end);
          return answered;
        },
      }),
      /that is not as it was seen is ended/,
    ],
    [
      'names questions by their handles alone',
      (calls) => ({
        answer: async (at, given) => {
          const call = await calls.get(at.tenant, at.handle);
          return call?.questions.some(({ handle }) => handle === at.handle) ? calls.answer(at, given) : { is: 'unknown' };
        },
      }),
      /a question is answered twice|does not name/,
    ],
  ],
  'store/ledger-cancels': [
    ['forgets who asked', (calls) => ({ cancel: (at, { by: _, ...cancel }) => calls.cancel(at, cancel) }), /is not asked to stop/],
    ['ends nothing', (calls) => ({ cancel: (at, { end: _, ...cancel }) => calls.cancel(at, cancel) }), /a call that waits does not end/],
    [
      'ends what it has not seen',
      (calls) => ({
        cancel: async (at, { end, ...cancel }) =>
          calls.cancel(at, { ...cancel, ...(end && { end: { ...end, ...(await unfenced(calls, { ...at, epoch: 0 })) } }) } as never),
      }),
      /otherwise than it was seen/,
    ],
    [
      'lets it wait all the same',
      (calls) => ({
        wait: async (run, waits) => {
          const written = await calls.wait(run, waits);
          return written.is === 'cancelled' ? { is: 'written' } : written;
        },
      }),
      /that is to stop begins to wait/,
    ],
  ],
  'store/ledger-lists': [
    [
      'lists the oldest first',
      (calls) => ({
        list: async (query) => {
          const { rows, ...page } = await calls.list(query);
          return { ...page, rows: [...rows].reverse() };
        },
      }),
      /all is not listed by 100/,
    ],
    ...(['tool', 'status', 'kind', 'runId', 'sessionId', 'callerKey', 'replayOf', 'since', 'until'] as const).map(
      (name): Broken => [
        `ignores ${name}`,
        (calls) => ({ list: (query) => calls.list({ ...query, [name]: undefined }) }),
        /is not listed by 100/,
      ],
    ),
    [
      'looks at one filter',
      (calls) => ({
        list: ({ runId, sessionId, ...query }) => calls.list({ ...query, sessionId, ...(sessionId === undefined && { runId }) }),
      }),
      /a run and a session is not listed/,
    ],
    ['ends after a page', (calls) => ({ list: async (query) => ({ rows: (await calls.list(query)).rows }) }), /all is not listed by 3/],
    [
      'takes any cursor',
      (calls) => ({ list: (query) => calls.list({ ...query, ...(query.cursor === "'" && { cursor: undefined }) }) }),
      /a cursor that is none/,
    ],
  ],
  'store/ledger-lists-questions': [
    [
      'lists all kinds',
      (calls) => ({
        questions: async (query) => [
          ...(await calls.questions({ ...query, kind: 'input' })),
          ...(await calls.questions({ ...query, kind: 'approval' })),
        ],
      }),
      /not listed oldest first/,
    ],
    ['begins anew', (calls) => ({ questions: ({ after: _, ...query }) => calls.questions(query) }), /a page moves/],
    ['lists as many as there are', (calls) => ({ questions: (query) => calls.questions({ ...query, limit: 100 }) }), /a page moves/],
  ],
  'store/ledger-looks': [
    [
      'gives what is not there',
      (calls) => ({
        look: async (places) => {
          const found = await calls.look(places);
          return found.length < places.length ? [...found, { ...places[1], epoch: 0, stage: 'ended' } as never] : found;
        },
      }),
      /it is not told where calls stand/,
    ],
    [
      'counts no changes',
      (calls) => ({
        look: async (places) => (await calls.look(places)).map((state) => ({ ...state, changes: state.stage === 'ended' ? 2 : 1 })),
      }),
      /is not counted as a change/,
    ],
  ],
  'store/ledger-watches': [
    ['tells nothing', () => ({ watch: () => () => undefined }), /a beginning is not heard/],
    [
      'does not stop',
      (calls) => ({
        watch: (listener) => {
          calls.watch(listener);
          return () => undefined;
        },
      }),
      /after that was stopped/,
    ],
  ],
  'store/ledger-forgets': [
    ['keeps all', beginning((call) => ({ ...call, keepMs: 1e9 })), /a call is not forgotten/],
    ['forgets what was promised', beginning((call) => ({ ...call, isPromised: false })), /a forgotten call is listed|forgotten too early/],
  ],
  'store/ledger-any-text': [
    [
      'cuts texts',
      (calls) => ({
        begin: (call) => calls.begin({ ...call, ...(call.key && { key: { ...call.key, text: call.key.text.slice(0, 50_000) } }) }),
      }),
      /is not given back/,
    ],
    [
      'ends texts at NUL',
      (calls) => ({ stepEnd: (run, step) => calls.stepEnd(run, { ...step, id: step.id.split('\u0000')[0] ?? '' }) }),
      /a step cannot be named/,
    ],
    [
      'takes letters for their like',
      (calls) => ({
        begin: (call) => calls.begin({ ...call, ...(call.key && { key: { ...call.key, text: call.key.text.normalize() } }) }),
        findByKey: (tenant, key) => calls.findByKey(tenant, key.normalize()),
      }),
      /is not given back/,
    ],
  ],
  'store/ledger-any-value': [
    [
      'rounds',
      (calls) => ({
        stepEnd: (run, step) =>
          calls.stepEnd(run, { ...step, ...(typeof step.record === 'number' && { record: Math.fround(step.record) }) }),
      }),
      /is not given back as it was/,
    ],
    [
      'sorts keys',
      (calls) => ({ end: (run, end) => calls.end(run, { ...end, trace: sortKeys(end.trace ?? null) }) }),
      /keys in an order of their own/,
    ],
  ],
  'store/ledger-gives-copies': [
    [
      'keeps what it was given',
      (calls) => {
        const given = new Map<string, NewCall>();
        return {
          begin: (call) => {
            given.set(call.id, call);
            return calls.begin(call);
          },
          get: async (...at) => {
            const call = await calls.get(...at);
            const start = given.get(at[1])?.start;
            return call && { ...call, ...(start && { start }) };
          },
        };
      },
      /it stores what was changed/,
    ],
    [
      'gives what it keeps',
      (calls) => {
        const cache = new Map<string, Awaited<ReturnType<Ledger['steps']>>>();
        return {
          steps: async (at) => {
            const steps = cache.get(at.id) ?? (await calls.steps(at));
            cache.set(at.id, steps);
            return steps;
          },
        };
      },
      /changing a step/,
    ],
  ],
  'store/ledger-closes': [
    ['answers all the same', () => ({ isAlive: async () => true }), /isAlive is answered/],
    [
      'loses a write',
      (calls) => ({
        begin: async (call) => {
          await turn();
          return calls.begin(call);
        },
      }),
      /a write under way is lost/,
    ],
  ],
  'store/ledger-reopens': [
    [
      'forgets steps',
      (calls) => {
        let writes = 0;
        return {
          stepEnd: (...words) => {
            writes += 1;
            return calls.stepEnd(...words);
          },
          steps: async (at) => (writes > 0 ? calls.steps(at) : []),
        };
      },
      /calls are lost or changed/,
      true,
    ],
  ],
  'store/ledger-is-atomic': [
    ['looks before it takes', takingLate, /no order of the operations/],
    [
      'looks before it ends',
      (calls) => ({
        end: async (run, end) => {
          const [state] = await calls.look([run]);
          await turn();
          return state?.epoch === run.epoch ? calls.end(await unfenced(calls, run), end) : calls.end(run, end);
        },
      }),
      /no order of the operations/,
    ],
    [
      'looks before it begins',
      (calls) => ({
        begin: async ({ key, ...call }) => {
          const holder = key && (await calls.findByKey(call.tenant, key.text));
          await turn();
          return holder ? { is: 'found', call: holder } : calls.begin(call);
        },
      }),
      /no order of the operations/,
    ],
    [
      'answers in two writes',
      (calls) => ({
        answer: async (at, { end, ...given }) => {
          const answered = await calls.answer(at, given);
          await turn();
          if (end && answered.is === 'answered') await calls.end({ ...answered.call, epoch: end.epoch }, end);
          return answered;
        },
      }),
      /no order of the operations/,
    ],
    [
      'waits in two writes',
      (calls) => ({
        wait: async (run, { questions, ...waits }) => {
          const written = await calls.wait(run, { ...waits, questions: [] });
          await turn();
          if (written.is === 'written') await calls.wait(run, { ...waits, questions });
          return written;
        },
      }),
      /no order of the operations/,
    ],
    [
      'reads what was',
      (calls) => {
        const read = new Map<string, StoredCall>();
        return {
          get: async (tenant, handle) => {
            const before = read.get(handle + tenant);
            const call = await calls.get(tenant, handle);
            if (call) read.set(handle + tenant, call);
            return before ?? call;
          },
        };
      },
      /no order of the operations/,
    ],
    [
      'loses a write now and then',
      (calls) => {
        let writes = 0;
        return {
          stepEnd: (run, step) => {
            writes += 1;
            return writes % 5 === 0 ? calls.note(run, {}) : calls.stepEnd(run, step);
          },
        };
      },
      /no order of the operations/,
    ],
  ],
};

Object.assign(broken, {
  'store/ledger-gives-grants': [
    ['forgets what it was given with an answer', (calls) => ({ answer: (at, { grant: _, ...given }) => calls.answer(at, given) }), /given/],
    ['lists grants of all scopes', (calls) => ({ grants: ({ scopes: _, ...query }) => calls.grants(query) }), /wrongly by scope/],
  ],
  'store/ledger-uses-grants': [
    [
      'begins calls without their grant',
      (calls) => ({ begin: ({ grants: _, ...call }) => calls.begin(call) }),
      /does not begin under its grant/,
    ],
    [
      'takes calls without their grant',
      (calls) => ({ take: (at, { grants: _, ...taker }) => calls.take(at, taker) }),
      /taken under a grant that does not count/,
    ],
    [
      'uses the last grant first',
      (calls) => ({ begin: ({ grants, ...call }) => calls.begin({ ...call, ...(grants && { grants: grants.toReversed() }) }) }),
      /does not begin under its grant/,
    ],
  ],
  'store/ledger-ends-grants': [
    [
      'revokes nothing',
      (calls) => ({
        revoke: async ({ tenant, id }) => {
          const grant = (await calls.grants({ tenant, limit: 9 })).find((each) => each.id === id);
          return grant ? { is: 'revoked', grant: { ...grant, isActive: false, revokedBy: 'bob' } } : { is: 'unknown' };
        },
      }),
      /revoked twice|was revoked/,
    ],
    [
      'keeps grants for ever',
      (calls) => ({
        answer: (at, given) => calls.answer(at, given.grant ? { ...given, grant: { ...given.grant, keepMs: 3_600_000 } } : given),
      }),
      /kept for longer/,
    ],
  ],
  'store/ledger-notifies': [
    [
      'notes nothing',
      (calls) => ({ begin: ({ wait, ...call }) => calls.begin({ ...call, ...(wait && { wait: { ...wait, notify: [] } }) }) }),
      /what was asked is not told/,
    ],
    [
      'tells nobody of questions in the middle',
      (calls) => ({ wait: (run, wait) => calls.wait(run, { ...wait, notify: [] }) }),
      /in the middle/,
    ],
    [
      'tells that a question is open as how it was closed',
      (calls) => ({
        async takeNotices(asked) {
          const taken = await calls.takeNotices(asked);
          return { ...taken, areLeft: false };
        },
      }),
      /told as closed/,
    ],
  ],
  'store/ledger-gives-notices-to-one': [
    [
      'gives a notice to all who ask',
      (calls) => ({ takeNotices: (asked) => calls.takeNotices({ ...asked, leaseMs: 0 }) }),
      /given to one of ten|given again/,
    ],
    [
      'lets anybody settle',
      (calls) => ({
        async settleNotice(notice, settled) {
          for (let attempt = 1; attempt < 5; attempt += 1) if (await calls.settleNotice({ ...notice, attempt }, settled)) return true;
          return false;
        },
      }),
      /whose time is over settles/,
    ],
    ['forgets what failed', (calls) => ({ settleNotice: (notice) => calls.settleNotice(notice, {}) }), /is not given again/],
  ],
  'store/ledger-forgets-notices': [
    [
      'never tells of the end of a time',
      (calls) => ({
        begin: (call) =>
          calls.begin(
            call.wait
              ? { ...call, wait: { ...call.wait, questions: call.wait.questions.map(({ expiresMs: _, ...question }) => question) } }
              : call,
          ),
      }),
      /whose time is over is not told/,
    ],
    ['keeps notices', (calls) => ({ begin: (call) => calls.begin({ ...call, keepMs: 3_600_000 }) }), /a forgotten call/],
  ],
} satisfies typeof broken);

describe('every check of ledgers can fail', () => {
  test('and each has a ledger that makes it fail', () =>
    expect(Object.keys(broken).toSorted()).toEqual(ledgerChecks.map(({ id }) => id).toSorted()));

  const rows = Object.entries(broken).flatMap(([id, subjects]) =>
    subjects.map(([title, spoil, message, isDurable]) => [id, title, spoil, message, isDurable] as const),
  );
  test.each(rows)('%s finds a ledger that %s', async (id, _, spoil, message, isDurable = false) => {
    const found = await ledgerChecks.find((check) => check.id === id)?.run({ createStore: opener(spoil, isDurable), now, wait });
    expect(found?.[0]).toMatchObject({ check: id, level: 'must' });
    expect(found?.map((finding) => finding.message).join('\n')).toMatch(new RegExp(message.source, 'm'));
  });

  test.each(ledgerChecks.filter(({ id }) => id !== 'store/ledger-closes'))(
    '$id finds nothing wrong with a sound ledger that lasts',
    async ({ run }) => {
      expect(await run({ createStore: opener(() => ({}), true), now, wait })).toEqual([]);
    },
  );
});

function sortKeys<TValue>(value: TValue): TValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as TValue;
}
