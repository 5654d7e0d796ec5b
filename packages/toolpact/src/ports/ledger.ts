import type { FailureKind, JsonObject, JsonValue, Outcome } from '../outcome/index.ts';
import type { ListedCall } from './recorded-call.ts';

/**
 * The calls that a store remembers. Each operation is atomic in the store and judges time and death by the store's own clock; moments are
 * given as spans ("for so long from now"), never as times of the caller. Every write of a run carries the epoch of that run, and the store
 * compares and writes in one operation: a run is lost once another has taken its call or the call has ended; it is told so, and has written
 * nothing. A call that was never there, one of another tenant and one that is forgotten are the same thing.
 *
 * An answer is decided together with its write. The call that it shows besides may have been read a moment later; the epoch, the arguments and the
 * steps of a call that was taken are those of this run.
 *
 * A call is forgotten once its `keepMs` are over since its last write (steps and signs of life are no writes of a call), but not while it waits,
 * nor while it runs and something is promised about it.
 */
export interface Ledger {
  /**
   * Writes a new call, which runs or waits at once. Gives the call that holds its key instead, where there is one. What is looked at first
   * decides: its id, its key, the call that it replaces, how many wait, its grants.
   */
  readonly begin: (call: NewCall) => Promise<Begun>;
  /**
   * Creates a process the one that runs a call, with the next epoch: a call that waits (due or not), or one whose process is dead. Whoever asks
   * lives: nobody is given a call as dead that it runs itself. Calls without a process are an engine's, and no process takes them; the engine
   * takes any call that has not ended. All else of the call stays as it was, also its outcome and how it is listed.
   */
  readonly take: (at: CallPlace, taker: Taker) => Promise<Taken>;
  /**
   * Takes calls that are due, at most `limit`, in any order: those that wait and whose time has come, those that wait and are to stop, and those
   * that were promised and whose process is dead. Two askers never get the same call. What others write at the same moment may be left out.
   */
  readonly takeDue: (asked: DueRequest) => Promise<readonly TakenCall[]>;
  /** Writes that a step begins, before it runs. One that begins again keeps its place among the steps, and is open again. */
  readonly stepBegin: (run: RunPlace, step: BegunStep) => Promise<Written>;
  /** Writes how a step ended, or until when a call sleeps, in place of what was written of it before. */
  readonly stepEnd: (run: RunPlace, step: EndedStep) => Promise<Written>;
  /**
   * Lets a call wait, together with its questions. One that was asked to stop is told so instead, and nothing is written. It is due at once
   * where an answer that wakes it came since it was taken.
   */
  readonly wait: (run: RunPlace, wait: Wait) => Promise<Written | { readonly is: 'cancelled' } | { readonly is: 'full' }>;
  /** Answers an open question, once, and makes its call due or ends it in the same write. */
  readonly answer: (at: QuestionPlace, answer: GivenAnswer) => Promise<Answered>;
  /**
   * Writes how a call ended, once; also that of a call which waits in the epoch of the run. Its open questions are withdrawn, but for those whose
   * time is over; its arguments are forgotten unless its steps are kept. The end that another process guessed is replaced by that of the run which it is a guess
   * about, unless this is a guess too; that counts up the epoch, so that nobody begins a call in place of one that it saw otherwise.
   */
  readonly end: (run: RunPlace, end: CallEnd) => Promise<Written>;
  /**
   * Writes that a call must stop, which every later run sees; with `end`, a call that still waits as it was seen ends in the same write. Any other
   * call that waits is due at once. Of several that ask, the first is remembered.
   */
  readonly cancel: (at: CallPlace, cancel: Cancel) => Promise<Cancelled>;
  /** Writes what a call that runs has to tell: its progress, or that equal calls now join it. */
  readonly note: (run: RunPlace, note: CallNote) => Promise<Written>;
  /**
   * Renews the sign of life of a process, and gives the calls that the store says it runs, as far as it asks for them. A process that gave none
   * yet is dead.
   */
  readonly heartbeat: (beat: Heartbeat) => Promise<readonly OwnCall[]>;
  /** Finds one call by its id, else by its handle, else by the handle of one of its questions, with all that is stored of it. */
  readonly get: (tenant: string, handle: string) => Promise<StoredCall | undefined>;
  /** Finds the call that has a key, as long as that counts. */
  readonly findByKey: (tenant: string, key: string) => Promise<StoredCall | undefined>;
  /** Checks whether a process has given a sign of life in time. */
  readonly isAlive: (process: string) => Promise<boolean>;
  /** Returns where calls stand, in any order; those that are not there are left out. */
  readonly look: (places: readonly CallPlace[]) => Promise<readonly CallState[]>;
  /** Returns the steps of a call, in the order in which they first began. */
  readonly steps: (at: CallPlace) => Promise<readonly StoredStep[]>;
  /** Returns what a call needs to run again, for as long as that is kept. */
  readonly args: (at: CallPlace) => Promise<JsonValue | undefined>;
  /** Lists calls, those that began last first; of those that began at the same moment, those that were written last. */
  readonly list: (query: CallQuery) => Promise<CallRows>;
  /** Lists the standing grants of a tenant, in the order in which they were given. */
  readonly grants: (query: GrantQuery) => Promise<readonly StoredGrant[]>;
  /** Ends a grant that still counts; from then on no call begins under it. */
  readonly revoke: (at: CallPlace, revoker: Revoker) => Promise<Revoked>;
  /** Lists open questions whose time is not over, oldest first. */
  readonly questions: (query: QuestionQuery) => Promise<readonly StoredQuestion[]>;
  /**
   * Takes notices of one recipient that are due, those that have been for longest first. Nobody else is given one of them for `leaseMs`, and the
   * attempt that it is given with tells this taker from all others. That a question was asked comes first; how it was closed is due once
   * that has been settled, and the question was answered, withdrawn, or its time is over. Notices are forgotten with the call of their question.
   */
  readonly takeNotices: (asked: NoticeRequest) => Promise<TakenNotices>;
  /** Writes what became of a notice; gives false, and writes nothing, where another has taken it since, or it is not there any more. */
  readonly settleNotice: (notice: NoticePlace, settled: SettledNotice) => Promise<boolean>;
  /**
   * Hears of changes, by whichever process: of one call, or (without a place) that any may have changed. A hint to look, which may come late or
   * twice; only few get lost. Gives the function that stops it.
   */
  readonly watch: (listener: (at: CallPlace | undefined) => void) => () => void;
}

/** Names a call. */
export interface CallPlace {
  readonly tenant: string;
  readonly id: string;
}

/** Names one run of a call. */
export interface RunPlace extends CallPlace {
  readonly epoch: number;
}

/** The stage of a call in the store. */
export type CallStage = 'running' | 'waiting' | 'ended';

/** A call that begins. */
export interface NewCall extends CallPlace {
  readonly tool: string;
  /** The process that runs it; undefined where an engine does. */
  readonly process: string | undefined;
  /**
   * Whether something was promised about it, so that whoever finds its process dead goes on with it or ends it. Of other calls only a list
   * is kept, as well as it can be.
   */
  readonly isPromised: boolean;
  /** Equal calls have the same key. */
  readonly key?: CallKey | undefined;
  /** Names it for the keys of its steps: the first of the calls whose steps it goes on with. */
  readonly origin: string;
  /**
   * The ended call that it goes on with, in the same write: that call's key counts no more (this one has the key that it is given), and its steps
   * and answered inputs become its own; the steps then have the epoch 0. It begins only where that call still is as it was seen and nothing has
   * replaced it.
   */
  readonly instead?: RunPlace | undefined;
  /** Lets it begin as one that waits, and is listed as this says. */
  readonly wait?: Wait | undefined;
  /**
   * It runs under one of these grants, the first that counts; that is used in the same write. Where none counts any more, it does not begin. Not
   * together with `wait`.
   */
  readonly grants?: readonly string[] | undefined;
  /** How it is listed. */
  readonly listed: ListedCall;
  readonly by: ListedBy;
  /** All else that is kept of its beginning. */
  readonly start: JsonObject;
  /** The arguments for running it again; large, and read only by whoever takes the call. */
  readonly args?: JsonValue | undefined;
  /** For how long it is kept; each write begins this time anew. The store may bound it. */
  readonly keepMs: number;
}

/** The key of equal calls, and its lifetime. */
export interface CallKey {
  readonly text: string;
  /** From the last write on. It counts at least as long as its call runs or waits, and at most as long as that is kept. */
  readonly countsMs: number;
}

/** Fields by which lists find a call. */
export interface ListedBy {
  /** When it began, in epoch milliseconds of the process that began it. */
  readonly begunAt: number;
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The idempotency key that its caller gave. */
  readonly callerKey?: string | undefined;
}

/** The result of beginning a call. */
export type Begun =
  | { readonly is: 'begun'; readonly epoch: number; readonly grant?: string | undefined }
  /** Another call has its key, or the call that it was to replace has changed. */
  | { readonly is: 'found'; readonly call: StoredCall }
  /** Its id is in use, or what it was to replace is gone or another tenant's. */
  | { readonly is: 'refused' }
  /** As many calls of its tenant wait as may. */
  | { readonly is: 'full' }
  /** None of its grants counts any more. */
  | { readonly is: 'ungranted' };

/** Who takes a call. */
export interface Taker {
  /** The epoch that was seen: a call that another has taken meanwhile is not taken. */
  readonly epoch: number;
  /** The process that runs it from now on. */
  readonly process: string;
  /** Which call may be taken: one that waits, or one that runs and whose process is dead. */
  readonly from: 'waiting' | 'dead';
  /**
   * Takes a call that waits for an approval under one of these grants, the first that counts; that is used, and the question withdrawn, in the same
   * write. Where none counts any more, the call is not taken.
   */
  readonly grants?: readonly string[] | undefined;
}

/** The result of taking a call over. */
export type Taken = { readonly is: 'taken'; readonly call: TakenCall } | { readonly is: 'lost'; readonly call: StoredCall | undefined };

/** A call that this process runs from now on, with all that it needs. */
export interface TakenCall extends StoredCall {
  /** Whether its process had died; otherwise it had waited. */
  readonly wasDead: boolean;
  readonly args?: JsonValue | undefined;
  readonly steps: readonly StoredStep[];
}

/** Who asks for calls that are due. */
export interface DueRequest {
  readonly process: string;
  /** The tools that the asker has. */
  readonly tools: readonly string[];
  readonly limit: number;
  /**
   * Calls that wait are taken only when they have been due for so long, whoever asks: the process that began them comes first, by `take`.
   * @default 0
   */
  readonly graceMs?: number | undefined;
}

/** The place of a step in the store. */
interface StepPlace {
  /** Differs for every step of a call. */
  readonly id: string;
  readonly name: string;
  /** Which attempt of the call, over all its runs. */
  readonly attempt: number;
}

/** A step that begins. */
export interface BegunStep extends StepPlace {}

/** A step that has ended, or a sleep. */
export interface EndedStep extends StepPlace {
  /** How it ended; a sleep has none. */
  readonly record?: JsonValue | undefined;
  /** For how long a sleep lasts, from now. */
  readonly sleepMs?: number | undefined;
}

/** A step as it is stored. */
export interface StoredStep extends StepPlace {
  /** The run that wrote it last; 0 where a call before this one did. */
  readonly epoch: number;
  /** Whether it was begun, and its end is not stored. */
  readonly isOpen: boolean;
  readonly record?: JsonValue | undefined;
  /** For how long a sleep still lasts; at most 0 when it is over. */
  readonly leftMs?: number | undefined;
}

/** How a call waits. */
export interface Wait {
  /** After how long it is due by itself; without it only an answer wakes it. */
  readonly wakeMs?: number | undefined;
  /** New questions, in addition to earlier ones. A question with the id of an earlier one leaves that unchanged. */
  readonly questions: readonly NewQuestion[];
  /** How it is read by those who wait for it. */
  readonly outcome: Outcome;
  readonly listed: ListedCall;
  /** Remaining time. */
  readonly remainingMs?: number | undefined;
  /** Another handle under which it is found, instead of one that was given before. */
  readonly handle?: string | undefined;
  /** Lets equal calls join it, where it has no key and no other call has this one. */
  readonly joinKey?: CallKey | undefined;
  /** How many calls of its tenant may wait; it is refused as `full` where as many do, and nothing is written. A few more may that begin to wait at one moment. */
  readonly mostWaiting?: number | undefined;
  /** Who is to be told of each of these questions, and of how it is closed: that is written together with the question. */
  readonly notify?: readonly string[] | undefined;
}

/** A question that a call waits for. */
export interface NewQuestion {
  readonly handle: string;
  readonly kind: QuestionKind;
  /** Differs for every question of a call. */
  readonly id: string;
  /** The part of the question that is shown and kept. */
  readonly ask: JsonObject;
  /** After how long it cannot be answered any more. */
  readonly expiresMs?: number | undefined;
}

/** Whether a call may run, or what it asks in its middle. */
export type QuestionKind = 'approval' | 'input';

/** A question as it is stored. Times are epoch milliseconds of the store. */
export interface StoredQuestion extends Omit<NewQuestion, 'expiresMs'> {
  readonly tenant: string;
  readonly call: string;
  readonly tool: string;
  /** How its call is listed now: who asks, in which run. */
  readonly listed: ListedCall;
  readonly state: QuestionState;
  readonly askedAt: number;
  readonly expiresAt?: number | undefined;
  readonly decidedAt?: number | undefined;
  /** The answer, and who gave it why. */
  readonly answer?: JsonValue | undefined;
}

/** `open` past its `expiresAt` cannot be answered. */
export type QuestionState = 'open' | 'approved' | 'denied' | 'answered' | 'withdrawn';

/**
 * Names a question: by its handle, else by the id or handle of its call, where only one of that is open (also one whose time is over). Where none
 * is open, the call names the question that it asked last; where several are, none.
 */
export interface QuestionPlace {
  readonly tenant: string;
  readonly handle: string;
}

/** An answer to a question. */
export interface GivenAnswer {
  readonly state: Exclude<QuestionState, 'open'>;
  readonly answer: JsonValue;
  /** Whether the call goes on with it by itself: it is due now, or as soon as it waits again. Otherwise it waits for its caller. */
  readonly wakes: boolean;
  /** How the call ends with it: only where it still waits in the epoch that was seen. */
  readonly end?: (CallEnd & { readonly epoch: number }) | undefined;
  /** A standing grant that is given in the same write. Not together with `end`. */
  readonly grant?: NewGrant | undefined;
}

/** A standing permission for calls of a tool. */
export interface NewGrant {
  /** Differs for every grant of a tenant. */
  readonly id: string;
  readonly tool: string;
  /** The scope in which it is found: whose calls it covers. */
  readonly scope: string;
  /** Which calls it covers, who gave it, how it is shown. */
  readonly permit: JsonObject;
  /** For how long it counts. */
  readonly expiresMs: number;
  /** How many calls it covers. @default any number */
  readonly mostUses?: number | undefined;
  /** For how long it is kept after that, to be read. */
  readonly keepMs: number;
}

/** A grant as it is stored. Times are epoch milliseconds of the store. */
export interface StoredGrant extends CallPlace, Pick<NewGrant, 'tool' | 'scope' | 'permit' | 'mostUses'> {
  /** Whether it counts: not revoked, not over, not used up. */
  readonly isActive: boolean;
  readonly givenAt: number;
  readonly expiresAt: number;
  /** How many calls have begun under it, and when the last did. */
  readonly uses: number;
  readonly usedAt?: number | undefined;
  readonly revokedAt?: number | undefined;
  readonly revokedBy?: string | undefined;
}

/** Which grants to list. */
export interface GrantQuery {
  readonly tenant: string;
  readonly tool?: string | undefined;
  /** Those of one of these scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** Those alone that count. */
  readonly onlyActive?: boolean | undefined;
  readonly limit: number;
  /** The id of the last grant of the page before. Nothing comes after one that is not there. */
  readonly after?: string | undefined;
}

/** Who revokes a grant. */
export interface Revoker {
  readonly by?: string | undefined;
}

/** The result of revoking a grant. */
export type Revoked =
  | { readonly is: 'revoked'; readonly grant: StoredGrant }
  /** It had been revoked before, was over or used up: nothing was written. */
  | { readonly is: 'over'; readonly grant: StoredGrant }
  | { readonly is: 'unknown' };

/** The result of an answer. */
export type Answered =
  | { readonly is: 'answered'; readonly question: StoredQuestion; readonly call: CallState }
  /** It was answered before, or its time is over. */
  | { readonly is: 'decided' | 'expired'; readonly question: StoredQuestion }
  /** Its call is not as it was seen: ask again. */
  | { readonly is: 'changed' }
  | { readonly is: 'unknown' };

/** How a call ends. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly listed: ListedCall;
  /** The trace of guards, attempts and steps. */
  readonly trace?: JsonValue | undefined;
  /** For how long its key still counts, from now; 0 frees it, for good. @default as the key says */
  readonly keyCountsMs?: number | undefined;
  /** Whether its steps and arguments are kept: for a call that goes on where this one ended. */
  readonly keepsSteps: boolean;
  /**
   * The epoch of the run that this end is a guess about, because nothing was heard of it, or because its tool still runs. The end of that very
   * run replaces it. A call that guesses about itself keeps its process until then.
   */
  readonly guessAbout?: number | undefined;
}

/** The result of a write. */
export type Written =
  | { readonly is: 'written' }
  /** Another run has the call, it has ended, or it is not there: nothing was written. */
  | { readonly is: 'lost'; readonly call: StoredCall | undefined };

/** Who stops a call, and how it ends where it waits. */
export interface Cancel {
  readonly by?: string | undefined;
  readonly end?: (CallEnd & { readonly epoch: number }) | undefined;
}

/** The result of a request to stop a call. */
export type Cancelled =
  /** It waited, and has ended. */
  | { readonly is: 'ended'; readonly call: StoredCall }
  /** It runs, or waits otherwise than it was seen: the request is stored. */
  | { readonly is: 'asked'; readonly call: StoredCall }
  /** It had ended before. */
  | { readonly is: 'over'; readonly call: StoredCall }
  | { readonly is: 'unknown' };

/** A note about a running call. */
export interface CallNote {
  readonly progress?: JsonObject | undefined;
  readonly joinKey?: CallKey | undefined;
}

/** A sign of life. */
export interface Heartbeat {
  readonly process: string;
  /** For how long it counts; with 0 the process is dead at once. */
  readonly leaseMs: number;
  /** Returns its calls that have run at least for so long since they began or were taken, besides those that are to stop. */
  readonly ranMs: number;
}

/** A call that the store says a process runs. */
export interface OwnCall extends RunPlace {
  readonly isCancelled: boolean;
}

/** Where a call stands. */
export interface CallState extends RunPlace {
  readonly stage: CallStage;
  readonly isCancelled: boolean;
  /** Whether it runs, or has ended by a guess of its own run, and its process gives no sign of life. */
  readonly isDead: boolean;
  /** Counts the writes of it from 1: notes count too, steps do not. */
  readonly changes: number;
}

/** A call as it is stored. Times are epoch milliseconds of the store. */
export interface StoredCall extends CallState {
  readonly tool: string;
  /** Its id, unless it was given another. */
  readonly handle: string;
  readonly isPromised: boolean;
  /** The process that runs it, or ran it last. */
  readonly process?: string | undefined;
  /** Its key, as long as that counts. */
  readonly key?: string | undefined;
  readonly origin: string;
  readonly start: JsonObject;
  readonly listed: ListedCall;
  /** How it ended, or how it waits or waited last. */
  readonly outcome?: Outcome | undefined;
  readonly trace?: JsonValue | undefined;
  readonly progress?: JsonObject | undefined;
  readonly remainingMs?: number | undefined;
  readonly guessAbout?: number | undefined;
  /** The standing grant under which it runs. */
  readonly grant?: string | undefined;
  /** The call that goes on where this one ended. */
  readonly replacedBy?: string | undefined;
  readonly cancelledBy?: string | undefined;
  /** When it began, changed last, and was read. */
  readonly begunAt: number;
  readonly changedAt: number;
  readonly readAt: number;
  /** Since or from when a call that waits is due: by itself, or because an answer or a request to stop woke it; undefined once it has been taken. */
  readonly wakeAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** When it is forgotten, unless something is written or it still has to be kept. */
  readonly keptUntil: number;
  /** In the order in which they were asked. */
  readonly questions: readonly StoredQuestion[];
}

/** Which calls to list. All that is given must hold; of a list, one must. */
export interface CallQuery {
  readonly tenant: string;
  readonly tool?: readonly string[] | undefined;
  /** As they are listed. */
  readonly status?: readonly ListedCall['status'][] | undefined;
  readonly kind?: readonly FailureKind[] | undefined;
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly callerKey?: string | undefined;
  readonly replayOf?: string | undefined;
  /** Those that began then or later, and then or earlier, in epoch milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit: number;
  /** The `next` of the page before, or the cursor of a row. Any other text is an `invalid_argument`. */
  readonly cursor?: string | undefined;
}

/** Some of the calls of a list. A page may be short: only `next` says whether more may follow. */
export interface CallRows {
  readonly rows: readonly (CallState & {
    readonly listed: ListedCall;
    readonly progress?: JsonObject | undefined;
    /** Goes on after this row. */
    readonly cursor: string;
  })[];
  readonly next?: string | undefined;
}

/** Which open questions to list. */
export interface QuestionQuery {
  readonly tenant: string;
  readonly kind: QuestionKind;
  readonly limit: number;
  /** The handle of the last question of the page before, answered or not. Nothing comes after one that is not there. */
  readonly after?: string | undefined;
}

/** Who asks for notices. */
export interface NoticeRequest {
  /** Whom they are for. */
  readonly to: string;
  readonly limit: number;
  /** For how long nobody else is given them. */
  readonly leaseMs: number;
}

/** Notices that were taken. */
export interface TakenNotices {
  readonly notices: readonly TakenNotice[];
  /** Whether the recipient has others that are not settled: taken by somebody, due later, or of questions that are still open. */
  readonly areLeft: boolean;
}

/** Names a notice as it was taken. */
export interface NoticePlace {
  readonly tenant: string;
  /** The handle of its question. */
  readonly handle: string;
  readonly to: string;
  readonly event: NoticeEvent;
  /** Counts how often this event was taken, from 1. */
  readonly attempt: number;
}

/** The news about a question: first that it was asked, then how it was closed. */
export type NoticeEvent = 'asked' | 'closed';

/** A notice to be sent. Of a question that was closed and is `open`, the time is over. */
export interface TakenNotice extends NoticePlace {
  readonly question: StoredQuestion;
}

/** The result of sending a notice. */
export interface SettledNotice {
  /** After how long it is to be sent again; without it there is nothing more to do. */
  readonly againMs?: number | undefined;
  /** Why it could not be sent, for operators. */
  readonly trouble?: string | undefined;
}
