import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CallContext } from '../contract/index.ts';
import { type ErrorOutcome, fail, type Outcome, toModelText } from '../outcome/index.ts';
import type { Guard } from '../ports/index.ts';
import { defineGuard, defineTool } from '../runtime/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/index.ts';
import { type RepeatBreakerOptions, repeatBreaker } from './repeat-breaker.ts';

const silent: ToolboxOptions = { report: () => undefined };
const run: CallContext = { runId: 'r' };

/** A toolbox with one tool that does as `answer` says, a clock, and a count of its runs. */
function setUp(answer: (run: number, id: string) => unknown, options: RepeatBreakerOptions = {}, more: readonly Guard[] = []) {
  let runs = 0;
  let time = 1_000_000;
  const find = defineTool({
    name: 'find',
    description: 'x',
    effects: 'none',
    input: z.object({ id: z.string(), at: z.object({ a: z.number(), b: z.number() }).optional() }),
    run: async ({ id }) => {
      runs += 1;
      const given = await answer(runs, id);
      if (given instanceof Error) throw given;
      return given;
    },
  });
  const note = defineTool({ name: 'note', description: 'x', run: () => 'noted' });
  const toolbox = createToolbox([find, note], { ...silent, use: [repeatBreaker({ now: () => time, ...options }), ...more] });
  const call = (id = 'x', context: CallContext = { runId: 'r' }) => toolbox.answer({ name: 'find', args: { id } }, context);
  return {
    toolbox,
    call,
    runs: () => runs,
    pass: (ms: number) => {
      time += ms;
    },
    /** Makes calls one after the other and tells how each went. */
    codes: async (...ids: readonly string[]) => {
      const seen: string[] = [];
      for (const id of ids) seen.push(short(await call(id)));
      return seen;
    },
  };
}

/** How an outcome went, in a word: `not_found`, `not_found hint`, `refused 4`, `refused 5 stop`, `ok`. */
function short(outcome: Outcome): string {
  if (outcome.status !== 'error') return outcome.status;
  const { kind, code, advice = '', details } = outcome.error;
  if (code === 'repeat_refused') return `refused ${String(details?.repeats)}${details?.stop === true ? ' stop' : ''}`;
  return /failed \d+ times in a row/.test(advice) ? `${kind} hint` : kind;
}

const gone = () => fail('not_found', 'No such thing.');
const down = (retryAfterMs?: number) => fail('upstream', 'Down.', retryAfterMs === undefined ? {} : { retryAfterMs });

describe('the same failing call', () => {
  test('gets a hint, then a refusal without running, then a stop', async () => {
    const { codes, runs } = setUp(gone);
    expect(await codes('x', 'x', 'x', 'x', 'x', 'x', 'x')).toEqual([
      'not_found',
      'not_found hint',
      'not_found hint',
      'refused 4',
      'refused 5 stop',
      'refused 6 stop',
      'refused 7 stop',
    ]);
    expect(runs()).toBe(3);
  });

  test('is refused as denied, in words that say what to do', async () => {
    const { call } = setUp(gone);
    for (let made = 0; made < 3; made += 1) await call();
    const refused = (await call()) as ErrorOutcome;
    expect(refused.error).toMatchObject({
      kind: 'denied',
      code: 'repeat_refused',
      effect: 'none',
      retryable: false,
      details: { repeats: 4, lastKind: 'not_found' },
    });
    expect(refused.meta.attempts).toBe(0);
    expect(toModelText(refused)).toBe(
      '[error: denied/repeat_refused] find did not run: exactly this call has failed 3 times in a row in the same way (not_found), and nothing that this run did since could have changed its result.\nNext: Do not repeat this call unchanged: change the arguments, use another tool, or tell the user.',
    );
  });

  test('keeps its failure well-formed where it gets a hint, and the hint has the last word', async () => {
    const { call } = setUp(() => fail('not_found', 'No such thing as token=abcdefghijklmnop1234567890', { details: { a: 1 } }));
    const plain = (await call()) as ErrorOutcome;
    const hinted = (await call()) as ErrorOutcome;
    const { message, advice, debugId: _, ...rest } = hinted.error;
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(plain.error).filter(([name]) => !['message', 'advice', 'debugId'].includes(name))),
    );
    expect(message).toBe(plain.error.message);
    expect(Object.isFrozen(hinted) && Object.isFrozen(hinted.error) && Object.isFrozen(hinted.meta)).toBe(true);
    expect(message).not.toContain('abcdefghijklmnop');
    expect(toModelText(hinted).endsWith(`Next: ${advice}`)).toBe(true);
    expect(advice).toMatch(
      /before trying again\. This exact call has now failed 2 times in a row in the same way\. Change what the message names before you call it again\.$/,
    );
  });

  test.each([
    ['denied', 'Ask the user'],
    ['unauthenticated', 'before the credential is renewed'],
    ['upstream', 'do something else first'],
    ['internal', 'Go on without it'],
    ['bad_response', 'Use another tool'],
  ] as const)('gets a hint that fits %s', async (kind, words) => {
    const { call } = setUp(() => fail(kind, 'No.'));
    await call();
    expect(((await call()) as ErrorOutcome).error.advice).toContain(words);
  });

  test('is the same however its arguments are ordered, written or spelled', async () => {
    const { toolbox, runs } = setUp(gone);
    await toolbox.answer({ name: 'find', args: { id: 'x', at: { a: 1, b: 2 } }, callId: 'c' }, run);
    await toolbox.answer({ name: 'find', args: { at: { b: 2, a: 1 }, id: 'x' }, callId: 'c' }, run);
    await toolbox.answer({ name: 'Find', args: '{"id": "x", "at": {"b": 2, "a": 1}}', callId: 'c' }, run);
    expect(short(await toolbox.answer({ name: 'find', args: { id: 'x', at: { a: 1, b: 2 } }, callId: 'c' }, run))).toBe('refused 4');
    expect(runs()).toBe(3);
  });

  test('may run again when its window of time is over, however often it was refused', async () => {
    const { codes, pass } = setUp(gone, { windowMs: 1000 });
    await codes('x', 'x', 'x');
    pass(900);
    expect(await codes('x')).toEqual(['refused 4']);
    pass(100);
    expect(await codes('x')).toEqual(['not_found']);
  });

  test('counts when its deadline ends it, though its tool never answers', async () => {
    const { call, runs } = setUp(() => new Promise(() => undefined));
    for (let made = 0; made < 3; made += 1) expect(short(await call('x', { timeoutMs: 5, runId: 'r' }))).toBe('timeout');
    expect(short(await call('x', { timeoutMs: 5, runId: 'r' }))).toBe('refused 4');
    expect(runs()).toBe(3);
  });

  test('counts when a guard denies it', async () => {
    const policy: Guard = defineGuard({ name: 'no', phase: 'policy', around: (call) => call.refuse('denied', 'Not allowed.') });
    const { codes, runs } = setUp(gone, {}, [policy]);
    expect(await codes('x', 'x', 'x', 'x')).toEqual(['denied', 'denied hint', 'denied hint', 'refused 4']);
    expect(runs()).toBe(0);
  });

  test('does not count when its caller stops it, before it runs or meanwhile', async () => {
    let stop = new AbortController();
    const { call, runs } = setUp(() => {
      stop.abort();
      return new Promise(() => undefined);
    });
    for (let made = 0; made < 5; made += 1) {
      stop = new AbortController();
      expect(short(await call('x', { signal: stop.signal }))).toBe('cancelled');
      expect(short(await call('x', { signal: stop.signal }))).toBe('cancelled');
    }
    expect(runs()).toBe(5);
  });
});

describe('what begins anew', () => {
  test.each([
    ['a success', (run: number) => (run === 3 ? 'found' : gone()), ['not_found', 'not_found hint', 'ok', 'not_found', 'not_found hint']],
    [
      'another kind of failure',
      (run: number) => (run === 3 ? down() : gone()),
      ['not_found', 'not_found hint', 'upstream', 'not_found', 'not_found hint'],
    ],
    [
      'the same kind with another code',
      (run: number) => fail('conflict', 'No.', { code: run % 2 === 0 ? 'even' : 'odd' }),
      ['conflict', 'conflict', 'conflict', 'conflict', 'conflict'],
    ],
    [
      'another exception, though both are internal',
      (run: number) => (run % 2 === 0 ? new TypeError('boom is not a function') : new ReferenceError('bang is not defined')),
      ['internal', 'internal', 'internal', 'internal', 'internal'],
    ],
    [
      'another message',
      (run: number) => fail('conflict', `${10 - run} tests failed.`, { code: 'red' }),
      ['conflict', 'conflict', 'conflict', 'conflict', 'conflict'],
    ],
  ])('%s', async (_, answer, seen) => {
    expect(await setUp(answer).codes('x', 'x', 'x', 'x', 'x')).toEqual(seen);
  });

  test('other arguments, another tenant, user, run, session, conversation, agent or client', async () => {
    const { call, runs } = setUp(gone, { refuseAfter: 1 });
    const client = {};
    const contexts: CallContext[] = [
      { runId: 'r' },
      { runId: 'r', tenantId: 'a' },
      { runId: 'r', tenantId: 'b' },
      { runId: 'r', userId: 'u' },
      { runId: 'r', agentName: 'ada' },
      { sessionId: 'r' },
      { conversationId: 'r' },
      { client: 'r' },
      { client },
      { client: {} },
    ];
    for (const context of contexts) expect(short(await call('x', context))).toBe('not_found');
    expect(short(await call('y'))).toBe('not_found');
    expect(runs()).toBe(11);
    for (const context of contexts) expect(short(await call('x', context))).toBe('refused 2');
    expect(runs()).toBe(11);
  });

  test.each([
    ['name nothing', {}],
    ['name their call only', { callId: 'c' }],
    ['share a credential', { tenantId: 'acme', userId: 'ann' }],
    ['are called the same', { agentName: 'support' }],
  ] as [string, CallContext][])('callers that %s: they may be strangers to each other', async (_, context) => {
    const { call, runs } = setUp(gone, { refuseAfter: 1 });
    for (let made = 0; made < 5; made += 1) expect(short(await call('x', context))).toBe('not_found');
    expect(runs()).toBe(5);
  });

  test('whatever a scope of one’s own says, unless it fails', async () => {
    const { call } = setUp(gone, {
      refuseAfter: 1,
      scope: ({ context }) => {
        if (context.agentName === undefined) throw new Error('nobody');
        return context.agentName;
      },
    });
    expect(short(await call('x', { agentName: 'ada', runId: '1' }))).toBe('not_found');
    expect(short(await call('x', { agentName: 'bob', runId: '1' }))).toBe('not_found');
    expect(short(await call('x', { agentName: 'ada', runId: '2' }))).toBe('refused 2');
    expect([short(await call('x', {})), short(await call('x', {}))]).toEqual(['not_found', 'not_found']);
  });
});

describe('what other calls of the run do', () => {
  /** A toolbox as a coding agent has it. The tests fail with the same message until `fixed`. */
  function coding() {
    let fixed = false;
    const runTests = defineTool({
      name: 'run_tests',
      description: 'x',
      effects: 'none',
      run: () => (fixed ? 'passed' : fail('conflict', 'Tests failed.')),
    });
    const edit = defineTool({
      name: 'edit',
      description: 'x',
      input: z.object({ fix: z.boolean().optional(), fails: z.enum(['none', 'unknown']).optional() }),
      run: ({ fix = false, fails }) => {
        fixed = fix;
        return fails === undefined ? 'edited' : fail('upstream', 'No.', { effect: fails });
      },
    });
    const look = defineTool({
      name: 'look',
      description: 'x',
      effects: 'none',
      input: z.object({ at: z.string().optional() }),
      run: ({ at }) => (at === undefined ? 'text' : gone()),
    });
    const toolbox = createToolbox([runTests, edit, look], { ...silent, use: [repeatBreaker({ now: () => 0 })] });
    return async (...calls: readonly (readonly [name: string, args?: object, context?: CallContext])[]) => {
      const seen: string[] = [];
      for (const [name, args = {}, context = run] of calls) seen.push(short(await toolbox.answer({ name, args }, context)));
      return seen;
    };
  }

  test('a write that succeeded begins anew, however often the tests have failed with the same words', async () => {
    const answer = coding();
    for (let round = 0; round < 5; round += 1) expect(await answer(['edit'], ['run_tests'])).toEqual(['ok', 'conflict']);
    expect(await answer(['run_tests'], ['run_tests'], ['run_tests'])).toEqual(['conflict hint', 'conflict hint', 'refused 4']);
    expect(await answer(['edit', { fix: true }], ['run_tests'])).toEqual(['ok', 'ok']);
  });

  test('a write that failed with an unknown effect begins anew; one that took no effect does not', async () => {
    const answer = coding();
    expect(await answer(['run_tests'], ['run_tests'], ['run_tests'])).toEqual(['conflict', 'conflict hint', 'conflict hint']);
    expect(await answer(['edit', { fails: 'none' }], ['run_tests'])).toEqual(['upstream', 'refused 4']);
    expect(await answer(['edit', { fails: 'unknown' }], ['run_tests'])).toEqual(['upstream', 'conflict']);
  });

  test('a write that keeps failing in the same way is itself counted', async () => {
    const edit = ['edit', { fails: 'unknown' }] as const;
    expect(await coding()(edit, edit, edit, edit)).toEqual(['upstream', 'upstream hint', 'upstream hint', 'refused 4']);
  });

  test('reading changes nothing, whether it succeeds or fails', async () => {
    const answer = coding();
    const rounds = [['run_tests'], ['look'], ['look', { at: 'nowhere' }]] as const;
    expect(await answer(...rounds, ...rounds, ...rounds, ...rounds)).toEqual([
      ...['conflict', 'ok', 'not_found'],
      ...['conflict hint', 'ok', 'not_found hint'],
      ...['conflict hint', 'ok', 'not_found hint'],
      ...['refused 4', 'ok', 'refused 4'],
    ]);
  });

  test('a write of another run changes nothing here', async () => {
    const answer = coding();
    const elsewhere = ['edit', {}, { runId: 'other' }] as const;
    expect(await answer(['run_tests'], elsewhere, ['run_tests'], elsewhere, ['run_tests'], elsewhere, ['run_tests'])).toEqual([
      ...['conflict', 'ok', 'conflict hint', 'ok', 'conflict hint', 'ok'],
      'refused 4',
    ]);
  });

  test('a failure that was under way while something changed does not count', async () => {
    let release: (value: unknown) => void = () => undefined;
    const { call, codes, toolbox } = setUp((count) =>
      count === 3
        ? new Promise((resolve) => {
            release = resolve;
          })
        : gone(),
    );
    expect(toolbox.tools.map(({ name }) => name)).toEqual(['find', 'note']);
    expect(await codes('x', 'x')).toEqual(['not_found', 'not_found hint']);
    const slow = call();
    await toolbox.answer({ name: 'note', args: {} }, run);
    release(gone());
    expect(short(await slow)).toBe('not_found');
    expect(await codes('x', 'x', 'x', 'x')).toEqual(['not_found', 'not_found hint', 'not_found hint', 'refused 4']);
  });
});

describe('a failure that says when to come back', () => {
  test('does not count against those who wait so long', async () => {
    const { codes, pass, runs } = setUp(() => down(1000));
    for (let round = 0; round < 6; round += 1) {
      expect(await codes('x')).toEqual(['upstream']);
      pass(1000);
    }
    expect(runs()).toBe(6);
  });

  test('counts against those who do not, until the time has come', async () => {
    const { codes, pass, call } = setUp(() => down(1000));
    expect(await codes('x', 'x', 'x', 'x')).toEqual(['upstream', 'upstream hint', 'upstream hint', 'refused 4']);
    pass(400);
    const refused = (await call()) as ErrorOutcome;
    expect(refused.error.retryAfterMs).toBe(600);
    expect(refused.error.advice).toContain('wait 1 s, or do something else meanwhile.');
    pass(600);
    expect(await codes('x', 'x')).toEqual(['upstream', 'refused 6 stop']);
  });
});

test('a failure that passes by itself may be tried again every ten seconds, also when it does not say how long it takes', async () => {
  const { codes, call, pass } = setUp(() => fail('not_ready', 'The job is not done yet.'));
  expect(await codes('x', 'x', 'x', 'x')).toEqual(['not_ready', 'not_ready hint', 'not_ready hint', 'refused 4']);
  expect(((await call()) as ErrorOutcome).error.advice).toContain('wait 10 s, or do something else meanwhile.');
  for (let round = 0; round < 5; round += 1) {
    pass(10_000);
    expect(await codes('x')).toEqual(['not_ready']);
  }
});

describe('calls that never run', () => {
  const { toolbox } = setUp(gone);
  const cyclic: Record<string, unknown> = {};
  cyclic.a = cyclic;
  cyclic.b = cyclic;

  test.each([
    ['an unknown tool', { name: 'nope', args: { a: 1 } }, 'unknown_tool'],
    ['wrong arguments', { name: 'find', args: { id: 1 } }, 'invalid_input'],
    ['arguments that are no JSON', { name: 'find', args: '{"id": ' }, 'invalid_input'],
    ['arguments that cannot be read', { name: 'find', args: cyclic }, 'invalid_input'],
    ['arguments that cannot be read, for an unknown tool', { name: 'no_such', args: cyclic }, 'unknown_tool'],
  ])('%s', async (_, asked, kind) => {
    const seen: string[] = [];
    for (let made = 0; made < 5; made += 1) seen.push(short(await toolbox.answer(asked, run)));
    expect(seen).toEqual([kind, `${kind} hint`, `${kind} hint`, 'refused 4', 'refused 5 stop']);
  });
});

describe('many at once', () => {
  test('equal calls made at the same time count once', async () => {
    const { call, runs, codes } = setUp(gone);
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => call()));
    expect(new Set(outcomes.map(short))).toEqual(new Set(['not_found']));
    expect(runs()).toBe(1000);
    expect(await codes('x', 'x', 'x')).toEqual(['not_found hint', 'not_found hint', 'refused 4']);
  });

  test('a success begins anew, also one whose call began before the failures', async () => {
    let release: (value: unknown) => void = () => undefined;
    const { call, codes } = setUp((run) =>
      run === 1
        ? new Promise((resolve) => {
            release = resolve;
          })
        : gone(),
    );
    const first = call();
    await codes('x', 'x', 'x');
    release('found');
    expect(short(await first)).toBe('ok');
    expect(await codes('x')).toEqual(['not_found']);
  });

  test('a failure that began before the others does not make anybody forget them', async () => {
    let release: (value: unknown) => void = () => undefined;
    const { call, codes } = setUp((run) =>
      run === 1
        ? new Promise((resolve) => {
            release = resolve;
          })
        : gone(),
    );
    const first = call();
    await codes('x', 'x', 'x');
    release(gone());
    expect(short(await first)).toBe('not_found');
    expect(await codes('x')).toEqual(['refused 4']);
  });

  test('no more is remembered than allowed; the oldest goes first', async () => {
    const { codes } = setUp(gone, { maxEntries: 2, refuseAfter: 1 });
    expect(await codes('a', 'b', 'c', 'c', 'b', 'a')).toEqual([
      'not_found',
      'not_found',
      'not_found',
      'refused 2',
      'refused 2',
      'not_found',
    ]);
  });
});

test.each([
  [{ hintAfter: 0 }, /hintAfter must be a number above 0/],
  [{ refuseAfter: Number.NaN }, /refuseAfter must be a number above 0/],
  [{ windowMs: -1 }, /windowMs must be a number above 0/],
  [{ refuseAfter: 6 }, /^repeatBreaker: stopAfter must be at least refuseAfter$/],
  [{ scope: 'run' as never }, /scope must be a function/],
])('mistakes %j are reported at once', (options, message) => {
  expect(() => repeatBreaker(options)).toThrow(message);
});

test('a call that is refused may run again when its time is over, also when the clock was set back meanwhile', async () => {
  const { codes, pass } = setUp(() => gone(), { windowMs: 1000 });
  expect((await codes('x', 'x', 'x', 'x')).at(-1)).toBe('refused 4');
  pass(-3_600_000);
  expect(await codes('x', 'x', 'x', 'x')).toEqual(['not_found', 'not_found hint', 'not_found hint', 'refused 4']);
});
