import { loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { runSeed, type SeedResult } from '../../packages/testing/src/simulation/run-seed.ts';
import { createGraphPool } from '../../packages/testing/src/simulation/world.ts';
import { bundleLibrary } from './bundle-library.ts';
import { type PlantedBug, plantedBugs } from './planted-bugs.ts';

/** Makes a mistake in the text of the library. Throws where the text has changed, so that the mistake has to be made elsewhere. */
export function plant(text: string, { name, from, to }: PlantedBug): string {
  const places = [...text.matchAll(new RegExp(from.source, 'g'))].length;
  if (places !== 1) throw new Error(`the library has ${places} places for the planted bug "${name}", which needs one: ${from}`);
  return text.replace(from, to);
}

/** Plants each bug and looks for it; prints how many were found. Gives 1 where one was not. */
export async function findPlanted(name?: string): Promise<number> {
  const text = await bundleLibrary();
  const sound = createGraphPool(loadLibrary(text));
  const known = new Map<number, Promise<SeedResult>>();
  const withoutBug = (seed: number): Promise<SeedResult> => {
    const result = known.get(seed) ?? runSeed(seed, { graphs: sound });
    known.set(seed, result);
    return result;
  };
  const bugs = plantedBugs.filter((bug) => name === undefined || bug.name.includes(name));
  let caught = 0;
  for (const bug of bugs) {
    const graphs = createGraphPool(loadLibrary(plant(text, bug)));
    let found: string | undefined;
    for (let seed = 1; seed <= bug.within && found === undefined; seed += 1) {
      const broken = (await runSeed(seed, { graphs })).violations.filter((one) => isOf(bug, one));
      if (broken.length === 0) continue;
      // What the library breaks without the bug is no proof that the bug was found.
      const before = (await withoutBug(seed)).violations.filter((one) => isOf(bug, one)).map(({ invariant }) => invariant);
      const fresh = broken.find(({ invariant }) => !before.includes(invariant));
      if (fresh !== undefined) found = `seed ${seed}, ${fresh.invariant}: ${fresh.message}`;
    }
    if (found !== undefined) caught += 1;
    console.log(`${found === undefined ? 'MISSED' : 'caught'}  ${bug.name}\n          ${found ?? `not within ${bug.within} seeds`}`);
  }
  console.log(`\n${caught}/${bugs.length} planted bugs caught`);
  return caught === bugs.length ? 0 : 1;
}

function isOf({ breaks }: PlantedBug, { invariant }: SeedResult['violations'][number]): boolean {
  return breaks.includes(invariant);
}
