import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { FaultKind } from '../../packages/testing/src/simulation/faults.ts';
import { loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { runSeed, type SeedResult } from '../../packages/testing/src/simulation/run-seed.ts';
import { createGraphPool } from '../../packages/testing/src/simulation/world.ts';

/** Settings of a thread for its seeds. */
interface ThreadData {
  readonly text: string;
  readonly faults: readonly FaultKind[];
}

type ThreadResult = Pick<SeedResult, 'seed' | 'violations' | 'figures'>;

/** A thread that runs seeds, one after the other. */
export interface SeedThread {
  readonly run: (seed: number) => Promise<ThreadResult>;
  readonly close: () => Promise<unknown>;
}

/** Opens a thread. A seed gives the same in each of them. */
export function openThread(data: ThreadData): SeedThread {
  // Much is made and thrown away at once.
  const worker = new Worker(new URL(import.meta.url), { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: 64 } });
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(seed) {
      const answer = last.then(
        () =>
          new Promise<ThreadResult>((resolve, reject) => {
            worker.removeAllListeners();
            worker.once('message', resolve);
            worker.once('error', reject);
            worker.postMessage(seed);
          }),
      );
      last = answer.catch(() => undefined);
      return answer;
    },
    close: () => worker.terminate(),
  };
}

if (!isMainThread && parentPort !== null) {
  const { text, faults } = workerData as ThreadData;
  const port = parentPort;
  const graphs = createGraphPool(loadLibrary(text));
  const play = async (seed: number): Promise<void> => {
    const { violations, figures } = await runSeed(seed, { graphs, faults: new Set(faults) });
    port.postMessage({ seed, violations, figures } satisfies ThreadResult);
  };
  port.on('message', (seed: number) => void play(seed));
}
