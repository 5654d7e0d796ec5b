import { sleep } from '../../../core/time/index.ts';

/** Tries something in the background until it succeeds, three times at most. Keeps no process alive, and never rejects. */
export async function tryLater(hasSucceeded: () => Promise<boolean>, pauseMs: number): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    await sleep(pauseMs, undefined, { background: true });
    if (await hasSucceeded()) return;
  }
}
