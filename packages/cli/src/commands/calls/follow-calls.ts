import type { CallFilter, ListedCall } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { createCallFeed } from 'toolpact/internal';
import { CliError } from '../../cli-error.ts';
import type { CallSource } from './with-calls.ts';

/** Prints the calls that fit a filter as they begin and end, until its signal stops it. */
export async function followCalls(
  { calls, follow }: Pick<CallSource, 'calls' | 'follow'>,
  filter: CallFilter,
  print: (call: ListedCall) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const since = filter.since === undefined ? undefined : new Date(filter.since).getTime();
  // All calls are looked at: one that runs does not fit `--status error`, and does when it has ended.
  for await (const call of follow(since, signal)) if (isWanted(call, filter) && (await hasText(call, filter, calls))) await print(call);
}

/** Returns the calls of a toolbox as they begin and end. */
export async function* followToolbox(toolbox: object, since: number | undefined, signal: AbortSignal): AsyncGenerator<ListedCall> {
  const supply = insideOf(toolbox).calls;
  if (supply === undefined) throw new CliError('The calls of this toolbox cannot be followed.');
  const feed = createCallFeed(supply, since === undefined ? undefined : { at: since });
  try {
    while (!signal.aborted) {
      yield* (await feed.look()).changed;
      await feed.next(signal);
    }
  } finally {
    feed.close();
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
  const page = await calls.list({ text, since: begunAt, until: Date.parse(begunAt) + 1, limit: 1000 });
  return page.calls.some((call) => call.id === id);
}
