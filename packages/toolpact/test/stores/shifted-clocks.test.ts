import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import type { Ledger, Store } from '../../src/extend.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const { folder, connectionString } = usePostgres('clocks');
const hour = 3_600_000;
const leaseMs = 200;

/** A machine whose clock is wrong by so much, or is set while it runs. */
function machine(open: (now: () => number) => Store, skew: () => number, work: () => unknown = () => 'paid') {
  const now = () => Date.now() + skew();
  const own = open(now);
  const ledger = own.calls as Ledger;
  let signs = 0;
  const heartbeat: Ledger['heartbeat'] = (beat) => {
    signs += 1;
    return ledger.heartbeat(beat);
  };
  const store: Store = { ...own, calls: { ...ledger, heartbeat } };
  let runs = 0;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    idempotency: { key: () => 'one', ttlMs: 60_000 },
    run: () => {
      runs += 1;
      return work() as string;
    },
  });
  const box = createToolbox([pay], { store, calls: { leaseMs }, report: () => undefined });
  /** Waits until so many leases are over, in each of which it signs three times: a process that was taken for dead would be robbed by then. */
  async function passLeases(count: number): Promise<void> {
    const last = signs + 3 * count;
    await vi.waitFor(() => expect(signs).toBeGreaterThanOrEqual(last), { timeout: 10_000 });
  }
  return { passLeases, store, pay: (timeoutMs = 10_000) => box.call('pay', {}, { timeoutMs }), runs: () => runs };
}

function gate() {
  let open: (value: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const shifts = [
  ['an hour behind', -hour],
  ['an hour ahead', hour],
  ['a day behind', -25 * hour],
  ['a day ahead', 25 * hour],
] as const;

describe.each(shifts)('a machine that is %s, on PostgreSQL', (title, shift) => {
  const schema = `clocks_${title.replaceAll(' ', '_')}`;
  const open = (suffix: string) => (now: () => number) =>
    postgresStore({ connectionString: connectionString(), schema: schema + suffix, now });

  test('and one whose clock is right run a key once, although it is remembered for a minute only', async () => {
    const [wrong, right] = [machine(open('a'), () => shift), machine(open('a'), () => 0)];
    expect((await wrong.pay()).status).toBe('ok');
    expect((await right.pay()).meta.replayed).toBe(true);
    expect((await wrong.pay()).meta.replayed).toBe(true);
    expect([wrong.runs(), right.runs()]).toEqual([1, 0]);
    await Promise.all([wrong.store.close(), right.store.close()]);
  });

  test('is not taken for dead while it works', async () => {
    const work = gate();
    const [wrong, right] = [
      machine(
        open('b'),
        () => shift,
        () => work.opened,
      ),
      machine(open('b'), () => 0),
    ];
    const first = wrong.pay();
    await vi.waitFor(() => expect(wrong.runs()).toBe(1));
    const second = right.pay();
    await wrong.passLeases(4);
    work.open('paid');
    expect([(await first).status, (await second).meta.replayed, right.runs()]).toEqual(['ok', true, 0]);
    await Promise.all([wrong.store.close(), right.store.close()]);
  });

  test('gets and gives moments by its own clock', async () => {
    const { store } = machine(open('c'), () => shift);
    const expiresAt = Date.now() + shift + 60_000;
    const at = { space: 's', tenant, key: 'k' };
    await store.put({ ...at, value: 1, expiresAt });
    expect(Math.abs(((await store.get(at))?.expiresAt ?? 0) - expiresAt)).toBeLessThan(2);
    expect(Math.abs((await store.add(at, 1, 1000)).endsAt - (Date.now() + shift + 1000))).toBeLessThan(900);
    await store.close();
  });
});

describe.each(shifts)('a clock that is set %s while a call runs', (title, shift) => {
  test.each([
    ['sqlite', (id: string) => (now: () => number) => sqliteStore({ path: join(folder, `${id}.db`), now })],
    ['postgres', (id: string) => (now: () => number) => postgresStore({ connectionString: connectionString(), schema: `set_${id}`, now })],
  ] as const)('takes the key from nobody, on %s', async (_, open) => {
    const work = gate();
    let skew = 0;
    const opened = open(title.replaceAll(' ', '_'));
    const [one, other] = [
      machine(
        opened,
        () => skew,
        () => work.opened,
      ),
      machine(opened, () => skew),
    ];
    const first = one.pay();
    await vi.waitFor(() => expect(one.runs()).toBe(1));
    const second = other.pay();
    await one.passLeases(1);
    skew = shift;
    await one.passLeases(4);
    work.open('paid');
    expect([(await first).status, (await second).meta.replayed, other.runs()]).toEqual(['ok', true, 0]);
    await Promise.all([one.store.close(), other.store.close()]);
  });
});

test('a clock that is set an hour ahead costs a running call on SQLite at most a take-over: nothing is done twice', async () => {
  const work = gate();
  let skew = 0;
  const now = () => Date.now() + skew;
  const ledger: string[] = [];
  const box = (name: string, price: () => Promise<string>) => {
    const store = sqliteStore({ path: join(folder, 'journal.db'), now });
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      steps: true,
      async run(_, ctx) {
        await ctx.step('charge', () => ledger.push(`${name} charges`));
        await ctx.step('price', price, { effects: 'none' });
        return ctx.step('ship', () => ledger.push(`${name} ships`));
      },
    });
    return { store, toolbox: createToolbox([order], { store, report: () => undefined }) };
  };
  const [one, other] = [box('one', () => work.opened), box('other', async () => '5 €')];
  const first = one.toolbox.call('order', {}, { runId: 'run_1' });
  await vi.waitFor(() => expect(ledger).toEqual(['one charges']));
  skew = hour;
  const [resumed] = await other.toolbox.calls.resume('run_1');
  expect([resumed?.how, resumed?.outcome.status]).toEqual(['repeated', 'ok']);
  work.open('5 €');
  expect(await first).toMatchObject({ status: 'ok', meta: { replayed: true } });
  expect(ledger).toEqual(['one charges', 'other ships']);
  await Promise.all([one.store.close(), other.store.close()]);
});

const tenant = '00000000-0000-0000-0000-000000000000';
