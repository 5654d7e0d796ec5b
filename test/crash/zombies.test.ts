import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { StoredRecord } from '../../src/core/runtime/index.ts';
import type { Store } from '../../src/extend.ts';
import { createToolbox, defineTool, fail, type Outcome } from '../../src/index.ts';
import { idempotency } from '../../src/parts/guards/index.ts';
import { memoryStore } from '../../src/parts/stores/memory.ts';
import { seededStore } from '../seeded-store.ts';
import { openStore } from '../stores/open-store.ts';
import { usePostgres } from '../use-postgres.ts';

const { folder, connectionString } = usePostgres('zombies');
const leaseMs = 120;

const stores: readonly (readonly [name: string, open: (id: string) => Store])[] = [
  ['memory', () => memoryStore()],
  ['sqlite', (id) => openStore({ path: join(folder, `${id}.db`) })],
  ['postgres', (id) => openStore({ connectionString: connectionString(), schema: `z_${id}` })],
];

interface Process {
  readonly name: string;
  readonly ledger: string[];
  /** What happens in the tool before its step, and after the step took effect. */
  readonly before?: () => unknown;
  readonly after?: () => unknown;
  readonly store: Store;
  readonly reconcile?: boolean;
}

/** A process whose tool writes one line in the ledger, in a step. */
function start({ name, ledger, before, after, store, reconcile = true }: Process) {
  const signals: AbortSignal[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ order: z.string() }),
    idempotency: { key: ({ order }) => order },
    steps: true,
    ...(reconcile && {
      reconcile: () => (ledger.length === 0 ? { effect: 'none' as const } : { effect: 'applied' as const, data: 'paid' }),
    }),
    async run(_, { step, signal }) {
      signals.push(signal);
      await before?.();
      await step('pay', () => void ledger.push(name));
      await after?.();
      return 'paid';
    },
  });
  const box = createToolbox([pay], { use: [idempotency({ store, leaseMs })], report: () => undefined });
  return { signals, pay: () => box.call('pay', { order: 'o1' }, { timeoutMs: 20_000 }) };
}

/** A process that stands still and goes on later: its store does not answer meanwhile. */
function pausable(store: Store) {
  let goOn: () => void = () => undefined;
  let paused: Promise<void> = Promise.resolve();
  const wait =
    <TArgs extends unknown[], TResult>(run: (...args: TArgs) => Promise<TResult>) =>
    async (...args: TArgs) => {
      await paused;
      return run(...args);
    };
  return {
    store: { ...store, get: wait(store.get), put: wait(store.put), remove: wait(store.remove) } satisfies Store,
    pause() {
      paused = new Promise((resolve) => {
        goOn = resolve;
      });
    },
    wakes: () => paused,
    /** Stands still at once, until it is woken. */
    sleep() {
      this.pause();
      return paused;
    },
    wake: () => goOn(),
  };
}

const shown = (outcome: Outcome) => (outcome.status === 'error' ? [outcome.error.kind, outcome.error.effect] : outcome.status);

describe.each(stores)('a process that stood still beyond its lease, on %s', (kind, open) => {
  test('finds the call taken over where nothing can tell what it did, and does not begin its step', async () => {
    const [store, ledger] = [open(`${kind}1`), [] as string[]];
    const a = pausable(store);
    const zombie = start({ name: 'A', ledger, store: a.store, reconcile: false, before: () => a.sleep() });
    const first = zombie.pay();
    await vi.waitFor(() => expect(zombie.signals).toHaveLength(1));
    expect(shown(await start({ name: 'B', ledger, store, reconcile: false }).pay())).toEqual(['interrupted', 'unknown']);
    a.wake();
    expect(shown(await first)).toEqual(['interrupted', 'unknown']);
    expect([ledger, zombie.signals[0]?.aborted]).toEqual([[], true]);
    await store.close();
  });

  test('does not repeat what the process that followed it has done', async () => {
    const [store, ledger] = [open(`${kind}2`), [] as string[]];
    const a = pausable(store);
    const zombie = start({ name: 'A', ledger, store: a.store, before: () => a.sleep() });
    const first = zombie.pay();
    await vi.waitFor(() => expect(zombie.signals).toHaveLength(1));
    expect(shown(await start({ name: 'B', ledger, store }).pay())).toBe('ok');
    a.wake();
    expect(shown(await first)).toEqual(['interrupted', 'unknown']);
    expect([ledger, zombie.signals[0]?.aborted]).toEqual([['B'], true]);
    await store.close();
  });

  test('does not free a key whose effect is not known because of a later process', async () => {
    const [store, ledger] = [open(`${kind}3`), [] as string[]];
    const a = pausable(store);
    const early = async () => {
      a.pause();
      await a.wakes();
      throw fail('unreachable', 'It failed before it did anything.', { effect: 'none' });
    };
    const zombie = start({ name: 'A', ledger, store: a.store, before: early });
    const first = zombie.pay();
    await vi.waitFor(() => expect(zombie.signals).toHaveLength(1));
    const lost = () => {
      throw new Error('the answer was lost');
    };
    expect(await start({ name: 'B', ledger, store, after: lost }).pay()).toMatchObject({ status: 'error', error: { effect: 'applied' } });
    a.wake();
    await first;
    const c = start({ name: 'C', ledger, store });
    expect((await c.pay()).status).toBe('error');
    expect(ledger).toEqual(['B']);
    await store.close();
  });

  test('does not free the key of a later process whose effect it cannot know, with a tool that writes outside of steps', async () => {
    const [store, ledger] = [open(`${kind}4`), [] as string[]];
    const a = pausable(store);
    const asked: string[] = [];
    const box = (name: string, own: Store, run: () => unknown) => {
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
      return createToolbox([pay], { use: [idempotency({ store: own, leaseMs })], report: () => undefined });
    };
    const pay = (toolbox: ReturnType<typeof box>) => toolbox.call('pay', { order: 'o1' }, { timeoutMs: 20_000 });
    const first = pay(
      box('A', a.store, async () => {
        a.pause();
        await a.wakes();
        throw fail('unreachable', 'It failed before it did anything.', { effect: 'none' });
      }),
    );
    await vi.waitFor(async () => expect((await store.list({ space: 'claim', tenant: nilTenant })).length).toBe(1));
    const second = await pay(
      box('B', store, () => {
        ledger.push('B');
        throw new Error('the answer was lost');
      }),
    );
    expect(shown(second)).toEqual(['internal', 'unknown']);
    a.wake();
    await first;
    expect((await pay(box('C', store, () => ledger.push('C')))).status).toBe('ok');
    expect([ledger, asked]).toEqual([['B'], ['B', 'C']]);
    await store.close();
  });
});

describe('a store that answers too late', () => {
  test('leaves no claim of a call that did not run', async () => {
    const store = seededStore();
    const ledger: string[] = [];
    const slow: Store = {
      ...store,
      put: async (...given: Parameters<Store['put']>) => {
        const result = await store.put(...given);
        if (result.ok) await delay(2600);
        return result;
      },
    };
    const late = start({ name: 'late', ledger, store: slow });
    expect(shown(await late.pay())).toEqual(['not_ready', 'none']);
    await vi.waitFor(async () => expect((await store.list({ space: 'claim', tenant: nilTenant })).map(stateOf)).toEqual(['free']), {
      timeout: 20_000,
    });
    // The same for a key that was found free.
    expect(shown(await late.pay())).toEqual(['not_ready', 'none']);
    await vi.waitFor(
      async () => {
        const [record] = await store.list({ space: 'claim', tenant: nilTenant });
        expect([record?.version, stateOf(record)]).toEqual([4, 'free']);
      },
      { timeout: 20_000 },
    );
    expect(shown(await start({ name: 'next', ledger, store }).pay())).toBe('ok');
    expect(ledger).toEqual(['next']);
    await store.close();
  });

  test('gives a key that was taken over too late back to its owner', async () => {
    const store = memoryStore();
    const ledger: string[] = [];
    let goOn: () => void = () => undefined;
    const working = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // The owner lives, but its renewals do not reach the store.
    let isCutOff = false;
    const owner = start({
      name: 'A',
      ledger,
      store: { ...store, put: (...given: Parameters<Store['put']>) => (isCutOff ? new Promise(() => undefined) : store.put(...given)) },
      before: () => {
        isCutOff = true;
      },
      after: () => working,
    });
    const first = owner.pay();
    await vi.waitFor(() => expect(ledger).toEqual(['A']));
    const slow: Store = {
      ...store,
      put: async (...given: Parameters<Store['put']>) => {
        const result = await store.put(...given);
        if (result.ok) await delay(2600);
        return result;
      },
    };
    expect(shown(await start({ name: 'B', ledger, store: slow }).pay())).toMatchObject(['not_ready', expect.anything()]);
    isCutOff = false;
    await vi.waitFor(
      async () => {
        const [record] = await store.list({ space: 'claim', tenant: nilTenant });
        expect([(record?.version ?? 0) >= 3, stateOf(record)]).toEqual([true, 'running']);
      },
      { timeout: 20_000 },
    );
    goOn();
    await first;
    expect(shown(await start({ name: 'C', ledger, store }).pay())).toBe('ok');
    expect(ledger).toEqual(['A']);
    await store.close();
  });
});

const stateOf = (record: StoredRecord | undefined) => (record?.value as { readonly state?: string } | undefined)?.state;
const nilTenant = '00000000-0000-0000-0000-000000000000';
