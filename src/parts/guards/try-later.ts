/** Tries something in the background until it succeeds, three times at most. Keeps no process alive, and never rejects. */
export async function tryLater(hasSucceeded: () => Promise<boolean>, pauseMs: number): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      // Not every platform's timers can be told to keep nothing alive.
      (timer as { unref?: () => void }).unref?.();
    });
    if (await hasSucceeded()) return;
  }
}
