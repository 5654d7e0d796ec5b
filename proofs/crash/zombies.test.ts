import { join } from 'node:path';
import { createToolbox, defineTool, fail } from 'toolpact';
import { noTenant, type Store } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type * as Time from '../../packages/toolpact/src/time/index.ts';
import { openStore } from '../../packages/toolpact/test/stores/open-store.ts';
import { mortalStore } from '../fixtures/mortal-store.ts';
import { shown, startPaying } from '../fixtures/paying-process.ts';
import { usePostgres } from '../fixtures/use-postgres.ts';

const { folder, connectionString } = usePostgres('zombies');

const stores: readonly (readonly [name: string, open: (id: string) => Store])[] = [
  ['memory', () => memoryStore()],
  ['sqlite', (id) => openStore({ path: join(folder, `${id}.db`) })],
  ['postgres', (id) => openStore({ connectionString: connectionString(), schema: `z_${id}` })],
];

// Deadlines and the time that guards give a store take ten times as long: no answer of this machine is late, however busy it is.
vi.mock('../../packages/toolpact/src/time/index.ts', async (load) => {
  const time = await load<typeof Time>();
  return { ...time, armDeadline: (entry, ms, now) => time.armDeadline(entry, ms * 10, now) } satisfies typeof Time;
});

/** The lease of a process that stands still is short, so that others need not wait long. Theirs is as long as it is by itself: they must keep it. */
const leaseMs = 10_000;

/** A process that stands still and goes on later: its store does not answer meanwhile. */
function pausable(shared: Store) {
  const store = mortalStore(shared);
  let waking = Promise.withResolvers<void>();
  return {
    store,
    pause() {
      waking = Promise.withResolvers();
      store.stop();
    },
    wakes: () => waking.promise,
    /** Stands still at once, until it is woken. */
    sleep() {
      this.pause();
      return this.wakes();
    },
    wake() {
      store.wake();
      waking.resolve();
    },
  };
}

describe.each(stores)('a process that is paused beyond its lease, on %s', (kind, open) => {
  test('learns that another process has finished its call, and does not begin its step', async () => {
    const [store, ledger] = [open(`${kind}1`), [] as string[]];
    const a = pausable(store);
    const zombie = startPaying({ name: 'A', ledger, store: a.store, reconcile: false, before: () => a.sleep() });
    const first = zombie.pay();
    await vi.waitFor(() => expect(zombie.signals).toHaveLength(1));
    // No step was begun in the store, so nothing can have happened.
    expect(shown(await startPaying({ name: 'B', ledger, store, leaseMs, reconcile: false }).pay())).toBe('ok');
    a.wake();
    expect(shown(await first)).toBe('ok');
    expect([ledger, zombie.signals[0]?.aborted]).toEqual([['B'], true]);
    await store.close();
  });

  test('does not repeat the work of the process that took over', async () => {
    const [store, ledger] = [open(`${kind}2`), [] as string[]];
    const a = pausable(store);
    const zombie = startPaying({ name: 'A', ledger, store: a.store, before: () => a.sleep() });
    const first = zombie.pay();
    await vi.waitFor(() => expect(zombie.signals).toHaveLength(1));
    expect(shown(await startPaying({ name: 'B', ledger, store, leaseMs }).pay())).toBe('ok');
    a.wake();
    expect(shown(await first)).toBe('ok');
    expect([ledger, zombie.signals[0]?.aborted]).toEqual([['B'], true]);
    await store.close();
  });

  test('does not free a key whose effect is unknown because of a later process', async () => {
    const [store, ledger] = [open(`${kind}3`), [] as string[]];
    const a = pausable(store);
    const early = async () => {
      a.pause();
      await a.wakes();
      throw fail('unreachable', 'It failed before it did anything.', { effect: 'none' });
    };
    const zombie = startPaying({ name: 'A', ledger, store: a.store, before: early });
    const first = zombie.pay();
    await vi.waitFor(() => expect(zombie.signals).toHaveLength(1));
    const lost = () => {
      throw new Error('the answer was lost');
    };
    expect(await startPaying({ name: 'B', ledger, store, leaseMs, after: lost }).pay()).toMatchObject({
      status: 'error',
      error: { effect: 'applied' },
    });
    a.wake();
    expect(shown(await first)).toEqual(['failed', 'applied']);
    const c = startPaying({ name: 'C', ledger, store, leaseMs });
    expect((await c.pay()).status).toBe('error');
    expect(ledger).toEqual(['B']);
    await store.close();
  });

  test('does not free the key of a later process whose effect is unknown, with a tool that writes outside of steps', async () => {
    const [store, ledger] = [open(`${kind}4`), [] as string[]];
    const a = pausable(store);
    const asked: string[] = [];
    const box = (name: string, own: Store, run: () => unknown, ownMs = leaseMs) => {
      const pay = defineTool({
        name: 'pay',
        description: 'Pays.',
        input: z.object({ order: z.string() }),
        idempotency: { key: ({ order }) => order },
        reconcile: () => {
          asked.push(name);
          return ledger.length === 0 ? { effect: 'none' as const } : { effect: 'applied' as const, data: 'paid' };
        },
        run: () => run() as string,
      });
      return createToolbox([pay], { store: own, calls: { leaseMs: ownMs }, report: () => undefined });
    };
    const pay = (toolbox: ReturnType<typeof box>) => toolbox.call('pay', { order: 'o1' }, { timeoutMs: 20_000 });
    const first = pay(
      box(
        'A',
        a.store,
        async () => {
          a.pause();
          await a.wakes();
          throw fail('unreachable', 'It failed before it did anything.', { effect: 'none' });
        },
        120,
      ),
    );
    await vi.waitFor(async () => expect((await store.calls?.list({ tenant: noTenant, limit: 9 }))?.rows).toHaveLength(1));
    const second = await pay(
      box('B', store, () => {
        ledger.push('B');
        throw new Error('the answer was lost');
      }),
    );
    expect(shown(second)).toEqual(['failed', 'unknown']);
    a.wake();
    expect(shown(await first)).toEqual(['failed', 'unknown']);
    expect((await pay(box('C', store, () => ledger.push('C')))).status).toBe('ok');
    expect([ledger, asked]).toEqual([['B'], ['B', 'C']]);
    await store.close();
  });
});
