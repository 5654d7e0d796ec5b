import type { Terminal } from '../print/terminal.ts';

/** One Ctrl-C can arrive several times: from the terminal, and from each program in between that passes it on. */
const sameKeyMs = 500;

/** The signals that ask a process to stop. Windows has no SIGTERM from outside; there SIGBREAK (Ctrl-Break) and SIGHUP (a closed window) come instead. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/**
 * Waits for Ctrl-C, SIGTERM or the end of the terminal; a second signal ends the process at once. Call it before the process says that it is
 * ready: a signal that no code listens for ends the process without closing anything.
 */
export function untilStopped({ signals, exit }: Pick<Terminal, 'signals' | 'exit'>): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined;
    for (const signal of stopSignals) {
      signals.on(signal, () => {
        if (stoppedAt !== undefined && performance.now() - stoppedAt > sameKeyMs) exit(signal === 'SIGINT' ? 130 : 143);
        stoppedAt ??= performance.now();
        resolve(signal);
      });
    }
  });
}

/** Runs something that Ctrl-C stops through its signal. A second Ctrl-C ends the process as if no code listened. */
export async function untilInterrupted<TResult>(
  { signals }: Pick<Terminal, 'signals'>,
  run: (signal: AbortSignal) => Promise<TResult>,
): Promise<TResult> {
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  signals.once('SIGINT', onInterrupt);
  try {
    return await run(stop.signal);
  } finally {
    signals.off('SIGINT', onInterrupt);
  }
}
