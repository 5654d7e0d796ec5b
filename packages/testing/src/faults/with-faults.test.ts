import { readFileSync } from 'node:fs';
import { catalogue, createToolbox, defineTool, type FailureKind, type Outcome, toJsonSchema } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { chanceOf } from './fault-plan.ts';
import type { ToolFault } from './fault-run.ts';
import type { MalformedAnswer } from './malformed-answers.ts';
import { withFaults } from './with-faults.ts';

skipTime();

const kinds = Object.keys(catalogue) as FailureKind[];
const quiet = { report: () => undefined };

/** A tool that writes, and tells how often it did. */
function writer() {
  const sent: string[] = [];
  const tool = defineTool({
    name: 'send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    output: z.object({ sent: z.number() }),
    run: ({ to }) => ({ sent: sent.push(to) }),
  });
  return { tool, sent };
}

const failureOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error : undefined);

describe('what strikes', () => {
  test.each(kinds)('%s comes as its kind, before the tool has run', async (kind) => {
    const { tool, sent } = writer();
    const outcome = await withFaults(tool, { kind }).call({ to: 'Ann' });
    expect(failureOf(outcome)).toMatchObject({ kind, effect: 'none' });
    expect(sent).toEqual([]);
  });

  test.each([
    ['before', [], 'none'],
    ['during', ['Ann'], 'unknown'],
    ['after', ['Ann'], 'unknown'],
  ] as const)('%s the run, the world has changed as the failure says', async (at, changed, effect) => {
    const { tool, sent } = writer();
    const outcome = await withFaults(tool, { kind: 'unreachable', at }).call({ to: 'Ann' });
    expect(failureOf(outcome)).toMatchObject({ kind: 'unreachable', effect });
    expect(sent).toEqual(changed);
  });

  test('a failure carries what the plan states', async () => {
    const plan = { call: 2, kind: 'rate_limited', retryAfterMs: 10, effect: 'unknown', code: 'quota', message: 'Slow down.' } as const;
    const { tool } = writer();
    const flaky = withFaults(tool, plan);
    expect((await flaky.call({ to: 'a' })).status).toBe('ok');
    expect(failureOf(await flaky.call({ to: 'b' }))).toMatchObject({
      kind: 'rate_limited',
      code: 'quota',
      message: 'Slow down.',
      retryAfterMs: 10,
      effect: 'unknown',
      recovery: 'wait',
      retryable: false,
    });
    expect((await flaky.call({ to: 'c' })).status).toBe('ok');
  });

  test('anything can be thrown, made anew each time if need be', async () => {
    const { tool } = writer();
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(failureOf(await withFaults(tool, { throws: refused }).call({ to: 'a' }))?.kind).toBe('unreachable');
    expect(failureOf(await withFaults(tool, { throws: () => null }).call({ to: 'a' }))?.kind).toBe('internal');
  });

  test.each([
    [true, 'before', []],
    ['until-aborted', 'after', ['Ann']],
  ] as const)('a tool that hangs (%s, %s its run) is ended by its deadline', async (hang, at, changed) => {
    const { tool, sent } = writer();
    const outcome = await withFaults(tool, { hang, at }).call({ to: 'Ann' }, { timeoutMs: 5 });
    expect(failureOf(outcome)).toMatchObject({ kind: 'timeout', effect: 'unknown' });
    expect(sent).toEqual(changed);
  });

  test('one that is slow answers later, and not after its caller has gone', async () => {
    vi.setTimerTickMode('manual');
    onTestFinished(() => void vi.setTimerTickMode('nextTimerAsync'));
    const { tool, sent } = writer();
    const slow = withFaults(tool, { slowMs: 500 });
    let outcome: Outcome | undefined;
    void slow.call({ to: 'Ann' }).then((given) => {
      outcome = given;
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ status: 'ok', data: { sent: 1 } });
    const stop = new AbortController();
    const stopped = slow.call({ to: 'Bob' }, { signal: stop.signal });
    stop.abort();
    expect(failureOf(await stopped)?.kind).toBe('cancelled');
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual(['Ann']);
  });

  const answers: readonly (readonly [MalformedAnswer, string, string])[] = [
    ['undefined', 'invalid_output', 'ok'],
    ['null', 'invalid_output', 'ok'],
    ['circular', 'invalid_output', 'invalid_output'],
    ['bigint', 'invalid_output', 'ok'],
    ['function', 'invalid_output', 'invalid_output'],
    ['throwing-getter', 'invalid_output', 'invalid_output'],
    ['wrong-schema', 'invalid_output', 'ok'],
    ['huge', 'invalid_output', 'ok'],
  ];
  test.each(answers)('the answer %s is %s where a schema was promised, and %s where none was', async (answer, promised, free) => {
    const reported = (outcome: Outcome): string => failureOf(outcome)?.kind ?? outcome.status;
    const loose = defineTool({ name: 'loose', description: 'Answers.', run: () => 'fine' });
    expect(reported(await withFaults(writer().tool, { answer }).call({ to: 'Ann' }))).toBe(promised);
    expect(reported((await withFaults(loose, { answer }).call({})) as Outcome)).toBe(free);
  });
});

describe('crashes', () => {
  const marking = (steps: string[]) =>
    defineTool({
      name: 'pay',
      description: 'Pays.',
      steps: true,
      run: async (_, { step }) => {
        steps.push('begun');
        await step('pay', () => steps.push('paid'));
        steps.push('reported');
        return 'paid';
      },
    });

  test.each([
    ['before-run', [], 'none'],
    ['after-effect', ['begun', 'paid'], 'applied'],
    ['before-settle', ['begun', 'paid', 'reported'], 'applied'],
  ] as const)('%s leaves what was done by then', async (crash, done, effect) => {
    const steps: string[] = [];
    const died: string[] = [];
    const tool = withFaults(marking(steps), { crash, onCrash: (moment) => died.push(moment) });
    const outcome = await tool.call({});
    expect(steps).toEqual(done);
    expect(died).toEqual([crash]);
    expect(failureOf(outcome)).toMatchObject({ kind: 'interrupted', effect, details: { crash } });
  });

  test('a tool that marks nothing dies after its run', async () => {
    const { tool, sent } = writer();
    expect(failureOf(await withFaults(tool, { crash: 'after-effect' }).call({ to: 'Ann' }))).toMatchObject({ effect: 'unknown' });
    expect(sent).toEqual(['Ann']);
  });

  test('what is thrown can be recognised', async () => {
    const { tool } = writer();
    const seen: unknown[] = [];
    const toolbox = createToolbox([withFaults(tool, { crash: 'before-settle' })], { report: ({ thrown }) => seen.push(thrown) });
    await toolbox.call('send', { to: 'Ann' });
    expect(seen[0]).toMatchObject({ kind: 'interrupted', options: { details: { crash: 'before-settle' } } });
  });
});

describe('when it strikes', () => {
  const strikesOf = async (fault: ToolFault, seed?: number | string, count = 60): Promise<string> => {
    const flaky = withFaults(writer().tool, fault, seed);
    const outcomes = await Promise.all(Array.from({ length: count }, () => flaky.call({ to: 'x' })));
    return outcomes.map(({ status }) => (status === 'ok' ? '.' : 'F')).join('');
  };

  test.each([
    [{ call: 2 }, '.F....'],
    [{ call: [1, 4] }, 'F..F..'],
    [{ every: 3 }, '..F..F'],
    [{ rate: 0 }, '......'],
    [{ rate: 1 }, 'FFFFFF'],
    [{}, 'FFFFFF'],
  ])('%j strikes %s', async (when, strikes) => {
    expect(await strikesOf({ ...when, kind: 'upstream' }, 1, 6)).toBe(strikes);
  });

  test('one seed strikes the same runs, another seed others', async () => {
    const fault = { rate: 0.2, kind: 'unreachable' } as const;
    const strikes = await strikesOf(fault, 42);
    expect(strikes).toBe('......F....F...F........FF.F...F.....F...........F..........');
    expect(await strikesOf(fault, 42)).toBe(strikes);
    expect(await strikesOf(fault, 43)).not.toBe(strikes);
  });

  test('rates are kept', () => {
    const drawn = Array.from({ length: 10_000 }, (_, index) => chanceOf(`1\n0\nsend\n${index}`));
    expect(drawn.filter((chance) => chance < 0.2).length).toBe(2048);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  });

  test('what strikes a tool does not depend on the calls of another', async () => {
    const tell = <const TName extends string>(name: TName) => defineTool({ name, description: 'Tells.', run: () => 'done' });
    const run = async (order: readonly ('a' | 'b')[]) => {
      const toolbox = withFaults(createToolbox([tell('a'), tell('b')], quiet), { rate: 0.5, kind: 'timeout' }, 7);
      const reported: Record<string, string> = { a: '', b: '' };
      for (const name of order) reported[name] += (await toolbox.call(name, {})).status === 'ok' ? '.' : 'F';
      return reported;
    };
    const turns = await run(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'a' : 'b')));
    const halves = await run([...Array<'b'>(10).fill('b'), ...Array<'a'>(10).fill('a')]);
    expect(halves).toEqual(turns);
    expect(turns.a).not.toBe(turns.b);
  });

  test('of several faults the first that fits strikes, and each only its tools', async () => {
    const tell = <const TName extends string>(name: TName) => defineTool({ name, description: 'Tells.', run: () => 'done' });
    const toolbox = withFaults(createToolbox([tell('a'), tell('b')], quiet), [
      { tool: 'a', call: 1, kind: 'timeout' },
      { tool: ['a'], kind: 'conflict' },
    ]);
    const reported = [];
    for (const name of ['a', 'a', 'b'] as const) reported.push(failureOf(await toolbox.call(name, {}))?.kind);
    expect(reported).toEqual(['timeout', 'conflict', undefined]);
  });
});

describe('what stays as it is', () => {
  test('everything about a tool but its run, and the tool that was given', async () => {
    const { tool } = writer();
    const faulty = withFaults(tool, { kind: 'internal' });
    expect(JSON.stringify(faulty)).toBe(JSON.stringify(tool));
    expect(toJsonSchema(faulty)).toEqual(toJsonSchema(tool));
    expect((await faulty.call({ to: 1 } as never)).status === 'error').toBe(true);
    expect((await tool.call({ to: 'Ann' })).status).toBe('ok');
  });

  test('a toolbox keeps its guards, its methods and its views, and the one that was given works as before', async () => {
    const { tool, sent } = writer();
    const toolbox = createToolbox([tool], { ...quiet, store: memoryStore(), declare: () => ({ retry: { attempts: 3, baseMs: 1 } }) });
    const flaky = withFaults(toolbox, { call: [1, 2], kind: 'unreachable' });
    const outcome = await flaky.with({ idempotencyKey: 'k' }).call('send', { to: 'Ann' });
    expect(outcome).toMatchObject({ status: 'ok', data: { sent: 1 }, meta: { attempts: 3 } });
    expect(await flaky.call('send', { to: 'Ann' }, { idempotencyKey: 'k' })).toMatchObject({ meta: { replayed: true } });
    expect(flaky.list()).toEqual(toolbox.list());
    const always = withFaults(toolbox, { kind: 'internal' });
    const [[batched], answered] = await Promise.all([
      always.batch([{ id: '1', tool: 'send', args: { to: 'Bob' } }]),
      toolbox.answer({ name: 'send', args: { to: 'Cid' } }),
    ]);
    expect(batched?.outcome.status).toBe('error');
    expect(answered.status).toBe('ok');
    expect(sent).toEqual(['Ann', 'Cid']);
  });

  test('what a tool calls through another toolbox is not struck', async () => {
    const { tool } = writer();
    const inner = createToolbox([tool], quiet);
    const outer = defineTool({ name: 'outer', description: 'Calls.', run: async () => (await inner.call('send', { to: 'Ann' })).status });
    const both = withFaults(createToolbox([tool, outer], quiet), { tool: 'send', kind: 'internal' });
    expect(await both.call('outer', {})).toMatchObject({ status: 'ok', data: 'ok' });
    expect((await both.call('send', { to: 'Ann' })).status).toBe('error');
  });

  test('the faults of a faulty toolbox that is made faulty once more both strike', async () => {
    const once = withFaults(createToolbox([writer().tool], quiet), { call: 1, kind: 'timeout' });
    const twice = withFaults(once, { call: 2, kind: 'conflict' });
    const kinds = [];
    for (let call = 0; call < 3; call += 1) kinds.push(failureOf(await twice.call('send', { to: 'Ann' }))?.kind);
    expect(kinds).toEqual(['timeout', 'conflict', undefined]);
  });

  test('the tools of a faulty toolbox are faulty in another toolbox too', async () => {
    const flaky = withFaults(createToolbox([writer().tool], quiet), { kind: 'timeout' });
    expect(failureOf(await createToolbox(flaky.tools, quiet).call('send', { to: 'Ann' }))?.kind).toBe('timeout');
  });
});

test.each([
  [{ tool: 'sned', kind: 'timeout' }, 'a fault is meant for "sned", and there is no such tool'],
  [{ call: 0, kind: 'timeout' }, '`call` of a fault counts from 1'],
  [{ every: 1.5, kind: 'timeout' }, '`every` of a fault must be a whole number above 0'],
  [{ rate: 20, kind: 'timeout' }, '`rate` of a fault must be between 0 and 1'],
  [{ rate: '0.2', kind: 'timeout' }, '`rate` of a fault must be between 0 and 1'],
  [{ rat: 0.2, kind: 'timeout' }, 'a fault has the unknown field "rat"'],
  [{ hang: true, retryAfterMs: 10 }, 'a fault has the unknown field "retryAfterMs"'],
  [{ kind: 'timeout', at: 'later' }, '`at` of a fault must be before, during or after'],
  [{ kind: 'tired' }, '`kind` of a fault must be a kind of failure, not "tired"'],
  [{ answer: 'rude' }, /^`answer` of a fault must be one of undefined, null, .*, not "rude"$/],
  [{ answer: 'constructor' }, /^`answer` of a fault must be one of /],
  [{ slowMs: -1 }, '`slowMs` of a fault must be milliseconds from 0, not -1'],
  [{ slowMs: Number.POSITIVE_INFINITY }, '`slowMs` of a fault must be milliseconds from 0, not Infinity'],
  [{ hang: false }, "`hang` of a fault must be true or 'until-aborted', not false"],
  [{ crash: 'soon' }, '`crash` of a fault must be one of before-run, after-effect, before-settle, not "soon"'],
  [{ rate: 1 }, 'a fault needs exactly one of kind, throws, hang, slowMs, answer, crash'],
  [{ kind: 'timeout', hang: true }, 'a fault needs exactly one of kind, throws, hang, slowMs, answer, crash'],
])('the plan %j is a mistake', (plan, message) => {
  expect(() => withFaults(writer().tool, plan as ToolFault)).toThrow(message);
});

test.each([[null], [5], ['tools']])('faults for %j are a mistake', (subject) => {
  expect(() => withFaults(subject as never, { kind: 'timeout' })).toThrow('faults are for a tool, tools, a toolbox or fetch');
});

describe('where Node is not', () => {
  test('nothing of the entry asks for it while it is loaded', () => {
    const loaded = new Map<string, readonly string[]>();
    const follow = (file: URL): void => {
      if (loaded.has(file.href)) return;
      const imported = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)].map(
        ([, name = '']) => name,
      );
      loaded.set(file.href, imported);
      for (const name of imported) if (name.startsWith('.')) follow(new URL(name, file));
    };
    follow(new URL('../index.ts', import.meta.url));
    const asking = [...loaded].filter(([, imported]) => imported.some((name) => name.startsWith('node:')));
    expect([loaded.size > 40, asking]).toEqual([true, []]);
  });

  test('tools can be struck, and a toolbox says what it lacks', async () => {
    vi.resetModules();
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const { withFaults: elsewhere } = await import('./with-faults.ts');
    expect(failureOf(await elsewhere(writer().tool, { kind: 'timeout' }).call({ to: 'Ann' }))?.kind).toBe('timeout');
    expect(() => elsewhere(createToolbox([writer().tool], quiet), { kind: 'timeout' })).toThrow(
      'faults for a toolbox need node:async_hooks, which is not here; give them to its tools instead',
    );
  });
});
