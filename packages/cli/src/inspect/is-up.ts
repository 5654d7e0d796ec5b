import { systemClock } from 'toolpact/internal';

/** How long the server may take to answer before that is said. */
const patienceMs = 2_000;

/** Checks whether anything answers at an address, with whatever status. */
export async function isUp(target: URL): Promise<boolean> {
  const stop = new AbortController();
  const stopTimer = systemClock.after(patienceMs, () => stop.abort());
  try {
    await (await fetch(new URL('healthz', target.href.endsWith('/') ? target : `${target.href}/`), { signal: stop.signal })).body?.cancel();
    return true;
  } catch {
    return false;
  } finally {
    stopTimer();
  }
}
