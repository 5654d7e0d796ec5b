import { type JsonObject, type JsonValue, type Outcome, withoutAbsent } from '../../../outcome/index.ts';
import type {
  CallRows,
  CallStage,
  CallState,
  ListedCall,
  OwnCall,
  QuestionKind,
  QuestionState,
  StoredCall,
  StoredGrant,
  StoredQuestion,
  StoredStep,
  TakenCall,
} from '../../../ports/index.ts';
import { readBoundedName } from '../bounded-name.ts';

/** Which call a row is about. */
export interface PlaceRow {
  readonly tenant: string;
  readonly id: string;
  /** JSON. */
  readonly long_names: string | null;
}

/** A row of a state. */
export interface StateRow extends PlaceRow {
  readonly epoch: number;
  readonly stage: CallStage;
  readonly cancelled: boolean;
  readonly changes: number;
  readonly dead: boolean;
}

/** A row of a list, with the place up to which the list was looked through; null where that is all of it. */
export interface ListRow extends StateRow {
  readonly listed: string;
  readonly progress: string | null;
  readonly at: number;
  readonly seq: number;
  readonly cut_at: number | null;
  readonly cut_seq: number | null;
}

/** The end of a page on which nothing matched. */
export interface CutRow extends Pick<ListRow, 'cut_at' | 'cut_seq'> {
  readonly seq: null;
}

/** A row of a call. Documents are JSON, moments epoch milliseconds. */
export interface CallRow extends StateRow {
  readonly seq: number;
  readonly tool: string;
  readonly handle: string | null;
  readonly promised: boolean;
  readonly process: string | null;
  readonly key: string | null;
  readonly origin: string;
  readonly start: string;
  readonly listed: string;
  readonly outcome: string | null;
  readonly trace: string | null;
  readonly progress: string | null;
  readonly remaining_ms: number | null;
  readonly guess_about: number | null;
  readonly replaced_by: string | null;
  readonly cancelled_by: string | null;
  readonly grant_id: string | null;
  readonly created_at: number;
  readonly changed_at: number;
  readonly read_at: number;
  readonly wake_at: number | null;
  readonly ended_at: number | null;
  readonly kept_until: number;
  readonly questions: string | null;
}

/** A row of a call that a run is to go on with. */
export interface TakenRow extends CallRow {
  readonly args: string | null;
  readonly steps: string | null;
}

/** A row of a grant. */
export interface GrantRow extends PlaceRow {
  readonly tool: string;
  readonly scope: string;
  readonly permit: string;
  readonly given_at: number;
  readonly expires_at: number;
  readonly most_uses: number | null;
  readonly uses: number;
  readonly used_at: number | null;
  readonly revoked_at: number | null;
  readonly revoked_by: string | null;
  readonly active: boolean;
}

/** A row of a question and its call. */
export interface QuestionRow extends PlaceRow {
  readonly handle: string;
  readonly kind: QuestionKind;
  readonly question: string;
  readonly state: QuestionState;
  readonly ask: string;
  readonly answer: string | null;
  readonly asked_at: number;
  readonly expires_at: number | null;
  readonly decided_at: number | null;
  readonly question_names: string | null;
  readonly tool: string;
  readonly listed: string;
}

type LongNames = Readonly<Record<string, string>> | null;

function toPlace(row: PlaceRow): { readonly tenant: string; readonly id: string } {
  const names = toLongNames(row.long_names);
  return { tenant: readBoundedName(row.tenant, names), id: readBoundedName(row.id, names) };
}

export function toState(row: StateRow): CallState {
  const { epoch, stage, cancelled, changes, dead } = row;
  return { ...toPlace(row), epoch, stage, isCancelled: cancelled, isDead: dead, changes };
}

export function toOwnCall(row: Pick<StateRow, keyof PlaceRow | 'epoch' | 'cancelled'>): OwnCall {
  return { ...toPlace(row), epoch: row.epoch, isCancelled: row.cancelled };
}

export function toListRow(row: ListRow, cursor: string): CallRows['rows'][number] {
  return { ...toState(row), listed: JSON.parse(row.listed), ...(row.progress !== null && { progress: JSON.parse(row.progress) }), cursor };
}

export function toCall(row: CallRow): StoredCall {
  const names = toLongNames(row.long_names);
  const state = toState(row);
  const listed = JSON.parse(row.listed) as ListedCall;
  const tool = readBoundedName(row.tool, names);
  return withoutAbsent<StoredCall>({
    ...state,
    tool,
    handle: readBoundedName(row.handle ?? row.id, names),
    isPromised: row.promised,
    process: row.process === null ? undefined : readBoundedName(row.process, names),
    key: row.key === null ? undefined : readBoundedName(row.key, names),
    origin: readBoundedName(row.origin, names),
    start: JSON.parse(row.start) as JsonObject,
    listed,
    outcome: parse<Outcome>(row.outcome),
    trace: parse<JsonValue>(row.trace),
    progress: parse<JsonObject>(row.progress),
    remainingMs: row.remaining_ms ?? undefined,
    guessAbout: row.guess_about ?? undefined,
    replacedBy: row.replaced_by === null ? undefined : readBoundedName(row.replaced_by, names),
    grant: row.grant_id === null ? undefined : readBoundedName(row.grant_id, names),
    cancelledBy: row.cancelled_by === null ? undefined : readBoundedName(row.cancelled_by, names),
    begunAt: row.created_at,
    changedAt: row.changed_at,
    readAt: row.read_at,
    wakeAt: row.wake_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    keptUntil: row.kept_until,
    questions: (parse<readonly QuestionValues[]>(row.questions) ?? []).map((values) =>
      toStoredQuestion(values, { tenant: state.tenant, call: state.id, tool, listed }),
    ),
  });
}

export function toTakenCall(row: TakenRow, wasDead: boolean): TakenCall {
  return { ...toCall(row), wasDead, ...(row.args !== null && { args: JSON.parse(row.args) as JsonValue }), steps: toSteps(row.steps) };
}

/** Reads the steps of a call, which come as JSON. */
export function toSteps(text: string | null): readonly StoredStep[] {
  return (parse<readonly StepValues[]>(text) ?? []).map(([id, name, attempt, epoch, isOpen, record, leftMs, names]) => ({
    id: readBoundedName(id, names),
    name: readBoundedName(name, names),
    attempt,
    epoch,
    isOpen,
    ...(record !== null && { record: JSON.parse(record) as JsonValue }),
    ...(leftMs !== null && { leftMs }),
  }));
}

export function toQuestion(row: QuestionRow): StoredQuestion {
  const { tenant, id } = toPlace(row);
  const tool = readBoundedName(row.tool, toLongNames(row.long_names));
  const { handle, kind, question, state, ask, answer, asked_at, expires_at, decided_at } = row;
  const values = [handle, kind, question, state, ask, answer, asked_at, expires_at, decided_at, toLongNames(row.question_names)] as const;
  return toStoredQuestion(values, { tenant, call: id, tool, listed: JSON.parse(row.listed) as ListedCall });
}

export function toGrant(row: GrantRow): StoredGrant {
  const names = toLongNames(row.long_names);
  return withoutAbsent<StoredGrant>({
    ...toPlace(row),
    tool: readBoundedName(row.tool, names),
    scope: readBoundedName(row.scope, names),
    permit: JSON.parse(row.permit) as JsonObject,
    isActive: row.active,
    givenAt: row.given_at,
    expiresAt: row.expires_at,
    uses: row.uses,
    mostUses: row.most_uses ?? undefined,
    usedAt: row.used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    revokedBy: row.revoked_by === null ? undefined : readBoundedName(row.revoked_by, names),
  });
}

type QuestionValues = readonly [
  handle: string,
  kind: QuestionKind,
  id: string,
  state: QuestionState,
  ask: string,
  answer: string | null,
  askedAt: number,
  expiresAt: number | null,
  decidedAt: number | null,
  names: LongNames,
];

type StepValues = readonly [
  id: string,
  name: string,
  attempt: number,
  epoch: number,
  isOpen: boolean,
  record: string | null,
  leftMs: number | null,
  names: LongNames,
];

function toStoredQuestion(
  [handle, kind, id, state, ask, answer, askedAt, expiresAt, decidedAt, names]: QuestionValues,
  call: Pick<StoredQuestion, 'tenant' | 'call' | 'tool' | 'listed'>,
): StoredQuestion {
  return {
    handle: readBoundedName(handle, names),
    kind,
    id: readBoundedName(id, names),
    ask: JSON.parse(ask) as JsonObject,
    ...call,
    state,
    askedAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(decidedAt !== null && { decidedAt }),
    ...(answer !== null && { answer: JSON.parse(answer) as JsonValue }),
  };
}

function toLongNames(text: string | null): LongNames {
  return parse<Readonly<Record<string, string>>>(text) ?? null;
}

function parse<TValue>(text: string | null): TValue | undefined {
  return text === null ? undefined : (JSON.parse(text) as TValue);
}
