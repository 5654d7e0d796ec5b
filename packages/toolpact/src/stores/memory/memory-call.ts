import type { FailureKind, JsonObject, Outcome } from '../../outcome/index.ts';
import type {
  CallKey,
  CallStage,
  CallState,
  ListedBy,
  ListedCall,
  NewCall,
  NoticeEvent,
  NoticePlace,
  QuestionKind,
  QuestionState,
  StoredCall,
  StoredQuestion,
  StoredStep,
} from '../../ports/index.ts';

/** The values of a call, as JSON: so nothing that was given or is got can change what is stored. */
export interface CallValues {
  listed: string;
  outcome?: string | undefined;
  trace?: string | undefined;
  progress?: string | undefined;
  args?: string | undefined;
}

/** The fields of a listed call that queries filter by. */
export interface ListedParts {
  readonly status: ListedCall['status'];
  readonly kind: FailureKind | undefined;
  readonly replayOf: string | undefined;
}

/** A call as a memory ledger keeps it. Moments are epoch milliseconds. */
export interface MemoryCall extends CallValues {
  readonly tenant: string;
  readonly id: string;
  /** Its place in the order in which calls were first written. */
  readonly seq: number;
  readonly tool: string;
  readonly isPromised: boolean;
  readonly origin: string;
  readonly by: ListedBy;
  readonly start: string;
  readonly keepMs: number;
  readonly begunAt: number;
  process: string | undefined;
  stage: CallStage;
  epoch: number;
  parts: ListedParts;
  key: CallKey | undefined;
  /** Until when the key of an ended call counts. */
  keyUntil: number;
  handle: string;
  isCancelled: boolean;
  cancelledBy: string | undefined;
  remainingMs: number | undefined;
  guessAbout: number | undefined;
  replacedBy: string | undefined;
  grant: string | undefined;
  changes: number;
  changedAt: number;
  keptUntil: number;
  endedAt: number | undefined;
  /** Since when the run has lasted. */
  runSince: number;
  /** When it is due by itself, and since when because of an answer or a cancel; `dueAt` is the earlier of these while it waits. */
  wakeAt: number | undefined;
  wokenAt: number | undefined;
  dueAt: number;
  steps: Map<string, MemoryStep>;
  questions: Map<string, MemoryQuestion>;
  /** The characters of all of it. */
  size: number;
}

/** A step as a memory ledger keeps it. */
export interface MemoryStep {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly epoch: number;
  readonly isOpen: boolean;
  readonly record: string | undefined;
  readonly sleepsUntil: number | undefined;
}

/** A question as a memory ledger keeps it. */
export interface MemoryQuestion {
  readonly seq: number;
  readonly handle: string;
  readonly kind: QuestionKind;
  readonly id: string;
  readonly ask: string;
  readonly askedAt: number;
  readonly expiresAt: number | undefined;
  call: MemoryCall;
  state: QuestionState;
  decidedAt: number | undefined;
  answer: string | undefined;
  /** One for each who is to be told of it. */
  notices: readonly MemoryNotice[];
}

/** An unsent notice of a question to a recipient. */
export interface MemoryNotice {
  readonly to: string;
  readonly question: MemoryQuestion;
  /** The next news to send; undefined once all of it was sent. */
  event: NoticeEvent | undefined;
  /** Not before this. */
  dueAt: number;
  attempts: number;
}

/** Who is alive. */
export type IsAlive = (process: string, time: number) => boolean;

/** Copies what a list finds a call by. */
export function toListedBy({ begunAt, runId, sessionId, callerKey }: NewCall['by']): ListedBy {
  return { begunAt, runId, sessionId, callerKey };
}

export function toListedParts({ status, kind, replayOf }: ListedCall): ListedParts {
  return { status, kind, replayOf };
}

/** Checks whether a call is to be forgotten: not while it waits, nor while it runs and something is promised about it. */
export function isForgotten({ keptUntil, stage, isPromised }: MemoryCall, time: number): boolean {
  return keptUntil <= time && (stage === 'ended' || (stage === 'running' && !isPromised));
}

export function hasKey({ key, keyUntil, stage }: MemoryCall, time: number): boolean {
  return key !== undefined && (stage !== 'ended' || time < keyUntil);
}

export function isOver({ expiresAt }: MemoryQuestion, time: number): boolean {
  return expiresAt !== undefined && expiresAt <= time;
}

/** Checks whether a notice can be sent now. */
export function isDueNotice({ event, dueAt, question }: MemoryNotice, time: number): boolean {
  return dueAt <= time && (event === 'asked' || (event === 'closed' && (question.state !== 'open' || isOver(question, time))));
}

/** Names a notice as it stands. */
export function toNoticePlace({ to, question, event = 'closed', attempts }: MemoryNotice): NoticePlace {
  return { tenant: question.call.tenant, handle: question.handle, to, event, attempt: attempts };
}

export function sizeOfStep({ id, name, record }: MemoryStep): number {
  return id.length + name.length + (record?.length ?? 0);
}

export function sizeOfQuestion({ id, handle, ask, answer }: Pick<MemoryQuestion, 'id' | 'handle' | 'ask' | 'answer'>): number {
  return id.length + handle.length + ask.length + (answer?.length ?? 0);
}

export function toCallState(call: MemoryCall, time: number, isAlive: IsAlive): CallState {
  const { tenant, id, epoch, stage, isCancelled, changes, process, guessAbout } = call;
  const mayRun = stage === 'running' || (stage === 'ended' && guessAbout === epoch);
  return { tenant, id, epoch, stage, isCancelled, isDead: mayRun && process !== undefined && !isAlive(process, time), changes };
}

export function toStoredCall(call: MemoryCall, time: number, isAlive: IsAlive): StoredCall {
  const { tool, handle, isPromised, process, key, origin, remainingMs, guessAbout, replacedBy, cancelledBy, endedAt, grant } = call;
  const { begunAt, changedAt, keptUntil, stage, dueAt, outcome, trace, progress } = call;
  return {
    ...toCallState(call, time, isAlive),
    tool,
    handle,
    isPromised,
    ...(process !== undefined && { process }),
    ...(key !== undefined && hasKey(call, time) && { key: key.text }),
    origin,
    start: JSON.parse(call.start) as JsonObject,
    listed: JSON.parse(call.listed) as ListedCall,
    ...(outcome !== undefined && { outcome: JSON.parse(outcome) as Outcome }),
    ...(trace !== undefined && { trace: JSON.parse(trace) }),
    ...(progress !== undefined && { progress: JSON.parse(progress) as JsonObject }),
    ...(remainingMs !== undefined && { remainingMs }),
    ...(guessAbout !== undefined && { guessAbout }),
    ...(replacedBy !== undefined && { replacedBy }),
    ...(grant !== undefined && { grant }),
    ...(cancelledBy !== undefined && { cancelledBy }),
    begunAt,
    changedAt,
    readAt: time,
    ...(stage === 'waiting' && dueAt < Number.POSITIVE_INFINITY && { wakeAt: dueAt }),
    ...(endedAt !== undefined && { endedAt }),
    keptUntil,
    questions: [...call.questions.values()].map(toStoredQuestion),
  };
}

export function toStoredQuestion(question: MemoryQuestion): StoredQuestion {
  const { handle, kind, id, ask, askedAt, expiresAt, call, state, decidedAt, answer } = question;
  return {
    handle,
    kind,
    id,
    ask: JSON.parse(ask) as JsonObject,
    tenant: call.tenant,
    call: call.id,
    tool: call.tool,
    listed: JSON.parse(call.listed) as ListedCall,
    state,
    askedAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(decidedAt !== undefined && { decidedAt }),
    ...(answer !== undefined && { answer: JSON.parse(answer) }),
  };
}

export function toStoredStep({ id, name, attempt, epoch, isOpen, record, sleepsUntil }: MemoryStep, time: number): StoredStep {
  return {
    id,
    name,
    attempt,
    epoch,
    isOpen,
    ...(record !== undefined && { record: JSON.parse(record) }),
    ...(sleepsUntil !== undefined && { leftMs: sleepsUntil - time }),
  };
}
