import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ToolpactEvent } from '../../events/index.ts';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-equal-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: readonly (readonly [string, () => Store])[] = [
  ['memory', () => memoryStore()],
  ['sqlite', () => sqliteStore({ path: join(folder, `${crypto.randomUUID()}.db`) })],
];
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : JSON.stringify(outcome));

/** Counts the questions that are written, those that are removed again too: a person may see each of them. */
function setUp(inner: Store, maxWaiting = 1_000) {
  const [asked, events] = [new Set<string>(), [] as ToolpactEvent[]];
  const ledger = inner.calls as Ledger;
  const store: Store = {
    ...inner,
    calls: {
      ...ledger,
      async begin(call) {
        const begun = await ledger.begin(call);
        if (begun.is === 'begun' && call.wait !== undefined) asked.add(call.id);
        return begun;
      },
    },
  };
  const mail = defineTool({
    name: 'send_mail',
    description: 'Sends a mail.',
    input: z.object({ to: z.string() }),
    approval: true,
    run: () => 'sent',
  });
  const box = createToolbox([mail], {
    store,
    calls: { maxWaiting },
    events: { emit: (event) => events.push(event) },
    report: () => undefined,
  });
  return { box, asked, events };
}

describe.each(stores)('equal calls of one moment on %s', (_, open) => {
  const context = { tenantId: '11111111-1111-4111-8111-111111111111', runId: 'run' };

  test('make one question and get one handle', async () => {
    const { box, asked, events } = setUp(open());
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => box.call('send_mail', { to: 'ann' }, context)));
    expect([...new Set(outcomes.map(handleOf))]).toEqual([...asked]);
    expect(events.filter(({ type }) => type === 'approval-requested')).toHaveLength(1);
    expect(await box.with(context).approvals.list()).toHaveLength(1);
  });

  test('count as one of those that may wait', async () => {
    const { box } = setUp(open(), 1);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => box.call('send_mail', { to: 'ann' }, context)));
    expect(new Set(outcomes.map(handleOf)).size).toBe(1);
    expect(await box.call('send_mail', { to: 'bob' }, context)).toMatchObject({ error: { kind: 'rate_limited', effect: 'none' } });
  });

  test('use an approval that was given once, and the others ask again together', async () => {
    const { box, asked } = setUp(open());
    await box.with(context).approvals.decide(handleOf(await box.call('send_mail', { to: 'ann' }, context)), 'approve');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => box.call('send_mail', { to: 'ann' }, context)));
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(1);
    expect(new Set(outcomes.filter(({ status }) => status === 'pending').map(handleOf)).size).toBe(1);
    expect(asked.size).toBe(2);
  });
});

test('a store that hung keeps no later equal call from asking', async () => {
  const inner = memoryStore();
  const ledger = inner.calls as Ledger;
  let isHanging = true;
  const store: Store = {
    ...inner,
    calls: { ...ledger, begin: (call) => (isHanging ? new Promise<never>(() => {}) : ledger.begin(call)) },
  };
  const { box } = setUp(store);
  expect(await box.call('send_mail', { to: 'ann' }, { timeoutMs: 50 })).toMatchObject({ status: 'error' });
  isHanging = false;
  expect(await box.call('send_mail', { to: 'ann' })).toMatchObject({ status: 'pending' });
});
