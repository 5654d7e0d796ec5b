import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { skipTime, until } from '../../../../proofs/fixtures/skip-time.ts';
import type { Ledger, Store } from '../../src/extend.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-clocks-'));
afterAll(() => rmSync(folder, { recursive: true }));
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
    await until(() => expect(signs).toBeGreaterThanOrEqual(last));
  }
  return { passLeases, store, pay: () => box.call('pay', {}, { timeoutMs: 30_000 }), runs: () => runs };
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

describe.each(shifts)('a clock that is set %s while a call runs', (title, shift) => {
  skipTime();

  test('takes the key from nobody, on SQLite', async () => {
    const work = gate();
    let skew = 0;
    const opened = (now: () => number) => sqliteStore({ path: join(folder, `${title.replaceAll(' ', '_')}.db`), now });
    const [one, other] = [
      machine(
        opened,
        () => skew,
        () => work.opened,
      ),
      machine(opened, () => skew),
    ];
    const first = one.pay();
    await until(() => expect(one.runs()).toBe(1));
    const second = other.pay();
    await one.passLeases(1);
    skew = shift;
    await one.passLeases(4);
    work.open('paid');
    expect([await first, await second, other.runs()]).toMatchObject([{ status: 'ok' }, { status: 'ok', meta: { replayed: true } }, 0]);
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
