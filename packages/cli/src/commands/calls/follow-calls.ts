import type { CallFilter, CallPage, ListedCall, RecordedCall } from 'toolpact';
import { createCallFeed, sleep } from 'toolpact/internal';

/** Where calls are read: a store, the toolbox of the project, or a server. */
export interface CallSource {
  readonly calls: (filter: CallFilter) => Promise<CallPage>;
  readonly findCall: (id: string) => Promise<RecordedCall | undefined>;
}

const followEveryMs = 500;

/** Prints the calls that fit a filter as they begin and end, until its signal stops it. */
export async function followCalls(
  { calls, findCall }: CallSource,
  filter: CallFilter,
  print: (call: ListedCall) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const since = filter.since === undefined ? undefined : { at: new Date(filter.since).getTime() };
  // All calls are looked at: one that runs does not fit `--status error`, and does when it has ended.
  const look = createCallFeed({ list: calls, get: findCall, now: Date.now }, since);
  while (!signal.aborted) {
    const { changed } = await look();
    for (const call of changed) if (isWanted(call, filter) && (await hasText(call, filter, calls))) await print(call);
    await sleep(followEveryMs, signal);
  }
}

function isWanted(call: ListedCall, { tool, status, kind, runId }: CallFilter): boolean {
  const isOneOf = (given: string | readonly string[] | undefined, value: string | undefined): boolean =>
    given === undefined || [given].flat().some((one) => one === value);
  return isOneOf(tool, call.tool) && isOneOf(status, call.status) && isOneOf(kind, call.kind) && isOneOf(runId, call.runId);
}

/** Asks what keeps the call: a listed call does not hold its texts. */
async function hasText({ id, begunAt }: ListedCall, { text }: CallFilter, calls: CallSource['calls']): Promise<boolean> {
  if (text === undefined) return true;
  const page = await calls({ text, since: begunAt, until: Date.parse(begunAt) + 1, limit: 1000 });
  return page.calls.some((call) => call.id === id);
}
