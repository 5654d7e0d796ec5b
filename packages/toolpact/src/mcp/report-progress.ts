import type { Progress } from '../contract/index.ts';
import { type StopTimer, systemClock } from '../time/index.ts';
import type { McpRequest } from './mcp-request.ts';

/** Reports to a client how far its call has come. */
export interface ProgressReporter {
  readonly onProgress: (progress: Progress) => void;
  readonly stop: () => void;
}

/** How small a step a sign of life is: the protocol wants every report to be more than the last, though nothing was done. */
const heartbeatStep = 0.001;

/**
 * Reports progress to a client that asked for it, and a sign of life whenever it has heard nothing for `heartbeatMs`, so that its own
 * timeout does not end a call that still runs. Gives nothing for a client that did not ask.
 */
export function reportProgress({ meta, notify }: McpRequest, heartbeatMs: number): ProgressReporter | undefined {
  const { progressToken } = meta;
  if (notify === undefined || (typeof progressToken !== 'string' && typeof progressToken !== 'number')) return undefined;
  let lastSent = 0;
  let total: number | undefined;
  let stopTimer: StopTimer | undefined;

  const send = (progress: number, message?: string): void => {
    lastSent = progress;
    const params = { progressToken, progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    // A client that is gone, or a transport that refuses, must not end the call.
    Promise.resolve()
      .then(() => notify({ method: 'notifications/progress', params }))
      .catch(() => undefined);
    wait();
  };
  const wait = (): void => {
    stopTimer?.();
    if (!(heartbeatMs > 0)) return;
    stopTimer = systemClock.after(heartbeatMs, () => send(lastSent + heartbeatStep), { background: true });
  };

  wait();
  return {
    onProgress: (progress) => {
      total = progress.total ?? total;
      send(progress.done !== undefined && progress.done > lastSent ? progress.done : lastSent + heartbeatStep, progress.message);
    },
    stop: () => stopTimer?.(),
  };
}
