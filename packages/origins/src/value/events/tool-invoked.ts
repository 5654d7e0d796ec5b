import { type EventOf, type JsonValue, type Outcome, toModelText } from 'toolpact';
import type { Redactor } from 'toolpact/extend';
import { expectArgument, isRecord, refuseOptions } from 'toolpact/internal';
import { toValueResult } from '../to-value-result.ts';

/** The end of a call under the names that session reducers of other systems expect. Unknown facts are null, none is left out. */
export interface ToolInvoked {
  readonly event_id: string;
  readonly created_at: string;
  readonly session_id: string | null;
  readonly call_id: string | null;
  readonly prompt_name: string | null;
  readonly adapter: string | null;
  readonly name: string;
  readonly params: JsonValue;
  /** `value` is null on failure, unless the tool attached a payload to it. */
  readonly result: { readonly success: boolean; readonly value: JsonValue; readonly message: string };
  readonly usage: Readonly<Record<string, number>> | null;
  /** The text for the model, at most 1,000 characters. */
  readonly rendered_output: string;
  readonly run_context: RunContextView;
}

/** Which run an invocation belongs to. */
export type RunContextView = {
  readonly run_id: string | null;
  readonly request_id: string | null;
  readonly session_id: string | null;
  readonly attempt: number;
  readonly worker_id: string | null;
  readonly trace_id: string;
  readonly span_id: string | null;
};

const maxRendered = 1000;

/** Shows the end of a call as a `ToolInvoked` record. Give a redactor where the view leaves the process. */
export function toToolInvoked(event: EventOf<'call-end'>, options: { readonly redactor?: Redactor } = {}): ToolInvoked {
  refuseOptions<{ readonly redactor?: Redactor }>('toToolInvoked', options, { redactor: true });
  expectArgument(isRecord(event) && event.type === 'call-end', 'toToolInvoked takes an event of the type call-end');
  const { outcome } = event;
  const result = toValueResult(outcome);
  const hide = (value: unknown): JsonValue => (options.redactor === undefined ? (value as JsonValue) : options.redactor.value(value));
  return {
    event_id: event.id,
    created_at: new Date(event.at).toISOString(),
    session_id: event.sessionId ?? null,
    call_id: event.callId ?? null,
    prompt_name: event.promptName ?? null,
    adapter: event.adapter ?? null,
    name: event.tool,
    params: hide(outcome.input ?? null),
    result: { ...result, value: hide(result.value), message: options.redactor?.text(result.message) ?? result.message },
    usage: outcome.meta.tokenUsage ?? null,
    rendered_output: rendered(outcome, options.redactor),
    run_context: {
      run_id: event.runId ?? null,
      request_id: event.requestId ?? null,
      session_id: event.sessionId ?? null,
      attempt: outcome.meta.attempts,
      worker_id: event.workerId ?? null,
      trace_id: event.traceId,
      span_id: event.spanId ?? null,
    },
  };
}

function rendered(outcome: Outcome, redactor: Redactor | undefined): string {
  const text = toModelText(outcome);
  // Redacted before it is cut, so that no half of a secret is left unrecognised at the end.
  const cut = (redactor === undefined ? text : redactor.text(text)).slice(0, maxRendered);
  // Half a character at the end has no form in UTF-8.
  return cut.replace(/[\ud800-\udbff]$/, '');
}
