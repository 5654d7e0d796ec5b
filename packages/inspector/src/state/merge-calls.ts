import type { CallPage, ListedCall } from '../api/api-shapes.ts';

/** The most calls that are kept on the page; older ones are read again from the server when they are filtered for. */
export const maxCalls = 20_000;

/** Puts calls into a list that is newest first: a call that is there is replaced in place, a new one goes where its time says. */
export function mergeCalls(rows: readonly ListedCall[], changed: Iterable<ListedCall>): readonly ListedCall[] {
  const byId = new Map<string, ListedCall>();
  for (const call of changed) byId.set(call.id, newer(byId.get(call.id), call));
  if (byId.size === 0) return rows;
  const merged = rows.map((row) => {
    const call = byId.get(row.id);
    if (call === undefined) return row;
    byId.delete(row.id);
    return newer(row, call);
  });
  if (byId.size === 0) return merged;
  const added = [...byId.values()].sort(byTime);
  const [oldest, newest] = [added.at(-1), merged[0]];
  // A new call stands before all the rest: nothing must be sorted then.
  const isInOrder = oldest === undefined || newest === undefined || byTime(oldest, newest) < 0;
  const all = [...added, ...merged];
  return (isInOrder ? all : all.sort(byTime)).slice(0, maxCalls);
}

/** Checks whether nothing can be missing between the newest calls, read just now, and the newest that was known before. */
export function joinsOn({ calls, next }: CallPage, newest: ListedCall): boolean {
  const oldest = calls.at(-1);
  return next === undefined || oldest === undefined || oldest.begunAt <= newest.begunAt;
}

/** A call that has ended never runs again: an older look at it, read late, changes nothing. */
function newer(known: ListedCall | undefined, call: ListedCall): ListedCall {
  return known !== undefined && call.status === 'running' && known.status !== 'running' ? known : call;
}

function byTime(a: ListedCall, b: ListedCall): number {
  if (a.begunAt !== b.begunAt) return a.begunAt < b.begunAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
