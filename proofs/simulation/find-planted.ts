import { availableParallelism } from 'node:os';
import type { FaultKind } from '../../packages/testing/src/simulation/faults.ts';
import { loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { runScenario } from '../../packages/testing/src/simulation/run-scenario.ts';
import { createGraphPool } from '../../packages/testing/src/simulation/world.ts';
import { bundleLibrary } from './bundle-library.ts';
import { type PlantedBug, plantedBugs } from './planted-bugs.ts';
import { scenarios } from './run-scenarios.ts';
import { openThread } from './seed-thread.ts';

/** Plants a mistake in the text of the library. Throws if the text has changed, so that the mistake has to be planted elsewhere. */
export function plant(text: string, { name, from, to }: PlantedBug): string {
  const places = text.split(from);
  if (places.length !== 2)
    throw new Error(`the library has ${places.length - 1} places for the planted bug "${name}", which needs one: ${from}`);
  return places.join(to);
}

/** Plants each bug and looks for it, in seeds or in its written history; prints how many were found. Gives 1 where one was not. */
export async function findPlanted(faults: readonly FaultKind[], name?: string): Promise<number> {
  const text = await bundleLibrary();
  const bugs = plantedBugs.filter((bug) => name === undefined || bug.name.includes(name));
  const known = new Map<number, Promise<boolean>>();
  const sound = openThread({ text, faults });
  /** Checks that a seed breaks nothing without the bug: otherwise it proves nothing. */
  const isSound = (seed: number): Promise<boolean> => {
    const found = known.get(seed) ?? sound.run(seed).then(({ violations }) => violations.length === 0);
    known.set(seed, found);
    return found;
  };
  let next = 0;
  let caught = 0;
  const share = async (): Promise<void> => {
    for (let bug = bugs[next]; bug !== undefined; bug = bugs[next]) {
      next += 1;
      const planted = plant(text, bug);
      const { within } = bug;
      const found =
        typeof within === 'string' ? await findInScenario(within, planted) : await findInSeeds(within, { text: planted, faults }, isSound);
      if (found !== undefined) caught += 1;
      console.log(
        `${found === undefined ? 'MISSED' : 'caught'}  ${bug.name}\n          ${found ?? `not within ${typeof within === 'string' ? `"${within}"` : `${within} seeds`}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, share));
  await sound.close();
  console.log(`\n${caught}/${bugs.length} planted bugs caught`);
  return caught === bugs.length ? 0 : 1;
}

/** Plays a written history in a library with a planted bug; gives what breaks. */
export async function findInScenario(name: string, text: string): Promise<string | undefined> {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario "${name}"`);
  const [broken] = (await runScenario(scenario, createGraphPool(loadLibrary(text)))).violations;
  return broken && `scenario "${name}", ${broken.invariant}: ${broken.message}`;
}

async function findInSeeds(
  within: number,
  data: Parameters<typeof openThread>[0],
  isSound: (seed: number) => Promise<boolean>,
): Promise<string | undefined> {
  const thread = openThread(data);
  try {
    for (let seed = 1; seed <= within; seed += 1) {
      const [broken] = (await thread.run(seed)).violations;
      if (broken !== undefined && (await isSound(seed))) return `seed ${seed}, ${broken.invariant}: ${broken.message}`;
    }
    return undefined;
  } finally {
    await thread.close();
  }
}
