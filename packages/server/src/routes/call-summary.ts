import type { ListedCall } from 'toolpact';
import { toMessagePattern } from 'toolpact/internal';

/** How many calls there were in each minute, and of each tool, and how long they took. */
export interface CallSummary {
  readonly total: number;
  readonly minutes: readonly { readonly minute: string; readonly counts: Counts }[];
  readonly tools: readonly ToolSummary[];
  /** Failures by kind. */
  readonly kinds: Counts;
  /** Failures by what they said about the outside world. */
  readonly effects: Counts;
  /** Messages of `failed` that came more than once, the most frequent first: each could state its kind. Those that differ only in values count as one; the newest is shown. */
  readonly unread: readonly { readonly tool: string; readonly message: string; readonly count: number }[];
  /** Whether these were all calls of the time; false where only the newest were read. */
  readonly complete: boolean;
}

type Counts = Readonly<Record<string, number>>;

type ToolSummary = {
  readonly tool: string;
  readonly counts: Counts;
  /** Of the calls that have ended; absent where none has. */
  readonly tookMs?: { readonly p50: number; readonly p95: number; readonly p99: number };
};

/** Counts calls by minute, tool and kind. Minutes are in order of time, tools in order of their number of calls. */
export function summarizeCalls(calls: readonly ListedCall[], complete: boolean): CallSummary {
  const minutes = groupBy(calls, ({ begunAt }) => `${begunAt.slice(0, 16)}:00.000Z`);
  const tools = groupBy(calls, ({ tool }) => tool);
  return {
    total: calls.length,
    minutes: [...minutes].map(([minute, own]) => ({ minute, counts: countBy(own, ({ status }) => status) })).sort(byMinute),
    tools: [...tools].sort(([, a], [, b]) => b.length - a.length).map(([tool, own]) => ({ tool, ...toToolSummary(own) })),
    kinds: countBy(calls, ({ kind }) => kind),
    effects: countBy(calls, ({ effect }) => effect),
    unread: findUnread(calls),
    complete,
  };
}

const mostUnread = 20;

function findUnread(calls: readonly ListedCall[]): CallSummary['unread'] {
  const failed = calls.filter(({ kind, replayOf }) => kind === 'failed' && replayOf === undefined);
  const alike = groupBy(failed, ({ tool, message = '' }) => JSON.stringify([tool, toMessagePattern(message)]));
  return [...alike.values()]
    .flatMap(([newest, ...others]) =>
      newest === undefined || others.length === 0 ? [] : [{ tool: newest.tool, message: newest.message ?? '', count: others.length + 1 }],
    )
    .sort((a, b) => b.count - a.count)
    .slice(0, mostUnread);
}

function toToolSummary(calls: readonly ListedCall[]): Omit<ToolSummary, 'tool'> {
  const times = calls.flatMap(({ tookMs }) => tookMs ?? []).sort((a, b) => a - b);
  const at = (share: number): number => times[Math.ceil(times.length * share) - 1] ?? 0;
  const tookMs = { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  return { counts: countBy(calls, ({ status }) => status), ...(times.length > 0 && { tookMs }) };
}

function groupBy(calls: readonly ListedCall[], nameOf: (call: ListedCall) => string): Map<string, ListedCall[]> {
  const groups = new Map<string, ListedCall[]>();
  for (const call of calls) {
    const group = groups.get(nameOf(call));
    if (group === undefined) groups.set(nameOf(call), [call]);
    else group.push(call);
  }
  return groups;
}

function countBy(calls: readonly ListedCall[], nameOf: (call: ListedCall) => string | undefined): Counts {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const name = nameOf(call);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function byMinute(a: { readonly minute: string }, b: { readonly minute: string }): number {
  return a.minute < b.minute ? -1 : 1;
}
