import { describe, expect, test, vi } from 'vitest';
import { createToolbox, defineTool } from '../../index.ts';
import type { Guard } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { callSteered, recognise } from './call-steered.ts';
import { answerHost } from './host-tools.ts';

const signal = Object.assign(new Error('stop here'), { name: 'Interrupt' });
const isInterrupt = recognise(['Interrupt']);

function call(run: () => unknown, use: Guard[] = [], report = vi.fn()) {
  const tool = defineTool({ name: 'ask', description: 'Asks.', run: run as () => string });
  const toolbox = createToolbox([tool], { use, report });
  return callSteered((watched) => answerHost(toolbox, 'any', {}, { name: 'ask', args: {} }, watched), { turn: undefined }, isInterrupt);
}

describe('what a handler throws to steer its host', () => {
  test('is thrown on as it is, and is no failure for anybody', async () => {
    const report = vi.fn();
    const seen: unknown[] = [];
    const watch: Guard = defineGuard({
      name: 'watch',
      phase: 'key',
      around: async (_, next) => {
        const outcome = await next();
        seen.push(outcome);
        return outcome;
      },
    });
    await expect(call(() => Promise.reject(signal), [watch], report)).rejects.toBe(signal);
    expect(seen).toMatchObject([{ status: 'pending', pending: { reason: 'host' } }]);
    expect(report).not.toHaveBeenCalled();
  });

  test('stays an answer where it is not on the list, or only the cause of something else', async () => {
    const other = new Error('Interrupt', { cause: signal });
    expect(await call(() => Promise.reject(other))).toMatchObject({ status: 'error' });
  });

  test('does not replace an answer that the call got meanwhile', async () => {
    const refuse: Guard = defineGuard({
      name: 'refuse',
      phase: 'key',
      around: async (guarded, next) => {
        await next();
        return guarded.refuse('denied', 'No.');
      },
    });
    expect(await call(() => Promise.reject(signal), [refuse])).toMatchObject({ status: 'error', error: { kind: 'denied' } });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['a name', 'Interrupt'],
    ['an object that is no error', { name: 'Interrupt' }],
    ['an error that cannot be read', new Proxy(signal, { get: () => expect.fail('read') })],
  ])('is not %s', (_, thrown) => expect(isInterrupt(thrown)).toBe(false));
});
