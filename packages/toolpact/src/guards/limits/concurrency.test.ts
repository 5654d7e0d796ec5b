import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CallContext } from '../../contract/index.ts';
import type { ErrorOutcome, Outcome } from '../../outcome/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { createToolbox, type Toolbox, type ToolboxOptions } from '../../toolbox/index.ts';
import { type ConcurrencyOptions, concurrency } from './concurrency.ts';

const silent: ToolboxOptions = { report: () => undefined };

/** Two tools whose runs end when told, in a toolbox with limits. */
function setUp(options: ConcurrencyOptions) {
  const open = new Map<string, (value?: unknown) => void>();
  const started: string[] = [];
  let most = 0;
  const tool = (name: string) =>
    defineTool({
      name,
      description: 'x',
      effects: 'none',
      input: z.object({ id: z.string() }),
      run: ({ id }) => {
        started.push(id);
        most = Math.max(most, open.size + 1);
        return new Promise((resolve) => open.set(id, resolve));
      },
    });
  const toolbox = createToolbox([tool('a'), tool('b')], { ...silent, use: [concurrency(options)] });
  return {
    started,
    most: () => most,
    call: (id: string, context?: CallContext, name: 'a' | 'b' = 'a'): Promise<Outcome> => toolbox.answer({ name, args: { id } }, context),
    end: async (id: string) => {
      open.get(id)?.(id);
      open.delete(id);
      await settled();
    },
  };
}

/** Lets everything happen that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a limit', () => {
  test('lets calls wait in the order they came', async () => {
    const { call, end, started } = setUp({ max: 2 });
    const calls = ['1', '2', '3', '4', '5'].map((id) => call(id));
    await settled();
    expect(started).toEqual(['1', '2']);
    await end('2');
    expect(started).toEqual(['1', '2', '3']);
    await end('1');
    await end('3');
    expect(started).toEqual(['1', '2', '3', '4', '5']);
    await end('4');
    await end('5');
    expect((await Promise.all(calls)).map((outcome) => outcome.status === 'ok' && outcome.data)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('of one tool or tenant holds up no other', async () => {
    const { call, end, started } = setUp({ max: 3, perTool: { a: 1 }, perTenant: 2 });
    const x = { tenantId: 'x' };
    const y = { tenantId: 'y' };
    void call('a1', x);
    void call('a2', x);
    void call('b1', x, 'b');
    void call('b2', x, 'b');
    void call('b3', y, 'b');
    void call('b4', y, 'b');
    await settled();
    expect(started).toEqual(['a1', 'b1', 'b3']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'b3', 'a2']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'b3', 'a2', 'b2']);
    await end('b3');
    expect(started).toEqual(['a1', 'b1', 'b3', 'a2', 'b2', 'b4']);
  });

  test('that the first in the queue has reached lets those behind it pass', async () => {
    const { call, end, started } = setUp({ max: 3, perTool: { a: 1 } });
    for (const [id, name] of [
      ['a1', 'a'],
      ['b1', 'b'],
      ['b2', 'b'],
      ['a2', 'a'],
      ['b3', 'b'],
    ] as const)
      void call(id, {}, name);
    await settled();
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'b2', 'b3']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'b2', 'b3', 'a2']);
  });

  test('holds for a thousand calls at once, whatever becomes of them', async () => {
    let running = 0;
    let most = 0;
    const busy = defineTool({
      name: 'busy',
      description: 'x',
      effects: 'none',
      input: z.object({ n: z.number() }),
      run: async ({ n }) => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (n % 3 === 0) throw new Error('x');
        return n;
      },
    });
    const toolbox = createToolbox([busy], { ...silent, use: [concurrency({ max: 7 })] });
    const outcomes = await Promise.all(Array.from({ length: 1000 }, (_, n) => toolbox.call('busy', { n })));
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(666);
    expect(most).toBe(7);
    expect(running).toBe(0);
  });

  test('refuses what comes when the queue is full', async () => {
    const { call, end, started } = setUp({ max: 1, maxQueue: 1 });
    const first = call('1');
    const second = call('2');
    expect(((await call('3')) as ErrorOutcome).error).toMatchObject({
      kind: 'rate_limited',
      message: 'a did not run: too many calls are waiting for their turn (1).',
      retryable: true,
      effect: 'none',
    });
    await end('1');
    await end('2');
    expect([(await first).status, (await second).status]).toEqual(['ok', 'ok']);
    expect(started).toEqual(['1', '2']);
  });
});

describe('a call that waits', () => {
  test('leaves the queue at its deadline', async () => {
    const { call, end, started } = setUp({ max: 1, maxQueue: 1 });
    const first = call('1');
    expect(await call('2', { timeoutMs: 10 })).toMatchObject({ error: { kind: 'timeout', effect: 'none' }, meta: { attempts: 0 } });
    const third = call('3');
    await end('1');
    await end('3');
    expect([(await first).status, (await third).status]).toEqual(['ok', 'ok']);
    expect(started).toEqual(['1', '3']);
  });

  test('leaves the queue when its caller stops it', async () => {
    const { call, end, started } = setUp({ max: 1, maxQueue: 2 });
    const stop = new AbortController();
    const first = call('1');
    const second = call('2', { signal: stop.signal });
    const third = call('3');
    await settled();
    stop.abort();
    expect(await second).toMatchObject({ error: { kind: 'cancelled', effect: 'none' }, meta: { attempts: 0 } });
    await end('1');
    await end('3');
    expect([(await first).status, (await third).status]).toEqual(['ok', 'ok']);
    expect(started).toEqual(['1', '3']);
  });
});

describe('a place', () => {
  test('is free again when its call has ended, though its tool goes on', async () => {
    const { call, end, started } = setUp({ max: 1 });
    const first = call('1', { timeoutMs: 10 });
    const second = call('2');
    expect(await first).toMatchObject({ error: { kind: 'timeout' } });
    await end('2');
    expect((await second).status).toBe('ok');
    // The late end of the first frees no second place.
    const [third, fourth] = [call('3'), call('4')];
    await end('1');
    expect(started).toEqual(['1', '2', '3']);
    await end('3');
    await end('4');
    expect([(await third).status, (await fourth).status]).toEqual(['ok', 'ok']);
  });
});

test.each([
  [{}, /concurrency needs max, perTool or perTenant/],
  [{ max: 0 }, /max must be a number above 0/],
  [{ perTool: -1 }, /perTool must be a number above 0/],
  [{ perTool: { a: 0 } }, /a must be a number above 0/],
  [{ perTenant: Number.NaN }, /perTenant must be a number above 0/],
  [{ max: 1, maxQueue: -1 }, /maxQueue must be a number from 0/],
])('mistakes %j are reported at once', (options, message) => {
  expect(() => concurrency(options)).toThrow(message);
});

describe('a call that is made inside of another', () => {
  /** A tool that calls others, as often as it is told, and one that it calls. */
  function nest(options: ConcurrencyOptions) {
    const leaf = defineTool({
      name: 'leaf',
      description: 'x',
      effects: 'none',
      input: z.object({ id: z.number() }),
      run: async ({ id }) => {
        await settled();
        return id;
      },
    });
    const nested = defineTool({
      name: 'nested',
      description: 'x',
      effects: 'none',
      input: z.object({ depth: z.number(), width: z.number().default(1), isAwaited: z.boolean().default(true) }),
      run: async ({ depth, width, isAwaited }): Promise<unknown> => {
        const inner = Array.from({ length: width }, (_, id) =>
          depth > 1 ? toolbox.call('nested', { depth: depth - 1 }) : (toolbox.call('leaf', { id }) as Promise<Outcome>),
        );
        return isAwaited ? (await Promise.all(inner)).map(({ status }) => status) : 'left';
      },
    });
    const guard = concurrency(options);
    const toolbox = createToolbox([leaf, nested] as const, { ...silent, use: [guard] });
    const used = async () => (await guard.limits?.({ tenantId: '', tools: [] }))?.map(({ key, used: now }) => [key, now]);
    return { toolbox, used };
  }

  test.each<[string, ConcurrencyOptions]>([
    ['all calls', { max: 1 }],
    ['each tenant', { perTenant: 1 }],
    ['each tool', { perTool: 1 }],
    ['everything', { max: 1, perTool: 1, perTenant: 1, maxQueue: 0 }],
  ])('does not wait for its outer call where %s may have one place', async (_, options) => {
    const { toolbox } = nest(options);
    expect(await toolbox.call('nested', { depth: 3 }, { timeoutMs: 2000 })).toMatchObject({ status: 'ok', data: ['ok'] });
    expect(await toolbox.call('nested', { depth: 1, width: 10 }, { timeoutMs: 2000 })).toMatchObject({ data: Array(10).fill('ok') });
  });

  test('counts, so that other calls wait for it, also when the outer one has ended', async () => {
    const { toolbox, used } = nest({ max: 1 });
    expect(await toolbox.call('nested', { depth: 1, width: 3, isAwaited: false })).toMatchObject({ data: 'left' });
    expect(await used()).toEqual([['all', 3]]);
    expect(await toolbox.call('leaf', { id: 9 }, { timeoutMs: 2000 })).toMatchObject({ data: 9 });
    expect(await used()).toEqual([['all', 0]]);
  });

  test('is like any other once the outer one has ended', async () => {
    const order: string[] = [];
    let late: Promise<Outcome> | undefined;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tool = (name: string, run: () => unknown) =>
      defineTool({
        name,
        description: 'x',
        effects: 'none',
        run: async () => {
          order.push(name);
          await run();
          return name;
        },
      });
    const toolbox: Toolbox = createToolbox(
      [
        tool('outer', () => void settled().then(() => (late = toolbox.answer({ name: 'late' })))),
        tool('late', () => undefined),
        tool('other', () => held),
      ],
      { ...silent, use: [concurrency({ max: 1 })] },
    );
    await toolbox.answer({ name: 'outer' });
    const other = toolbox.answer({ name: 'other' });
    await settled();
    await settled();
    expect(order).toEqual(['outer', 'other']);
    release();
    expect([(await other).status, (await late)?.status]).toEqual(['ok', 'ok']);
    expect(order).toEqual(['outer', 'other', 'late']);
  });

  /** Tools that call one another: each waits for all that it calls. */
  function circle(options: ConcurrencyOptions, calls: Readonly<Record<string, readonly string[]>>) {
    const guard = concurrency(options);
    const tools = Object.entries(calls).map(([name, others]) =>
      defineTool({
        name,
        description: 'x',
        effects: 'none',
        input: z.object({ depth: z.number() }),
        run: async ({ depth }) => {
          await settled();
          if (depth > 0) await Promise.all(others.map((other) => toolbox.answer({ name: other, args: { depth: depth - 1 } })));
          return name;
        },
      }),
    );
    const toolbox: Toolbox = createToolbox(tools, { ...silent, use: [guard] });
    return {
      all: async (names: readonly string[], depth: number) =>
        (await Promise.all(names.map((name) => toolbox.answer({ name, args: { depth } }, { timeoutMs: 2000 })))).map(
          ({ status }) => status,
        ),
      used: async () => (await guard.limits?.({ tenantId: '', tools: Object.keys(calls) }))?.reduce((sum, { used }) => sum + used, 0),
    };
  }

  test.each<[string, ConcurrencyOptions, Readonly<Record<string, readonly string[]>>, readonly string[], number]>([
    ['two tools that call each other', { perTool: 1 }, { x: ['y'], y: ['x'] }, ['x', 'y'], 1],
    ['with other limits too', { max: 2, perTool: 1, perTenant: 2 }, { x: ['y'], y: ['x'] }, ['x', 'y'], 1],
    ['deeper', { perTool: 1 }, { x: ['y'], y: ['x'] }, ['x', 'y', 'x', 'y'], 3],
    ['three in a circle', { perTool: 1 }, { x: ['y'], y: ['z'], z: ['x'] }, ['x', 'y', 'z'], 1],
    ['several at once', { perTool: 1 }, { x: ['y', 'z'], y: ['x', 'z'], z: ['x', 'y'] }, ['x', 'y', 'z'], 1],
    ['with more places', { perTool: 2 }, { x: ['y'], y: ['x'] }, ['x', 'x', 'y', 'y', 'x', 'y'], 1],
  ])('does not wait for itself around other calls: %s', async (_, options, calls, names, depth) => {
    const { all, used } = circle(options, calls);
    expect(await all(names, depth)).toEqual(names.map(() => 'ok'));
    expect(await used()).toBe(0);
  });
});
