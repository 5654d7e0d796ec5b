// npm run simulate: many seeds of simulated processes, callers, people and faults, over the real code of the library.
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type FaultKind, faultKinds, usualFaults } from '../../packages/testing/src/simulation/faults.ts';
import { renderHistory } from '../../packages/testing/src/simulation/history.ts';
import { groupViolations } from '../../packages/testing/src/simulation/invariants/group-violations.ts';
import { loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { runSeed, type SeedResult } from '../../packages/testing/src/simulation/run-seed.ts';
import { createGraphPool } from '../../packages/testing/src/simulation/world.ts';
import { bundleLibrary } from './bundle-library.ts';
import { findPlanted } from './find-planted.ts';
import { keepSeeds, readFixedSeeds } from './fixed-seeds.ts';
import { runScenarios } from './run-scenarios.ts';
import { runSearch } from './run-search.ts';
import { openThread } from './seed-thread.ts';

const help = `npm run simulate -- [options]

  --seeds <n>        run n seeds (200), --from <n> the first (1); --for <s> as many as s seconds allow, after those that once broke something
  --new <n>          run n seeds that nobody has run, and keep those that fail in fixed-seeds.json
  --threads <n>      how many at once (as many as there are processors)
  --seed <n>         run one seed and print its history; --whole with every store operation
  --fault off        without faults; --fault crash,pause with these alone: ${faultKinds.join(', ')};
                     all but setback (the clock of the store is set back) unless stated
  --stop             stop at the first seed that fails, and print its history
  --scenario <name>  run a scenario, or all; --whole prints what happened
  --search <n>       play the smallest cases in all orders of their requests, with at most n faults (1) in each history
  --planted          run the library with each of the planted bugs, and print how many are caught; --only <words of a name>
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    for: { type: 'string' },
    new: { type: 'string' },
    threads: { type: 'string' },
    search: { type: 'string' },
    seed: { type: 'string' },
    fault: { type: 'string' },
    whole: { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(help);
else if (values.scenario !== undefined) process.exitCode = await runScenarios(values.scenario, values.whole);
else if (values.planted) process.exitCode = await findPlanted([...usualFaults], values.only);
else if (values.seed !== undefined) process.exitCode = await showSeed(values.seed);
else if (values.search !== undefined) process.exitCode = await runSearch(Number(values.search));
else if (values.new !== undefined) process.exitCode = await runSeeds(countUp(randomInt(1e6, 1e12), Number(values.new)), true);
else if (values.for !== undefined) process.exitCode = await runSeeds(untilOver(Number(values.for)));
else process.exitCode = await runSeeds(countUp(Number(values.from), Number(values.seeds ?? 200)));
// Simulated processes that died wait for ever, but nothing keeps this one.
process.exit();

function faultsOf(text: string | undefined): ReadonlySet<FaultKind> {
  if (text === undefined) return usualFaults;
  if (text === 'off') return new Set();
  const kinds = text.split(',') as FaultKind[];
  const unknown = kinds.find((kind) => !faultKinds.includes(kind));
  if (unknown !== undefined) throw new Error(`--fault: there is no "${unknown}"; there are ${faultKinds.join(', ')}, and off`);
  return new Set(kinds);
}

async function showSeed(seed: string): Promise<number> {
  const graphs = createGraphPool(loadLibrary(await bundleLibrary()));
  const result = await runSeed(seed, { graphs, faults: faultsOf(values.fault), isWhole: values.whole });
  console.log(renderHistory(result.history));
  console.log(`\n${JSON.stringify(result.figures)}\nfingerprint ${result.print}`);
  return show(result);
}

function show({ seed, violations }: SeedResult): number {
  for (const { invariant, message } of violations) console.log(`seed ${seed}: ${invariant}: ${message}`);
  return violations.length > 0 ? 1 : 0;
}

function* countUp(from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed += 1) yield seed;
}

/** Returns the seeds that once broke something, then 1, 2, 3 … for some seconds. */
function* untilOver(seconds: number): Generator<number> {
  yield* readFixedSeeds();
  const until = performance.now() + seconds * 1000;
  for (let seed = 1; performance.now() < until; seed += 1) yield seed;
}

async function runSeeds(seeds: Generator<number>, isKept = false): Promise<number> {
  const text = await bundleLibrary();
  const faults = [...faultsOf(values.fault)];
  const figures: SeedResult['figures'][] = [];
  const failed: Pick<SeedResult, 'seed' | 'violations'>[] = [];
  const startedAt = performance.now();
  let isStopped = false;
  const share = async (): Promise<void> => {
    const thread = openThread({ text, faults });
    for (const seed of seeds) {
      const result = await thread.run(seed);
      figures.push(result.figures);
      if (result.violations.length > 0) failed.push({ seed, violations: result.violations });
      if (values.stop && result.violations.length > 0) isStopped = true;
      if (isStopped) break;
    }
    await thread.close();
  };
  await Promise.all(Array.from({ length: Number(values.threads ?? availableParallelism()) }, share));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage();
  const ran = figures.length;
  const mean = (name: string): string => (figures.reduce((sum, one) => sum + (one[name] ?? 0), 0) / ran).toFixed(1);
  const part = (name: string): string => `${((figures.filter((one) => (one[name] ?? 0) > 0).length / ran) * 100).toFixed(0)} %`;
  const perSecond = (ran / seconds).toFixed(1);
  console.log(
    `${ran} seeds in ${seconds.toFixed(1)} s: ${perSecond} seeds/s, ${((user + system) / 1000 / ran).toFixed(0)} ms of processor time each`,
  );
  console.log(
    `per seed: ${mean('processes')} processes, ${mean('calls')} calls, ${mean('runs')} runs, ${mean('steps')} steps, ${mean('faults')} faults, ${mean('operations')} store operations, ${(Number(mean('virtualMs')) / 1000).toFixed(1)} s of virtual time`,
  );
  console.log(
    `seeds that reach a take-over: ${part('takenOver')}, a lost call: ${part('lost')}, a cancel: ${part('cancel')}, an approval: ${part('approve')}, one with changes: ${part('edit')}, a use of a standing grant: ${part('grant used')}, an answer: ${part('settle')}, a rerun: ${part('rerun')}`,
  );
  failed.sort((one, other) => Number(one.seed) - Number(other.seed));
  console.log(`seeds with a broken invariant: ${failed.length}`);
  for (const { invariant, seeds, example } of groupViolations(failed)) {
    const shown = `${seeds.slice(0, 12).join(', ')}${seeds.length > 12 ? ', …' : ''}`;
    console.log(`\n${invariant}, ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}: ${shown}\n  ${example}`);
  }
  if (isKept && failed.length > 0) keepSeeds(failed.map(({ seed }) => Number(seed)));
  const [first] = failed;
  if (values.stop && first !== undefined) await showSeed(String(first.seed));
  return failed.length > 0 ? 1 : 0;
}
