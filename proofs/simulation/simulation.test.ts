import { beforeAll, describe, expect, test } from 'vitest';
import { type LoadedLibrary, loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { runScenario, type Scenario } from '../../packages/testing/src/simulation/run-scenario.ts';
import { runSeed, type SeedResult } from '../../packages/testing/src/simulation/run-seed.ts';
import { playChoices, searchScenario } from '../../packages/testing/src/simulation/search-scenario.ts';
import { createGraphPool, type GraphPool } from '../../packages/testing/src/simulation/world.ts';
import { bundleLibrary } from './bundle-library.ts';
import { findInScenario, plant } from './find-planted.ts';
import { plantedBugs } from './planted-bugs.ts';
import { brokenToday, scenarios } from './run-scenarios.ts';
import { smallestCases } from './smallest-cases.ts';

let library: LoadedLibrary;
let graphs: GraphPool;
beforeAll(async () => {
  library = loadLibrary(await bundleLibrary());
  graphs = createGraphPool(library);
});

describe('a seed', () => {
  test('repeats its history to the letter, also after other seeds, and with modules that no other process used', async () => {
    const first = await runSeed(3, { graphs, isWhole: true });
    await runSeed(4, { graphs });
    const again = await runSeed(3, { graphs, isWhole: true });
    const fresh = await runSeed(3, { graphs: createGraphPool(library, true), isWhole: true });
    expect(again.history).toEqual(first.history);
    expect(fresh.history).toEqual(first.history);
    expect([again.print, fresh.print]).toEqual([first.print, first.print]);
  });

  test('has a different history than another seed', async () => {
    const [one, other] = [await runSeed(3, { graphs }), await runSeed(4, { graphs })];
    expect(one.print).not.toBe(other.print);
  });

  test('reaches the situations it is meant for', async () => {
    const seeds: SeedResult[] = [];
    for (let seed = 1; seed <= 40; seed += 1) seeds.push(await runSeed(seed, { graphs }));
    const mean = (name: string): number => seeds.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0) / seeds.length;
    expect(mean('processes')).toBeGreaterThanOrEqual(3);
    expect(mean('calls')).toBeGreaterThanOrEqual(20);
    expect(mean('faults')).toBeGreaterThanOrEqual(10);
    expect(mean('operations')).toBeGreaterThanOrEqual(200);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('without faults, nothing breaks: seed %i', async (seed) => {
  const { violations } = await runSeed(seed, { graphs, faults: new Set() });
  expect(violations).toEqual([]);
});

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('the scenario "%s"', async (name, scenario) => {
  const { violations } = await runScenario(scenario, graphs);
  if (brokenToday.includes(name)) expect(violations).not.toEqual([]);
  else expect(violations).toEqual([]);
});

describe('a process that is killed before or after any of its statements', () => {
  /** A call whose process dies at one of its requests to the store; another process has a worker. */
  const killed = (tool: string, when: 'before' | 'after', skip: number): Scenario => ({
    name: `${tool}, killed ${when} statement ${skip}`,
    about: 'Whatever was written by then, the call ends truly and nothing is done twice.',
    async run({ start, call, sleep, befall }) {
      const first = start('A', { hasWorker: false, faults: befall(/./, { [when]: 'die' }, { skip }) });
      void call(first, tool, `${tool}-1`, 'c1-1');
      await sleep(3_000);
      start('B');
      await sleep(5_000);
    },
  });

  test.each(['pay', 'order', 'transfer', 'gather', 'nap', 'book', 'ask', 'erase'])('breaks no promise with the tool "%s"', async (tool) => {
    let kills = 0;
    for (const when of ['before', 'after'] as const) {
      for (let skip = 0; ; skip += 1) {
        const { violations } = await runScenario(killed(tool, when, skip), graphs);
        // It has made all its requests.
        if (violations.some(({ message }) => message.endsWith('never came'))) break;
        expect(violations, `${when} statement ${skip}`).toEqual([]);
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThanOrEqual(6);
  });
});

test('every planted bug still fits one place in the library', async () => {
  const text = await bundleLibrary();
  for (const bug of plantedBugs) expect(plant(text, bug)).not.toBe(text);
});

test.each(plantedBugs.flatMap((bug) => (typeof bug.within === 'string' ? [[bug.name, bug.within, bug] as const] : [])))(
  'the planted bug "%s" is found in the scenario "%s"',
  async (_, within, bug) => {
    expect(await findInScenario(within, plant(await bundleLibrary(), bug))).toBeDefined();
  },
);

describe('a search', () => {
  test.each(smallestCases.map((scenario) => [scenario.name, scenario] as const))(
    'breaks nothing in the smallest case "%s"',
    async (_, scenario) => {
      expect((await searchScenario(scenario, { graphs, mostFaults: 0 })).isWhole).toBe(true);
      const { broken } = await searchScenario(scenario, { graphs, mostFaults: 1, mostHistories: 300 });
      expect(broken).toEqual([]);
    },
  );

  test('finds what is wrong, and plays it again by its choices', async () => {
    const bug = plantedBugs.find(({ name }) => name === 'two calls have one key') as (typeof plantedBugs)[number];
    const wrong = createGraphPool(loadLibrary(plant(await bundleLibrary(), bug)));
    const [keyed] = smallestCases as readonly [Scenario];
    const { broken } = await searchScenario(keyed, { graphs: wrong, mostFaults: 0 });
    const [first] = broken;
    expect(first?.messages.join()).toContain('took effect twice');
    const again = await playChoices(keyed, wrong, 0, first?.choices ?? []);
    expect(again.violations.map(({ message }) => message).join()).toContain('took effect twice');
  });
});
