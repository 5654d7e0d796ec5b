import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fail, ok } from '../../outcome/index.ts';
import type { Guard, LimitState } from '../../ports/index.ts';
import { defineTool, insideOf } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { budget } from './budget.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { concurrency } from './concurrency.ts';
import { rateLimit } from './rate-limit.ts';

const acme = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const startedAt = 1_000_000;

function setUp(guard: Guard) {
  let release: () => void = () => undefined;
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    effects: 'none',
    input: z.object({ want: z.enum(['ok', 'down', 'wait']) }),
    async run({ want }) {
      if (want === 'wait') {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return want === 'down' ? fail('unreachable', 'It is down.') : ok(want, { tokenUsage: { total: 40 } });
    },
  });
  const toolbox = createToolbox([ask], { report: () => undefined, use: [guard] });
  const [arranged] = insideOf(toolbox).guards;
  const limits = async (tenantId = acme): Promise<readonly LimitState[]> => (await arranged?.limits?.({ tenantId, tools: ['ask'] })) ?? [];
  return {
    limits,
    call: (want: 'ok' | 'down' | 'wait', context = {}) => toolbox.call('ask', { want }, { tenantId: acme, ...context }),
    release: () => release(),
  };
}

describe('how limits stand', () => {
  test.each([
    ['in this process', undefined],
    ['in a store', memoryStore()],
  ])('a rate limit counted %s reports the calls of the window, to their own tenant alone', async (_, store) => {
    const { call, limits } = setUp(rateLimit({ limit: 3, now: () => startedAt, ...(store && { store }) }));
    expect(await limits()).toEqual([]);
    await call('ok');
    await call('ok');
    const [limit, ...more] = await limits();
    expect(limit).toMatchObject({ key: 'tool:ask', tool: 'ask', used: 2, limit: 3 });
    expect(limit?.until).toBeGreaterThan(startedAt);
    expect(more).toEqual([]);
    expect(await limits(other)).toEqual([]);
  });

  test('a rate limit of all tenants together says so', async () => {
    const { call, limits } = setUp(rateLimit({ limit: 3, by: 'tool' }));
    await call('ok');
    expect(await limits(other)).toMatchObject([{ tool: 'ask', used: 1, isShared: true }]);
  });

  test('a circuit is closed, then open, then waits for a call that tries', async () => {
    let time = startedAt;
    const { call, limits } = setUp(circuitBreaker({ failures: 2, openMs: 5_000, now: () => time }));
    expect(await limits()).toEqual([{ key: 'tool:ask', tool: 'ask', used: 0, limit: 2, state: 'closed' }]);
    await call('down');
    expect(await limits()).toMatchObject([{ used: 1, state: 'closed' }]);
    await call('down');
    expect(await limits()).toMatchObject([{ state: 'open', until: startedAt + 5_000 }]);
    expect(await limits(other)).toMatchObject([{ state: 'closed', used: 0 }]);
    time += 6_000;
    expect(await limits()).toMatchObject([{ state: 'probing' }]);
    await call('ok');
    expect(await limits()).toMatchObject([{ state: 'closed' }]);
  });

  test('circuits that a function names are reported once a call came to them', async () => {
    const { call, limits } = setUp(circuitBreaker({ by: () => 'the bank' }));
    expect(await limits()).toEqual([]);
    await call('ok');
    expect(await limits()).toMatchObject([{ key: 'by:the bank', state: 'closed' }]);
    expect(await limits(other)).toEqual([]);
  });

  test('concurrency reports what runs and what waits, and nothing that has no limit', async () => {
    const { call, limits, release } = setUp(concurrency({ max: 1 }));
    const first = call('wait');
    const second = call('ok');
    await new Promise(setImmediate);
    expect(await limits()).toEqual([{ key: 'all', used: 1, limit: 1, waiting: 1, isShared: true }]);
    release();
    await Promise.all([first, second]);
    expect(await limits()).toEqual([{ key: 'all', used: 0, limit: 1, waiting: 0, isShared: true }]);
  });

  test('a budget reports what a run has spent', async () => {
    const { call, limits } = setUp(budget());
    await call('ok', { runId: 'run_7', budgetTokens: 100 });
    expect(await limits()).toMatchObject([{ key: 'run:run_7', used: 40, limit: 100 }]);
    expect(await limits(other)).toEqual([]);
  });
});
