import type { Progress } from '../../contract/index.ts';

/** Makes a call and yields what it reports on its way; what it comes to is what the generator returns, or throws. */
export async function* followProgress<TEnd>(
  call: (onProgress: (progress: Progress) => void) => Promise<TEnd>,
): AsyncGenerator<Progress, TEnd, undefined> {
  const reports: Progress[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const running = call((progress) => {
    reports.push(progress);
    wake();
  });
  const over = (): void => {
    isOver = true;
    wake();
  };
  // The reader may leave early, and an unhandled rejection would end the process.
  running.then(over, over);
  for (;;) {
    const report = reports.shift();
    if (report !== undefined) yield report;
    else if (isOver) return await running;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
