import type { Attributes } from '@opentelemetry/api';
import type { Failure, JsonObject, Outcome } from '../outcome/index.ts';
import type { TracedCall } from '../ports/index.ts';
import { toContent } from './content.ts';
import { errorType, faultless, upstreamStatus } from './error-type.ts';
import { isToolFailure } from './exception.ts';
import type { RecordSettings } from './record-settings.ts';

const maxName = 256;

/** All that is known of a call before it runs. `tool` is the name fit for a label. */
export function startAttributes(call: TracedCall, tool: string, settings: RecordSettings): Attributes {
  const { context } = call;
  const attributes: Attributes = { 'gen_ai.operation.name': 'execute_tool', ...toolAttributes(call, tool) };
  if (call.description !== undefined) attributes['gen_ai.tool.description'] = call.description;
  if (context.conversationId !== undefined) attributes['gen_ai.conversation.id'] = cut(context.conversationId);
  attributes['toolpact.invocation.id'] = call.invocationId;
  if (settings.capture === 'span' || settings.capture === 'both') {
    attributes['gen_ai.tool.call.arguments'] = JSON.stringify(argumentsOf(call, settings));
  }
  return enriched(attributes, settings, call);
}

/** How a call went, as far as it is not an error. */
export function endAttributes(call: TracedCall, outcome: Outcome, settings: RecordSettings): Attributes {
  const { attempts, replayed, cacheHit } = outcome.meta;
  const attributes: Attributes = { 'toolpact.outcome': outcomeName(outcome), 'toolpact.attempts': attempts };
  if (replayed !== undefined) attributes['toolpact.replayed'] = replayed;
  if (cacheHit !== undefined) attributes['toolpact.cache_hit'] = cacheHit;
  const status = outcome.status === 'error' ? upstreamStatus(outcome.error) : undefined;
  if (status !== undefined) attributes['http.response.status_code'] = status;
  if (settings.capture === 'span' || settings.capture === 'both') {
    const result = resultOf(call, outcome, settings);
    if (result !== undefined) attributes['gen_ai.tool.call.result'] = JSON.stringify(result);
  }
  return enriched(attributes, settings, call, outcome);
}

/** The attributes of the duration metric: few and bounded. */
export function metricAttributes(call: TracedCall, tool: string, type: string | undefined, { capAgent }: RecordSettings): Attributes {
  const { agentName } = call.context;
  // Callers of a server may name a new agent with every call.
  return nameAttributes(agentName === undefined ? undefined : capAgent('', cut(agentName)), tool, type);
}

function nameAttributes(agent: string | undefined, tool: string, type: string | undefined): Attributes {
  const attributes: Attributes = { 'gen_ai.tool.name': tool, 'gen_ai.tool.type': 'function' };
  if (agent !== undefined) attributes['gen_ai.agent.name'] = agent;
  if (type !== undefined) attributes['error.type'] = type;
  return attributes;
}

/** The attributes of the metric, and the call's own id. */
export function toolAttributes(call: TracedCall, tool: string, type?: string): Attributes {
  const { agentName } = call.context;
  const attributes = nameAttributes(agentName === undefined ? undefined : cut(agentName), tool, type);
  if (call.context.callId !== undefined) attributes['gen_ai.tool.call.id'] = cut(call.context.callId);
  return attributes;
}

/** The one `error.type` of a failure, the same on span, metric and log; undefined for what is not a fault. */
export function typeOf(call: TracedCall, failure: Failure, settings: RecordSettings): string | undefined {
  if (faultless.has(failure.kind)) return undefined;
  const { thrown } = call;
  const origin = thrown === undefined ? undefined : isToolFailure(thrown) ? 'fail' : 'thrown';
  const giveType = settings.errorType ?? call.errorType ?? errorType;
  const type = giveType(failure, { origin });
  return type && settings.capErrorType(call.description === undefined ? '' : call.tool, type);
}

/** The arguments in the form in which they may be written. */
export function argumentsOf({ received, redactor }: TracedCall, { redact, maxContentChars }: RecordSettings): JsonObject {
  return toContent(received, 'arguments', { redactor, redact, maxChars: maxContentChars });
}

/** The result in the form in which it may be written; undefined when there is none. */
export function resultOf({ redactor }: TracedCall, outcome: Outcome, { redact, maxContentChars }: RecordSettings): JsonObject | undefined {
  if (outcome.status !== 'ok' && outcome.status !== 'partial') return undefined;
  return toContent(outcome.data, 'result', { redactor, redact, maxChars: maxContentChars });
}

/** Names and ids come from callers and models, who may send anything. */
function cut(name: string): string {
  return name.slice(0, maxName);
}

function outcomeName(outcome: Outcome): string {
  return outcome.status === 'error' && faultless.has(outcome.error.kind) ? outcome.error.kind : outcome.status;
}

/** Adds what the application adds, whose failure costs nothing else. */
function enriched(attributes: Attributes, { enrich }: RecordSettings, call: TracedCall, outcome?: Outcome): Attributes {
  try {
    return Object.assign(attributes, enrich?.(call, outcome));
  } catch {
    return attributes;
  }
}
