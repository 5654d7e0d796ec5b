import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { fail } from '../src/outcome/index.ts';
import { defineTool } from '../src/runtime/define-tool.ts';
import { memoryStore } from '../src/stores/memory.ts';
import { nextTurn } from '../src/time/index.ts';
import { createToolbox } from '../src/toolbox/create-toolbox.ts';

const strays = vi.fn();
beforeEach(() => {
  strays.mockClear();
  process.on('unhandledRejection', strays);
});
afterEach(() => {
  process.off('unhandledRejection', strays);
});

const report = () => undefined;
const base = { name: 'act', description: 'Acts.' };
const late = () => Promise.reject(new Error('late'));

/** Waits until the process would have ended. */
const settled = async (): Promise<void> => {
  await nextTurn();
  await nextTurn();
};

describe('a rejection that nothing waits for does not end the process', () => {
  test.each<[string, () => unknown]>([
    ['deep in a result', () => ({ a: { b: { c: { d: { e: late() } } } } })],
    ['in a map', () => new Map([['a', late()]])],
    ['after another one', () => [late(), { b: late() }, new Set([late()])]],
    ['after something else that has no JSON form', () => [() => 1, late()]],
    [
      'thrown',
      () => {
        throw late();
      },
    ],
  ])('%s', async (_, run) => {
    const outcome = await createToolbox([defineTool({ ...base, run })], { report }).answer({ name: 'act' });
    await settled();
    expect([outcome.status, strays.mock.calls]).toEqual(['error', []]);
  });

  test('of a step that fails while the tool waits for another', async () => {
    const slow = Promise.withResolvers<void>();
    const tool = defineTool({
      ...base,
      steps: true,
      async run(_: object, ctx) {
        const first = ctx.step('slow', () => slow.promise);
        const second = ctx.step('fast', () => {
          throw fail('unreachable', 'Down.', { effect: 'none' });
        });
        await first;
        await second;
      },
    });
    const answer = createToolbox([tool], { report }).answer({ name: 'act' });
    await settled();
    slow.resolve();
    expect(await answer).toMatchObject({ error: { kind: 'unreachable' } });
    expect(strays).not.toHaveBeenCalled();
  });

  test('of an approval, which is then needed', async () => {
    const tool = defineTool({ ...base, input: z.object({}), approval: late as never, run: () => 1 });
    const outcome = await createToolbox([tool], { store: memoryStore(), report }).answer({ name: 'act' });
    await settled();
    expect([outcome.status, strays.mock.calls]).toEqual(['pending', []]);
  });
});

describe('a failure whose items cannot be read is a failure like any other', () => {
  const failing = (failures: unknown) => {
    const tool = defineTool({
      ...base,
      input: z.object({}),
      idempotency: { key: () => 'k' },
      run: async () => fail('all_failed', 'All failed.', { failures } as object),
    });
    return createToolbox([tool], { store: memoryStore(), report }).call('act', {});
  };

  test('whose items are not all items: the others are kept, by their index or their place', async () => {
    const items = [null, { index: 7, error: { message: 'no such row' } }, 'x', { error: 'y' }];
    expect(await failing(items)).toMatchObject({
      error: { kind: 'all_failed' },
      failures: [{ index: 7, error: { message: 'no such row' } }, { index: 3 }],
    });
    expect(strays).not.toHaveBeenCalled();
  });

  test('whose list throws', async () => {
    const { proxy, revoke } = Proxy.revocable<unknown[]>([], {});
    revoke();
    expect(await failing(proxy)).toMatchObject({ status: 'error', error: { kind: 'internal', effect: 'unknown' } });
    expect(strays).not.toHaveBeenCalled();
  });
});
