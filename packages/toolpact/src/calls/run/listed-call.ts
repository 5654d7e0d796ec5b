import { noTenant } from '../../contract/index.ts';
import type { CallFacts } from '../../events/index.ts';
import { cutText } from '../../json/index.ts';
import { type Outcome, withoutAbsent } from '../../outcome/index.ts';
import type { ListedCall } from '../../ports/index.ts';
import type { StoredStart } from './stored-start.ts';
import { toPreview } from './to-preview.ts';

/** The most characters of a message, and of an id that a caller chose, that are listed. */
const maxText = 300;

const factNames = [
  'sessionId',
  'conversationId',
  'userId',
  'agentName',
  'adapter',
  'callId',
] as const satisfies readonly (keyof CallFacts)[];

/** Shows a call that has not ended. */
export function toRunning(id: string, { event, idempotencyKey, rerunOf, rerunFrom }: StoredStart): ListedCall {
  const runId = runOf(event);
  const facts = factNames.flatMap((name) => (event[name] === undefined ? [] : [[name, cutText(String(event[name]), maxText)]]));
  return withoutAbsent({
    id,
    tool: cutText(event.tool, maxText),
    status: 'running',
    begunAt: new Date(event.at).toISOString(),
    attempts: 0,
    preview: toPreview(event.input),
    tenantId: cutText(event.tenantId ?? noTenant, maxText),
    runId: runId && cutText(runId, maxText),
    ...Object.fromEntries(facts),
    traceId: cutText(event.traceId, maxText),
    key: idempotencyKey && cutText(idempotencyKey, maxText),
    rerunOf: rerunOf && cutText(rerunOf, maxText),
    rerunFrom: rerunFrom && cutText(rerunFrom, maxText),
  });
}

/** Shows a call with the outcome it ended with. */
export function toEnded(running: ListedCall, outcome: Outcome, endedAt: number): ListedCall {
  const { meta } = outcome;
  const message = outcome.status === 'error' ? outcome.error.message : (askOf(outcome) ?? outcome.message);
  const { kind, code, recovery, retryable, effect } = outcome.status === 'error' ? outcome.error : noFailure;
  return withoutAbsent<ListedCall>({
    ...running,
    status: outcome.status,
    kind,
    code: code && cutText(code, maxText),
    recovery,
    retryable,
    effect,
    message: message && cutText(message, maxText),
    handle: outcome.status === 'pending' ? outcome.pending.handle : undefined,
    waitsFor: outcome.status === 'pending' ? outcome.pending.reason : undefined,
    endedAt: new Date(endedAt).toISOString(),
    tookMs: meta.tookMs,
    attempts: meta.attempts,
    replayOf: meta.replayed === true && meta.invocationId !== running.id ? meta.invocationId : undefined,
    cacheHit: meta.cacheHit,
  } as ListedCall);
}

/** Returns the run that a call belongs to: that of an agent, or that of an ingestion. */
function runOf({ runId, ids }: CallFacts): string | undefined {
  return runId ?? ids?.ingestionRunId;
}

function askOf(outcome: Outcome): string | undefined {
  return outcome.status === 'pending' ? outcome.pending.ask?.message : undefined;
}

const noFailure: Partial<ListedCall> = {};
