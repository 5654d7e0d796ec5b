import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CallPage, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, caller, readForCaller } from '../api/ask-server.ts';
import { onCalls } from '../state/connection.ts';
import { joinsOn, maxCalls, mergeCalls } from '../state/merge-calls.ts';
import { type Answer, useAnswer } from '../state/use-answer.ts';

/** Calls that were read, newest first. */
export interface ReadCalls extends Pick<Answer<readonly ListedCall[]>, 'value' | 'error'> {
  /** Reads the page before; absent where there is none, or the page of the browser holds no more. */
  readonly readOlder?: () => void;
}

/** The calls that are known, and where older ones follow. */
interface Known extends CallPage {
  readonly isRead: boolean;
}

const nothing: Known = { calls: [], isRead: false };

/** Returns the calls that a query finds, a thousand at a time, and keeps them in step with what happens. */
export function useCalls(query: string, isWanted: (call: ListedCall) => boolean): ReadCalls {
  const path = `v1/calls?limit=1000${query}`;
  const { value: first, error } = useAnswer<CallPage>(path).value;
  const known = useSignal(nothing);
  const isReading = useSignal(false);
  const failure = useSignal<ApiError | undefined>(undefined);
  useEffect(() => {
    known.value = nothing;
    failure.value = undefined;
    isReading.value = false;
    return onCalls((calls) => {
      known.value = { ...known.value, calls: mergeCalls(known.value.calls, calls.filter(isWanted)) };
    });
  }, [query, caller.value]);
  useEffect(() => {
    if (first === undefined) return;
    const { calls, isRead } = known.peek();
    const [newest] = calls;
    // After a time away calls may be missing between those that were known and these.
    const isJoined = !isRead || newest === undefined || joinsOn(first, newest);
    const end = isRead && isJoined ? known.peek() : first;
    known.value = { ...end, calls: mergeCalls(isJoined ? calls : [], first.calls), isRead: true };
  }, [first]);
  const { calls, next, isRead } = known.value;
  if (!isRead) return { ...(error && { error }) };
  const readOlder = async (): Promise<void> => {
    if (next === undefined || isReading.value) return;
    isReading.value = true;
    const read = await readForCaller<CallPage>(`${path}&cursor=${encodeURIComponent(next)}`);
    if (read === undefined) return;
    if (read.value !== undefined) {
      const older = mergeCalls(known.value.calls, read.value.calls);
      known.value = { calls: older, isRead: true, ...(read.value.next !== undefined && { next: read.value.next }) };
    }
    failure.value = read.error;
    isReading.value = false;
  };
  return {
    value: calls,
    ...(failure.value && { error: failure.value }),
    ...(next !== undefined && calls.length < maxCalls && { readOlder: () => void readOlder() }),
  };
}
