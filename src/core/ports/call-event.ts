/** Says which call an event belongs to. */
export interface CallEvent {
  readonly tool: string;
  readonly invocationId: string;
  readonly traceId: string;
  readonly callId?: string | undefined;
}
