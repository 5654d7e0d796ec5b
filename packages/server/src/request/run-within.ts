import type { RequestHead } from './request-head.ts';
import type { ServerState } from './server-state.ts';

const carried = ['traceparent', 'tracestate', 'baggage'] as const;

/** Makes calls inside the trace that a request brings. A failing tracer must not cost the call. */
export function runWithin<TValue>(
  within: NonNullable<ServerState['settings']['within']>,
  { header }: Pick<RequestHead, 'header'>,
  call: () => Promise<TValue>,
): Promise<TValue> {
  let running: Promise<TValue> | undefined;
  const run = (): Promise<TValue> => {
    running ??= call();
    return running;
  };
  try {
    const headers = Object.fromEntries(carried.flatMap((name) => [[name, header(name)]].filter(([, value]) => value !== undefined)));
    void Promise.resolve(within(headers, run)).catch(() => undefined);
  } catch {
    // The call is made below, outside of any trace.
  }
  return run();
}
