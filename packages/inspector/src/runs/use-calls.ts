import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CallPage, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, caller, readForCaller } from '../api/ask-server.ts';
import { onCalls } from '../state/connection.ts';
import { mergeCalls } from '../state/merge-calls.ts';
import { type Answer, useAnswer } from '../state/use-answer.ts';

/** Calls that were read, newest first. */
export interface ReadCalls extends Pick<Answer<readonly ListedCall[]>, 'value' | 'error'> {
  /** Reads the page before; absent where there is none. */
  readonly readOlder?: () => void;
}

const nothing: CallPage = { calls: [] };

/** Gives the calls that a query finds, a thousand at a time, and keeps them in step with what happens. */
export function useCalls(query: string, isWanted: (call: ListedCall) => boolean): ReadCalls {
  const path = `v1/calls?limit=1000${query}`;
  const { value: first, error } = useAnswer<CallPage>(path).value;
  const heard = useSignal(nothing.calls);
  const older = useSignal(nothing);
  const isReading = useSignal(false);
  const failure = useSignal<ApiError | undefined>(undefined);
  useEffect(() => {
    heard.value = nothing.calls;
    older.value = nothing;
    failure.value = undefined;
    isReading.value = false;
    return onCalls((calls) => {
      heard.value = mergeCalls(heard.value, calls.filter(isWanted));
    });
  }, [query, caller.value]);
  if (first === undefined) return { ...(error && { error }) };
  const next = older.value === nothing ? first.next : older.value.next;
  const readOlder = async (): Promise<void> => {
    if (next === undefined || isReading.value) return;
    isReading.value = true;
    const read = await readForCaller<CallPage>(`${path}&cursor=${encodeURIComponent(next)}`);
    if (read === undefined) return;
    if (read.value !== undefined) older.value = { ...read.value, calls: [...older.value.calls, ...read.value.calls] };
    failure.value = read.error;
    isReading.value = false;
  };
  return {
    value: mergeCalls(mergeCalls(first.calls, older.value.calls), heard.value),
    ...(failure.value && { error: failure.value }),
    ...(next !== undefined && { readOlder: () => void readOlder() }),
  };
}
