import type { EventOf, Failure } from 'toolpact';

/** A failed call, as the `failures` slice of every session keeps it. */
export interface FailureRecord {
  readonly v: 1;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly tool: string;
  readonly invocationId: string;
  readonly callId?: string;
  readonly attempts: number;
  readonly tookMs: number;
  readonly error: Failure;
}

/** Creates the record of a call; undefined for one that did not fail. */
export function toFailureRecord(event: EventOf<'call-end'>): FailureRecord | undefined {
  const { at, tool, invocationId, callId, outcome } = event;
  if (outcome.status !== 'error') return undefined;
  const { attempts, tookMs } = outcome.meta;
  return { v: 1, at, tool, invocationId, ...(callId !== undefined && { callId }), attempts, tookMs, error: outcome.error };
}
