// Kills processes again and again, on SQLite and PostgreSQL, and compares what they did with a ledger outside of the store.
// Usage: node scripts/run.mjs proof crashes [--kills 200] [--store sqlite|postgres]
import { parseArgs } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { checkAndExplain } from './explain.ts';
import { proveOnStores } from './prove-on-stores.ts';
import { runLane } from './run-lane.ts';

const { values } = parseArgs({ options: { kills: { type: 'string' }, store: { type: 'string' } } });
const kills = Math.ceil(Number(values.kills) / 2);

await proveOnStores(values.store, async ({ name, store, folder }) => {
  const program = await bundleProgram(folder);
  let done = 0;
  const onKill = (): void => {
    done += 1;
    if (done % 25 === 0) console.log(`${name}: ${done} of ${kills * 2} kills`);
  };
  const lanes = [1, 2].map((seed) => runLane({ name: `${name}-${seed}`, program, store, folder, seed, kills, onKill }));
  const histories = await Promise.all(lanes);
  const killed = histories.flatMap(({ lives }) => lives.filter(({ end }) => end !== 'by itself'));
  const broken = checkAndExplain(name, histories);
  console.log(
    `${name}: ${killed.length} kills, ${histories.flatMap(({ ledger }) => ledger).length} effects, ${broken.length} broken promises`,
  );
  return broken;
});
