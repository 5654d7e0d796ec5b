// Kills processes again and again, on SQLite and PostgreSQL, and compares what they did with a ledger outside of the store.
// Usage: node scripts/run.mjs proof crashes [--kills 200] [--store sqlite|postgres]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { checkHistory } from './check-history.ts';
import { checkAndExplain } from './explain.ts';
import { phases } from './lifetime.ts';
import { type ProvedStore, proveOnStores } from './prove-on-stores.ts';
import { type History, runLane } from './run-lane.ts';

const { values } = parseArgs({ options: { kills: { type: 'string' }, store: { type: 'string' } } });
const kills = Math.ceil(Number(values.kills) / 2);

const killed = (histories: readonly History[]) => histories.flatMap(({ lives }) => lives.filter(({ end }) => end !== 'by itself'));

await proveOnStores(values.store, async (on) => {
  const broken = [...(await killAtEveryPoint(on)), ...(on.name === 'postgres' ? await answerLate(on) : await catchLies(on))];
  console.log(`${on.name}: ${broken.length} broken promises`);
  return broken;
});

/** Two lanes of processes on one store, each killed at every point of a call at least once. */
async function killAtEveryPoint({ name, store, folder }: ProvedStore): Promise<string[]> {
  const program = await bundleProgram(folder, new URL('live-once.ts', import.meta.url));
  let done = 0;
  const onKill = (): void => {
    done += 1;
    if (done % 25 === 0) console.log(`${name}: ${done} of ${kills * 2} kills`);
  };
  const lane = (seed: number) =>
    runLane({ name: `${name}-${seed}`, program, store, folder, seed, kills, everyPoint: kills >= phases.length, onKill });
  const histories = await Promise.all([lane(1), lane(2)]);
  const broken = checkAndExplain(name, histories);
  if (killed(histories).length < kills * 2) broken.push(`${name}: only ${killed(histories).length} of ${kills * 2} processes were killed`);
  console.log(`${name}: ${killed(histories).length} kills, ${histories.flatMap(({ ledger }) => ledger).length} effects`);
  return broken;
}

/** A store that often answers too late: nothing is done twice, and what could not be protected or recorded is said. */
async function answerLate({ name, store, folder }: ProvedStore): Promise<string[]> {
  const storeMs = 1_000;
  const program = await bundleProgram(folder, new URL('live-once.ts', import.meta.url), storeMs);
  const late = { oneOf: 40, byMs: 2 * storeMs };
  const lateKills = Math.ceil(kills / 10);
  const history = await runLane({ name: `${name}-late`, program, store, folder, seed: 4, storeMs, late, kills: lateKills });
  const broken = checkAndExplain(`${name}-late`, [history]);
  if (!history.lives.some(({ told }) => told.some(({ type }) => type === 'late'))) broken.push('no answer of the store was late');
  console.log(`${name}, answers late: ${killed([history]).length} kills, ${history.ledger.length} effects`);
  return broken;
}

/** A store that acknowledges what it forgets: the same check must catch it, or it proves nothing. */
async function catchLies({ folder }: ProvedStore): Promise<string[]> {
  const program = await bundleProgram(folder, new URL('live-once.ts', import.meta.url));
  const store = { path: join(folder, 'lies.db') };
  const history = await runLane({ name: 'lies', program, store, folder, seed: 3, kills: 12, forgets: 2 });
  const isCaught = checkHistory(history).some((sentence) => / was executed twice$/.test(sentence));
  console.log(`a store that forgets what it acknowledged: ${isCaught ? 'caught' : 'NOT caught'}`);
  return isCaught ? [] : ['a store that forgets what it acknowledged was not caught'];
}
