import { statSync } from 'node:fs';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { payingBox } from './ledgers.ts';

const inFlight = 64;
const hour = 3_600_000;
const minute = 60_000;

/** Makes an hour's worth of recorded calls with a key, which are remembered for a minute of it, and tells how large the file is meanwhile. */
export async function watchSize(path: string, calls: number): Promise<void> {
  let time = 1_800_000_000_000;
  const now = () => time;
  const store = sqliteStore({ path, durability: 'normal', now });
  const box = payingBox(store, () => undefined, { ttlMs: minute });
  const [stepMs, startedAt] = [(inFlight * hour) / calls, performance.now()];
  const megabytes = () => (statSync(path).size + statSync(`${path}-wal`).size) / 1e6;
  const sizes: number[] = [];
  for (let done = 0, told = 0; done < calls; done += inFlight) {
    const orders = Array.from({ length: inFlight }, (_, index) => `${done + index}`);
    await Promise.all(orders.map((order) => box.call('pay', { order, amount: 42 }, { runId: `run-${done}` })));
    time += stepMs;
    if (done < told) continue;
    told += calls / 20;
    sizes.push(megabytes());
    console.log(`${done.toLocaleString('en').padStart(10)} calls: ${megabytes().toFixed(1)} MB`);
  }
  const rate = Math.round((calls * 1000) / (performance.now() - startedAt)).toLocaleString('en');
  console.log(`${calls.toLocaleString('en').padStart(10)} calls: ${megabytes().toFixed(1)} MB, ${rate} calls/s`);
  const [early, late] = [Math.max(...sizes.slice(2, 10)), Math.max(...sizes.slice(10))];
  console.log(
    `the second half is ${(late / early).toFixed(2)} × the first at most (target: ≤ 1.2 ×; ${late <= early * 1.2 ? 'met' : 'NOT met'})`,
  );
  // Claims of running calls are kept for ten minutes more.
  time += 12 * minute;
  await store.sweep();
  console.log(`after the last has expired and a sweep: ${megabytes().toFixed(1)} MB`);
  await store.close();
}
