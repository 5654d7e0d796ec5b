import { loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { searchScenario } from '../../packages/testing/src/simulation/search-scenario.ts';
import { createGraphPool } from '../../packages/testing/src/simulation/world.ts';
import { bundleLibrary } from './bundle-library.ts';
import { smallestCases } from './smallest-cases.ts';

/** Searches the smallest cases whole, and prints how many histories that took; gives 1 where one of them breaks something. */
export async function runSearch(mostFaults: number): Promise<number> {
  const graphs = createGraphPool(loadLibrary(await bundleLibrary()));
  let searched = 0;
  let broken = 0;
  for (const scenario of smallestCases) {
    const result = await searchScenario(scenario, { graphs, mostFaults });
    searched += result.histories;
    broken += result.broken.length;
    console.log(`${scenario.name}: ${result.histories} histories, ${result.broken.length} broken`);
    for (const { choices, messages } of result.broken.slice(0, 5)) console.log(`  ${choices.join(' ')}\n    ${messages.join('\n    ')}`);
  }
  console.log(`${searched} histories with at most ${mostFaults} faults: all orders of their requests, ${broken} broken`);
  return broken > 0 ? 1 : 0;
}
