import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CallPage, ListedCall } from '../api/api-shapes.ts';
import { onCalls } from '../state/connection.ts';
import { mergeCalls } from '../state/merge-calls.ts';
import { type Answer, useAnswer } from '../state/use-answer.ts';

const nothing: readonly ListedCall[] = [];

/** Gives the newest thousand calls that a query finds, newest first, and keeps them in step with what happens. */
export function useCalls(query: string, isWanted: (call: ListedCall) => boolean): Answer<readonly ListedCall[]> {
  const answer = useAnswer<CallPage>(`v1/calls?limit=1000${query}`).value;
  const heard = useSignal(nothing);
  useEffect(() => {
    heard.value = nothing;
    return onCalls((calls) => {
      heard.value = mergeCalls(heard.value, calls.filter(isWanted));
    });
  }, [query]);
  return answer.value === undefined
    ? { ...(answer.error && { error: answer.error }) }
    : { value: mergeCalls(answer.value.calls, heard.value) };
}
