import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { fail, type Outcome } from '../outcome/index.ts';
import type { Guard, GuardPhase } from '../ports/index.ts';
import { defineTool } from '../runtime/define-tool.ts';
import { defineGuard } from '../runtime/guards/define-guard.ts';
import type { BatchAnswer } from './batch.ts';
import { createToolbox, type ToolboxOptions } from './create-toolbox.ts';

const silent: ToolboxOptions = { report: () => undefined };
type Decide = (id: string) => unknown;

/** A gate that writes down whom it sees, and refuses those for whom `decide` gives false. */
function gate(log: string[], decide: Decide = () => true, phase: GuardPhase = 'policy'): Guard {
  return defineGuard({
    name: phase,
    phase,
    around: async (call, next) => {
      const { id } = call.input as { id: string };
      log.push(`${phase} ${id}`);
      return (await decide(id)) === false ? call.refuse('denied', 'Not allowed.') : next();
    },
  });
}

/** A toolbox behind gates with a tool that writes down when it runs, and fails or waits when its arguments say so. */
function setUp(use: (log: string[]) => readonly Guard[], run: Decide = () => 'done') {
  const log: string[] = [];
  const left: number[] = [];
  const running = { now: 0, most: 0 };
  const act = defineTool({
    name: 'act',
    description: 'x',
    effects: 'none',
    input: z.object({ id: z.string() }),
    run: async ({ id }, { remainingMs }) => {
      log.push(`run ${id}`);
      left.push(Math.round(remainingMs));
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      try {
        return await run(id);
      } finally {
        running.now -= 1;
      }
    },
  });
  const toolbox = createToolbox([act], { ...silent, use: use(log) });
  const calls = (...ids: readonly string[]) => ids.map((id) => ({ id, tool: 'act', args: { id } }));
  return { log, left, running, toolbox, calls };
}

const short = (outcome: Outcome) => (outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status);
const summary = (answers: readonly BatchAnswer[]) => answers.map(({ id, outcome }) => `${id} ${short(outcome)}`);
/** Gives way to everything that can happen now. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('gates', () => {
  test.each(['policy', 'approval'] as const)('of the phase %s are passed by all siblings before any of them starts', async (phase) => {
    const { log, toolbox, calls } = setUp((log) => [gate(log, (id) => (id === 'b' ? settled() : true), phase)]);
    expect(summary(await toolbox.batch(calls('a', 'b', 'c')))).toEqual(['a ok', 'b ok', 'c ok']);
    expect(log.slice(0, 3)).toEqual([`${phase} a`, `${phase} b`, `${phase} c`]);
    expect(log.slice(3).sort()).toEqual(['run a', 'run b', 'run c']);
  });

  test('come before all that may have effects of its own', async () => {
    const { log, toolbox, calls } = setUp((log) => [
      gate(log, () => true, 'retry'),
      gate(log, () => true, 'key'),
      gate(log, () => true, 'limit'),
      gate(log, () => true, 'budget'),
      gate(log, settled, 'approval'),
      gate(log, settled, 'policy'),
      gate(log, () => true, 'repeat'),
    ]);
    await toolbox.batch(calls('a', 'b'));
    expect(log).toEqual(['repeat', 'policy', 'approval'].flatMap((phase) => [`${phase} a`, `${phase} b`]).concat(log.slice(6)));
    expect([...log.slice(6)].sort()).toEqual([
      'budget a',
      'budget b',
      'key a',
      'key b',
      'limit a',
      'limit b',
      'retry a',
      'retry b',
      'run a',
      'run b',
    ]);
  });

  test('hold no call back where there are none: the first may be over before the last begins', async () => {
    const { log, toolbox, calls } = setUp((log) => [gate(log, () => true, 'limit')]);
    await toolbox.batch(calls('a', 'b'), { concurrency: 1 });
    expect(log).toEqual(['limit a', 'run a', 'limit b', 'run b']);
  });

  test('that refuse one sibling keep no other from running', async () => {
    const { log, toolbox, calls } = setUp((log) => [gate(log, (id) => id !== 'a' && id !== 'c')]);
    expect(summary(await toolbox.batch(calls('a', 'b', 'c', 'd')))).toEqual(['a denied', 'b ok', 'c denied', 'd ok']);
    expect(log.filter((line) => line.startsWith('run'))).toEqual(['run b', 'run d']);
  });

  test('that refuse all of them leave nothing to run', async () => {
    const { log, toolbox, calls } = setUp((log) => [gate(log, () => false)]);
    expect(summary(await toolbox.batch(calls('a', 'b')))).toEqual(['a denied', 'b denied']);
    expect(log).toEqual(['policy a', 'policy b']);
  });

  test('are not reached by an unknown tool or wrong arguments, for which no call waits', async () => {
    const { log, toolbox, calls } = setUp((log) => [gate(log)]);
    const answers = await toolbox.batch([
      ...calls('a'),
      { id: 'x', tool: 'nope' },
      { id: 'y', tool: 'act', args: { id: 1 } },
      ...calls('b'),
    ]);
    expect(summary(answers)).toEqual(['a ok', 'x unknown_tool', 'y invalid_input', 'b ok']);
    expect(log).toEqual(['policy a', 'policy b', 'run a', 'run b']);
  });

  test('that hang hold the others up until the deadline of their own call', async () => {
    const { log, toolbox, calls } = setUp((log) => [gate(log, (id) => (id === 'b' ? new Promise(() => undefined) : true))]);
    const [a, b, c] = calls('a', 'b', 'c');
    const answers = await toolbox.batch([a, { ...b, timeoutMs: 20 }, c] as never);
    expect(summary(answers)).toEqual(['a ok', 'b timeout', 'c ok']);
    expect(log).toEqual(['policy a', 'policy b', 'policy c', 'run a', 'run c']);
  });

  test('that answer after the deadline of their call let nothing run', async () => {
    let open: (value: unknown) => void = () => undefined;
    const late = new Promise((resolve) => {
      open = resolve;
    });
    const { log, toolbox, calls } = setUp((log) => [gate(log, () => late)]);
    expect(summary(await toolbox.batch(calls('a', 'b'), { timeoutMs: 10 }))).toEqual(['a timeout', 'b timeout']);
    open(true);
    await settled();
    expect(log).toEqual(['policy a', 'policy b']);
  });

  test('that throw refuse their call and let the others on', async () => {
    const { toolbox, calls } = setUp((log) => [
      gate(log, (id) => {
        if (id === 'a') throw new Error('x');
        return true;
      }),
    ]);
    expect(summary(await toolbox.batch(calls('a', 'b')))).toEqual(['a failed', 'b ok']);
  });

  test('let no call on whose caller has stopped the batch', async () => {
    const stop = new AbortController();
    const { log, toolbox, calls } = setUp((log) => [gate(log, (id) => (id === 'b' ? stop.abort() : true))]);
    expect(summary(await toolbox.batch(calls('a', 'b', 'c'), {}, { signal: stop.signal }))).toEqual([
      'a cancelled',
      'b cancelled',
      'c cancelled',
    ]);
    expect(log.filter((line) => line.startsWith('run'))).toEqual([]);
  });
});

describe('stopping on an error, behind gates', () => {
  test('reports those after it as skipped when a gate refuses one', async () => {
    const { log, toolbox, calls } = setUp((log) => [gate(log, (id) => id !== 'c')]);
    const answers = await toolbox.batch(calls('a', 'b', 'c', 'd'), { stopOnError: true });
    expect(summary(answers)).toEqual(['a ok', 'b ok', 'c denied', 'd skipped']);
    expect(answers[3]?.outcome).toMatchObject({
      error: { kind: 'cancelled', message: 'act was skipped because call c failed; it did not run.', effect: 'none' },
      meta: { attempts: 0, callId: 'd' },
    });
    expect(log).toEqual(['policy a', 'policy b', 'policy c', 'policy d', 'run a', 'run b']);
  });

  test('reports the rest as skipped when a run fails', async () => {
    const { log, toolbox, calls } = setUp(
      (log) => [gate(log)],
      (id) => (id === 'b' ? fail('upstream', 'Down.') : 'done'),
    );
    expect(summary(await toolbox.batch(calls('a', 'b', 'c', 'd'), { stopOnError: true, concurrency: 1 }))).toEqual([
      'a ok',
      'b upstream',
      'c skipped',
      'd skipped',
    ]);
    expect(log.filter((line) => line.startsWith('run'))).toEqual(['run a', 'run b']);
  });
});

describe('concurrency, behind gates', () => {
  test('holds, and calls start in call order', async () => {
    const { log, running, toolbox, calls } = setUp((log) => [gate(log, (id) => (Number(id) % 2 === 0 ? settled() : true))], settled);
    const ids = Array.from({ length: 20 }, (_, index) => String(index));
    expect(summary(await toolbox.batch(calls(...ids), { concurrency: 3 }))).toEqual(ids.map((id) => `${id} ok`));
    expect(running.most).toBe(3);
    expect(log.slice(20)).toEqual(ids.map((id) => `run ${id}`));
  });

  test('holds for a thousand calls', async () => {
    const { log, running, toolbox, calls } = setUp(
      (log) => [gate(log, (id) => Number(id) % 10 !== 0)],
      () => Promise.resolve(),
    );
    const ids = Array.from({ length: 1000 }, (_, index) => String(index));
    const answers = await toolbox.batch(calls(...ids), { concurrency: 5 });
    expect(summary(answers)).toEqual(ids.map((id) => `${id} ${Number(id) % 10 === 0 ? 'denied' : 'ok'}`));
    expect(log.findIndex((line) => line.startsWith('run'))).toBe(1000);
    expect(log).toHaveLength(1900);
    expect(running.most).toBe(5);
  });

  /** A guard with which a test stops one call of a batch. */
  const stopper = (stops: Map<string, () => void>): Guard =>
    defineGuard({
      name: 'stopper',
      phase: 'policy',
      around: (call, next) => {
        stops.set((call.input as { id: string }).id, () => call.end(call.refuse('cancelled', 'Stopped.')));
        return next();
      },
    });

  test('holds when a call is stopped while it waits for its turn', async () => {
    const [open, stops] = [new Map<string, (value: unknown) => void>(), new Map<string, () => void>()];
    const { log, running, toolbox, calls } = setUp(
      () => [stopper(stops)],
      (id) => new Promise((resolve) => open.set(id, resolve)),
    );
    const batch = toolbox.batch(calls('a', 'b', 'c'), { concurrency: 1 });
    await settled();
    stops.get('c')?.();
    await settled();
    expect(log).toEqual(['run a']);
    open.get('a')?.('done');
    await settled();
    open.get('b')?.('done');
    expect(summary(await batch)).toEqual(['a ok', 'b ok', 'c cancelled']);
    expect(running.most).toBe(1);
  });

  test('goes on with those behind a call that was stopped while it waited', async () => {
    const [open, stops] = [new Map<string, (value: unknown) => void>(), new Map<string, () => void>()];
    const { log, toolbox, calls } = setUp(
      () => [stopper(stops)],
      (id) => new Promise((resolve) => open.set(id, resolve)),
    );
    const batch = toolbox.batch(calls('a', 'b', 'c'), { concurrency: 1 });
    await settled();
    stops.get('b')?.();
    await settled();
    open.get('a')?.('done');
    await settled();
    open.get('c')?.('done');
    expect(summary(await batch)).toEqual(['a ok', 'b cancelled', 'c ok']);
    expect(log).toEqual(['run a', 'run c']);
  });
});

describe('the time of a call, behind gates', () => {
  test('does not count while it waits for its siblings, and does while it is judged and while it runs', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const open = new Map<string, (value: unknown) => void>();
    const wait = (id: string) => new Promise((resolve) => open.set(id, resolve));
    const { log, toolbox, calls, left } = setUp((log) => [gate(log, (id) => (id === 'c' ? wait('gate of c') : true))], wait);
    const batch = toolbox.batch(calls('a', 'b', 'c'), { concurrency: 1, timeoutMs: 1_000 });
    await vi.advanceTimersByTimeAsync(600);
    expect(log).toEqual(['policy a', 'policy b', 'policy c']);
    open.get('gate of c')?.(true);
    await vi.advanceTimersByTimeAsync(900);
    open.get('a')?.('done');
    await vi.advanceTimersByTimeAsync(900);
    open.get('b')?.('done');
    await vi.advanceTimersByTimeAsync(399);
    expect(log.slice(3)).toEqual(['run a', 'run b', 'run c']);
    expect(left).toEqual([1_000, 1_000, 400]);
    await vi.advanceTimersByTimeAsync(2);
    expect(summary(await batch)).toEqual(['a ok', 'b ok', 'c timeout']);
  });
});

test('a call that fails at its gate stops those after it and not those before it', async () => {
  const { toolbox, log } = setUp((seen) => [gate(seen)]);
  const answers = await toolbox.batch(
    [
      { tool: 'act', args: { id: 'a' } },
      { tool: 'act', args: { wrong: true } },
      { tool: 'act', args: { id: 'c' } },
    ],
    { stopOnError: true, concurrency: 1 },
  );
  expect(answers.map(({ outcome }) => (outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status))).toEqual([
    'ok',
    'invalid_input',
    'skipped',
  ]);
  expect(log.filter((line) => line.startsWith('run'))).toEqual(['run a']);
});

test('each call has the key that it states, and none has that of another', async () => {
  const keys: (string | undefined)[] = [];
  const act = defineTool({ name: 'act', description: 'x', run: (_, { idempotencyKey }) => void keys.push(idempotencyKey) });
  const calls = [{ tool: 'act', idempotencyKey: 'one' }, { tool: 'act' }, { tool: 'act', idempotencyKey: 'three', timeoutMs: 1000 }];
  await createToolbox([act], silent).batch(calls, { concurrency: 1 });
  expect(keys).toEqual(['one', undefined, 'three']);
});

test('a call whose id is a symbol takes no other call with it', async () => {
  const act = defineTool({ name: 'act', description: 'x', run: () => 'done' });
  const answers = await createToolbox([act], silent).batch(
    [
      { tool: 'act', id: Symbol('first') as never },
      { tool: 'act', id: 'second' },
    ],
    { stopOnError: true, concurrency: 1 },
  );
  expect(answers.map(({ outcome }) => (outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status))).toEqual([
    'not_configured',
    'skipped',
  ]);
});

test('a misspelt option of a batch is refused before any call runs', async () => {
  let runs = 0;
  const act = defineTool({ name: 'act', description: 'x', run: () => (runs += 1) });
  const batch = createToolbox([act], silent).batch([{ tool: 'act' }], { concurency: 1 } as never);
  await expect(batch).rejects.toMatchObject({ code: 'unknown_option', details: { option: 'concurency', nearest: 'concurrency' } });
  expect(runs).toBe(0);
});
