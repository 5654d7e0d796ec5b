/** One Ctrl-C can arrive several times: from the terminal, and from each program in between that passes it on. */
const sameKeyMs = 500;

/** Waits for Ctrl-C, SIGTERM or the end of the terminal; a second signal ends the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (stoppedAt !== undefined && performance.now() - stoppedAt > sameKeyMs) process.exit(signal === 'SIGINT' ? 130 : 143);
        stoppedAt ??= performance.now();
        resolve(signal);
      });
    }
  });
}
