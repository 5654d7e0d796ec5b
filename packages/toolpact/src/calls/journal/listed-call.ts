import { noTenant } from '../../contract/index.ts';
import type { CallFacts, EventOf } from '../../events/index.ts';
import { cutText } from '../../json/index.ts';
import { type Outcome, toModelText, withoutAbsent } from '../../outcome/index.ts';
import type { ListedCall, RecordedCall, RecordIndex } from '../../ports/index.ts';
import { toPreview } from '../ledger/to-preview.ts';
import type { ListedFact, StoredEnd, StoredStart } from './journal-records.ts';

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
export function toRunning({ event, idempotencyKey, repeats, rerunOf, rerunFrom }: Pick<StoredStart, 'event' | ListedFact>): ListedCall {
  const runId = runOf(event);
  const facts = factNames.flatMap((name) => (event[name] === undefined ? [] : [[name, cutText(String(event[name]), maxText)]]));
  return withoutAbsent({
    id: cutText(event.invocationId, maxText),
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
    repeats,
    rerunOf: rerunOf && cutText(rerunOf, maxText),
    rerunFrom: rerunFrom && cutText(rerunFrom, maxText),
  });
}

/** Shows a call with the outcome it ended with. */
export function toEnded(running: ListedCall, outcome: Outcome, endedAt: number): ListedCall {
  const { meta } = outcome;
  const message = outcome.status === 'error' ? outcome.error.message : (outcome.message ?? askOf(outcome));
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
    endedAt: new Date(endedAt).toISOString(),
    tookMs: meta.tookMs,
    attempts: meta.attempts,
    replayOf: meta.replayed === true && meta.invocationId !== running.id ? meta.invocationId : undefined,
    cacheHit: meta.cacheHit,
  } as ListedCall);
}

/** Shows all that two records hold of a call. */
export function toRecorded(start: StoredStart, end: StoredEnd | undefined): RecordedCall {
  const listed = toRunning(start);
  const { input } = start.event;
  const isWhole = start.isWhole === true;
  if (end === undefined) return { ...listed, input, isWhole };
  const { trace, event } = end;
  const { outcome, at } = event;
  return { ...toEnded(listed, outcome, at), input, isWhole, outcome, modelText: toModelText(outcome), ...(trace && { trace }) };
}

/** Gives the run that a call belongs to: that of an agent, or that of an ingestion. */
export function runOf({ runId, ids }: CallFacts): string | undefined {
  return runId ?? ids?.ingestionRunId;
}

/** What an index gives of a call. */
export interface CallRow {
  readonly v: 1;
  readonly call: ListedCall;
  /** The process that runs it. */
  readonly owner?: string;
}

/** What a call that begins is found by. */
export function startIndex(event: EventOf<'call-start'>, row: CallRow): RecordIndex {
  const [{ tool, at }, runId, { key }] = [event, runOf(event), row.call];
  const named = [{ tool }, ...(runId === undefined ? [] : [{ runId }]), ...(key === undefined ? [] : [{ key }])];
  return { at, labels: named.map(toLabel), row: row as never };
}

/** What a call that has ended is found by, besides its start: its status and kind, of all tools and of its own, and the call that it replays. */
export function endIndex(tool: string, at: number, call: ListedCall): RecordIndex {
  const { status, kind, replayOf } = call;
  const ends = [{ status }, ...(kind === undefined ? [] : [{ kind }])];
  const labels = ends.flatMap((end) => [toLabel(end), toLabel({ ...end, tool })]);
  const row: CallRow = { v: 1, call };
  return { at, labels: replayOf === undefined ? labels : [...labels, toLabel({ replayOf })], row: row as never };
}

/** Writes what records can be found by as one label. */
export function toLabel(parts: Readonly<Record<string, string | undefined>>): string {
  return JSON.stringify(parts);
}

function askOf(outcome: Outcome): string | undefined {
  return outcome.status === 'pending' ? outcome.pending.ask?.message : undefined;
}

const noFailure: Partial<ListedCall> = {};
