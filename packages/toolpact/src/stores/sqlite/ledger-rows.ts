import type { JsonObject, JsonValue } from '../../outcome/index.ts';
import {
  type CallStage,
  type CallState,
  type NoticeEvent,
  type QuestionKind,
  type QuestionState,
  type StoredCall,
  type StoredGrant,
  type StoredQuestion,
  type StoredStep,
  StoreFault,
} from '../../ports/index.ts';
import { decodeText } from '../stored-text.ts';

/** Where a call stands, as a row holds it. Texts are as `encodeText` writes them. */
export interface StateRow {
  readonly seq: number;
  readonly tenant: string;
  readonly id: string;
  readonly stage: CallStage;
  readonly epoch: number;
  readonly process: string | null;
  readonly promised: number;
  readonly cancelled: number;
  readonly guess_about: number | null;
  readonly changes: number;
  readonly kept_until: number;
  readonly lease_until: number | null;
}

/** A call as a row holds it, without its arguments. */
export interface CallRow extends StateRow {
  readonly tool: string;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly changed_at: number;
  readonly ended_at: number | null;
  readonly key: string | null;
  readonly key_until: number | null;
  readonly handle: string | null;
  readonly origin: string;
  readonly replaced_by: string | null;
  readonly cancelled_by: string | null;
  readonly remaining_ms: number | null;
  readonly grant_id: string | null;
  readonly listed: string;
  readonly progress: string | null;
  readonly outcome: string | null;
  readonly start: string;
  readonly trace: string | null;
}

/** The columns of a call that a list reads. */
export interface ListRow extends StateRow {
  readonly tool: string;
  readonly status: string;
  readonly kind: string | null;
  readonly run_id: string | null;
  readonly session_id: string | null;
  readonly caller_key: string | null;
  readonly replay_of: string | null;
  readonly listed: string;
  readonly progress: string | null;
}

/** A question as a row holds it, together with what it shows of its call. */
export interface QuestionRow {
  readonly seq: number;
  readonly tenant: string;
  readonly handle: string;
  readonly id: string;
  readonly kind: QuestionKind;
  readonly state: QuestionState;
  readonly asked_at: number;
  readonly expires_at: number | null;
  readonly decided_at: number | null;
  readonly ask: string;
  readonly answer: string | null;
  readonly call: string;
  readonly tool: string;
  readonly listed: string;
}

/** A notice that is due, together with its question. */
export interface NoticeRow extends QuestionRow {
  readonly notice_seq: number;
  readonly notice_event: NoticeEvent;
  readonly attempts: number;
}

/** A grant as a row holds it. */
export interface GrantRow {
  readonly seq: number;
  readonly tenant: string;
  readonly id: string;
  readonly tool: string;
  readonly scope: string;
  readonly given_at: number;
  readonly expires_at: number;
  readonly most_uses: number | null;
  readonly uses: number;
  readonly used_at: number | null;
  readonly revoked_at: number | null;
  readonly revoked_by: string | null;
  readonly permit: string;
  readonly active: number;
}

/** A step as a row holds it. */
export interface StepRow {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly epoch: number;
  readonly open: number;
  readonly sleeps_until: number | null;
  readonly record: string | null;
}

/** Thrown for a call of which something stored is no JSON any more, as after an edit by hand. */
class UnreadableCall extends StoreFault {
  override readonly name = 'UnreadableCall';
}

/** Reads something of calls; undefined where that cannot be read: one such call must not hide the others. */
export function ifReadable<TValue>(read: () => TValue): TValue | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableCall) return undefined;
    throw error;
  }
}

/** Checks whether a call is to be forgotten: not while it waits, nor while it runs and was promised. */
export function isForgotten({ kept_until, stage, promised }: StateRow, time: number): boolean {
  return kept_until <= time && (stage === 'ended' || (stage === 'running' && promised === 0));
}

/** Checks whether the key of a call still counts. */
export function hasKey({ key, key_until, stage }: CallRow, time: number): boolean {
  return key !== null && (stage !== 'ended' || time < (key_until ?? 0));
}

/** Checks whether a question cannot be answered any more, because its time is over. */
export function isExpired({ expires_at }: QuestionRow, time: number): boolean {
  return expires_at !== null && expires_at <= time;
}

/** Checks whether the process of a call gives no sign of life although the call has to be ended by it. */
function isDead({ stage, epoch, process, guess_about, lease_until }: StateRow, time: number): boolean {
  const mayRun = stage === 'running' || (stage === 'ended' && guess_about === epoch);
  return mayRun && process !== null && (lease_until ?? 0) <= time;
}

/** Reads where a call stands. */
export function toCallState(row: StateRow, time: number): CallState {
  const { tenant, id, epoch, stage, cancelled, changes } = row;
  return {
    tenant: decodeText(tenant),
    id: decodeText(id),
    epoch,
    stage,
    isCancelled: cancelled === 1,
    isDead: isDead(row, time),
    changes,
  };
}

/** Reads a call and its questions. */
export function toStoredCall(row: CallRow, questions: readonly QuestionRow[], time: number): StoredCall {
  const { tool, process, handle, origin, remaining_ms, guess_about, replaced_by, cancelled_by, created_at, changed_at, ended_at } = row;
  const { key, id, stage, due_at, outcome, trace, progress, kept_until } = row;
  const read = readerOf('toolpact_calls', row.tenant, id);
  return {
    ...toCallState(row, time),
    tool: decodeText(tool),
    handle: decodeText(handle ?? id),
    isPromised: row.promised === 1,
    ...(process !== null && { process: decodeText(process) }),
    ...(key !== null && hasKey(row, time) && { key: decodeText(key) }),
    origin: decodeText(origin),
    start: read('start', row.start),
    listed: read('listed', row.listed),
    ...(outcome !== null && { outcome: read('outcome', outcome) }),
    ...(trace !== null && { trace: read<JsonValue>('trace', trace) }),
    ...(progress !== null && { progress: read<JsonObject>('progress', progress) }),
    ...(remaining_ms !== null && { remainingMs: remaining_ms }),
    ...(guess_about !== null && { guessAbout: guess_about }),
    ...(replaced_by !== null && { replacedBy: decodeText(replaced_by) }),
    ...(row.grant_id !== null && { grant: decodeText(row.grant_id) }),
    ...(cancelled_by !== null && { cancelledBy: decodeText(cancelled_by) }),
    begunAt: created_at,
    changedAt: changed_at,
    readAt: time,
    ...(stage === 'waiting' && due_at !== null && { wakeAt: due_at }),
    ...(ended_at !== null && { endedAt: ended_at }),
    keptUntil: kept_until,
    questions: questions.map(toStoredQuestion),
  };
}

/** Reads the arguments of a call. */
export function toArgs({ tenant, id }: StateRow, args: string): JsonValue {
  return readerOf('toolpact_calls', tenant, id)('args', args);
}

/** Reads how a call is listed, and how far it is. */
export function toListed(row: ListRow): Pick<StoredCall, 'listed' | 'progress'> {
  const read = readerOf('toolpact_calls', row.tenant, row.id);
  return { listed: read('listed', row.listed), ...(row.progress !== null && { progress: read<JsonObject>('progress', row.progress) }) };
}

/** Reads a question. */
export function toStoredQuestion(row: QuestionRow): StoredQuestion {
  const { tenant, handle, id, kind, state, asked_at, expires_at, decided_at, call, tool, answer } = row;
  const read = readerOf('toolpact_questions', tenant, call);
  return {
    handle: decodeText(handle),
    kind,
    id: decodeText(id),
    ask: read('ask', row.ask),
    tenant: decodeText(tenant),
    call: decodeText(call),
    tool: decodeText(tool),
    listed: readerOf('toolpact_calls', tenant, call)('listed', row.listed),
    state,
    askedAt: asked_at,
    ...(expires_at !== null && { expiresAt: expires_at }),
    ...(decided_at !== null && { decidedAt: decided_at }),
    ...(answer !== null && { answer: read<JsonValue>('answer', answer) }),
  };
}

/** Reads a grant. */
export function toStoredGrant(row: GrantRow): StoredGrant {
  const { tenant, id, tool, scope, given_at, expires_at, most_uses, uses, used_at, revoked_at, revoked_by, active } = row;
  return {
    tenant: decodeText(tenant),
    id: decodeText(id),
    tool: decodeText(tool),
    scope: decodeText(scope),
    permit: readerOf('toolpact_grants', tenant, id, 'grant')('permit', row.permit),
    isActive: active === 1,
    givenAt: given_at,
    expiresAt: expires_at,
    uses,
    ...(most_uses !== null && { mostUses: most_uses }),
    ...(used_at !== null && { usedAt: used_at }),
    ...(revoked_at !== null && { revokedAt: revoked_at }),
    ...(revoked_by !== null && { revokedBy: decodeText(revoked_by) }),
  };
}

/** Reads a step of a call. */
export function toStoredStep({ tenant, id: call }: StateRow, row: StepRow, time: number): StoredStep {
  const { id, name, attempt, epoch, open, sleeps_until, record } = row;
  return {
    id: decodeText(id),
    name: decodeText(name),
    attempt,
    epoch,
    isOpen: open === 1,
    ...(record !== null && { record: readerOf('toolpact_steps', tenant, call)<JsonValue>('record', record) }),
    ...(sleeps_until !== null && { leftMs: sleeps_until - time }),
  };
}

/** Reads the columns of a call that hold JSON. Only `args`, `trace`, `answer` and `record` may hold something else than an object. */
function readerOf(table: string, tenant: string, call: string, what: 'call' | 'grant' = 'call') {
  return <TValue>(column: string, text: string): TValue => {
    try {
      const value: unknown = JSON.parse(text);
      if (mayBeAnything.has(column) || (typeof value === 'object' && value !== null)) return value as TValue;
    } catch {
      // Said below.
    }
    throw new UnreadableCall(
      `the column ${column} of the row in ${table} of the ${what} ${decodeText(call)} of the tenant ${decodeText(tenant)} holds no JSON that ` +
        `belongs there; put the value right, or delete the row of the ${what}`,
    );
  };
}

const mayBeAnything: ReadonlySet<string> = new Set(['args', 'trace', 'answer', 'record']);
