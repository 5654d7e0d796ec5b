import type { Outcome } from 'toolpact';

/** A row of a call that began in the store. */
export interface ObservedRow {
  readonly tenant: string;
  readonly row: string;
  readonly tool: string;
  /** The first of the rows whose steps it goes on with. */
  readonly origin: string;
  readonly isPromised: boolean;
  readonly at: number;
}

/** Something that the store took from a run of a call, or a run that it let begin. */
export interface ObservedWrite {
  readonly process: string;
  readonly name: string;
  readonly row: string;
  readonly epoch: number;
  /** Whether the call has ended with it. */
  readonly isEnd: boolean;
  readonly at: number;
}

/** A handler that began, in one process: the first run of a call, or one that goes on with it. */
export interface ObservedRun {
  readonly place: number;
  readonly process: string;
  readonly tool: string;
  /** The subject of the call: the key of keyed tools is made from it. */
  readonly id: string;
  /** The try that it belongs to, by the name that its caller chose. */
  readonly attempt: string;
  readonly invocationId: string;
  /** The row of the call that it runs. */
  readonly row: string;
  readonly input: unknown;
  /** The preview of its tool at its beginning, if it has one. */
  readonly plan?: unknown;
  readonly beganAt: number;
  /** When the store gave the answer by which it began. */
  readonly saidAt: number;
  /** When it ended, or began to wait. */
  endedAt: number | undefined;
}

/** The function of a step that began. */
export interface ObservedStep {
  readonly run: ObservedRun;
  readonly step: string;
  readonly effects: 'none' | 'idempotent' | 'writes';
  /** The key that the library gave to the step. */
  readonly key: string;
  readonly at: number;
  /** When the store gave the answer by which it began: what happened in the store since then could not be known. */
  readonly saidAt: number;
  effectAt: number | undefined;
}

/** Somebody asked the outside world what became of a step or a call. */
export interface ObservedReconcile {
  readonly tool: string;
  readonly id: string;
  readonly step: string | undefined;
  readonly at: number;
  readonly said: 'applied' | 'none';
}

/** Who learned how a call stands, and how. */
export type AnswerWay = 'call' | 'wait' | 'get' | 'rerun' | 'resume' | 'settle';

/** An answer about a call that somebody received. */
export interface ObservedAnswer {
  readonly way: AnswerWay;
  readonly process: string;
  readonly tool: string;
  readonly id: string;
  /** The try that it is about, by the name that its caller chose. */
  readonly attempt: string;
  readonly askedAt: number;
  readonly at: number;
  /** Undefined where nothing is known of such a call, or it has no end. */
  readonly outcome: Outcome | undefined;
  /** Whether the record has a start without an end. */
  readonly isOpen?: boolean;
}

/** A try of somebody to make a call: a call, or a rerun. */
export interface ObservedAttempt {
  readonly attempt: string;
  readonly tool: string;
  readonly id: string;
  /** The errand that it serves: a caller may try more than once. */
  readonly label: string;
  readonly process: string;
  readonly runId: string;
  readonly input: unknown;
  readonly beganAt: number;
  readonly rerunOf?: string;
  /** When its caller got an answer; undefined where the process died first. */
  answeredAt: number | undefined;
}

/** A request to stop a call, and what the one who asked was told. */
export interface ObservedCancel {
  readonly row: string;
  readonly askedAt: number;
  readonly at: number;
  readonly told: boolean;
}

/** A person's decision about a call, as far as that person was told. */
export interface ObservedDecision {
  /** The row of the call that it is about. */
  readonly row: string;
  /** The reason that this person gave; no two decisions have the same. */
  readonly reason: string;
  readonly tool: string;
  readonly shown: unknown;
  /** The arguments that this person gave instead. */
  readonly edited?: unknown;
  /** The preview as it was shown. */
  readonly preview?: unknown;
  /** Which further calls this person allowed. */
  readonly grant?: ObservedGrantRequest;
  readonly verdict: 'approve' | 'deny' | 'withdraw';
  readonly askedAt: number;
  readonly at: number;
  /** Undefined where the answer was lost: the decision may count. */
  readonly isTaken: boolean | undefined;
}

/** Which further calls a person allowed: those of the same run, or all; by how large they may be. */
export interface ObservedGrantRequest {
  readonly for: 'run' | 'user';
  readonly maxSize: number;
  readonly expiresMs: number;
  readonly uses: number;
}

/** A standing grant that the store was given, the use of one, or its end. Times of the store's clock are judged apart. */
export interface ObservedGrantWrite {
  readonly what: 'given' | 'used' | 'revoked';
  readonly grant: string;
  /** The row of the call whose question was answered with it, or that used it. */
  readonly row: string;
  /** With which reason it was given. */
  readonly reason?: string | undefined;
  readonly at: number;
  readonly clock: number;
}

/** A question of which somebody is to be told. */
export interface ObservedQuestion {
  readonly tenant: string;
  readonly handle: string;
  readonly at: number;
  /** Whether it is not open any more, at the end. */
  isClosed: boolean;
}

/** A notice that reached its recipient. */
export interface ObservedNotice {
  readonly id: string;
  readonly handle: string;
  /** Whether it tells how the question was closed, and not that it was asked. */
  readonly isClosing: boolean;
  readonly process: string;
  readonly at: number;
  /** Whether the recipient answered that it has it; otherwise it broke off. */
  readonly isTaken: boolean;
}

/** How a process was kept from working as usual, and until when. */
export interface ObservedDisturbance {
  readonly process: string;
  readonly from: number;
  readonly until: number;
}

/** How a row stands at the end, when all processes live and the store answers. */
export interface FinalRow {
  readonly row: string;
  readonly tool: string;
  readonly isPromised: boolean;
  readonly stage: 'running' | 'waiting' | 'ended' | 'forgotten';
  /** Whether a person may still answer something, or has approved a call that its caller has not made again. */
  readonly isAsking: boolean;
  readonly outcome: Outcome | undefined;
  /** Stored leftovers that nobody will ever read. */
  readonly leftovers: readonly string[];
}

/** The final answer about an attempt. */
export interface FinalAnswer {
  readonly attempt: string;
  readonly tool: string;
  readonly id: string;
  /** The row by which it is found: its own, or that of the call that it joined. */
  readonly row: string;
  readonly found: Outcome | undefined;
  /** The answer of `wait`. */
  readonly waited: Outcome | undefined;
}

/** All that those outside can see of one simulated run. */
export interface Observations {
  readonly rows: Map<string, ObservedRow>;
  readonly writes: ObservedWrite[];
  readonly runs: ObservedRun[];
  readonly steps: ObservedStep[];
  readonly reconciles: ObservedReconcile[];
  readonly answers: ObservedAnswer[];
  readonly attempts: ObservedAttempt[];
  readonly cancels: ObservedCancel[];
  readonly decisions: ObservedDecision[];
  readonly grants: ObservedGrantWrite[];
  readonly questions: ObservedQuestion[];
  readonly notices: ObservedNotice[];
  readonly disturbances: ObservedDisturbance[];
  readonly finalRows: FinalRow[];
  readonly finals: FinalAnswer[];
  /** Rejections that nobody took, and exceptions of timers. */
  readonly strays: string[];
}

/** Makes empty observations. */
export function createObservations(): Observations {
  return {
    rows: new Map(),
    writes: [],
    runs: [],
    steps: [],
    reconciles: [],
    answers: [],
    attempts: [],
    cancels: [],
    decisions: [],
    grants: [],
    questions: [],
    notices: [],
    disturbances: [],
    finalRows: [],
    finals: [],
    strays: [],
  };
}

/** Returns the first of the rows whose steps a row goes on with: what a rerun goes on with is the same call. */
export function originOf({ rows }: Pick<Observations, 'rows'>, row: string): string {
  return rows.get(row)?.origin ?? row;
}

/** Returns the row by which a try is found: its own, or that of the call that it joined. */
export function rowOf({ rows, answers }: Pick<Observations, 'rows' | 'answers'>, attempt: string): string {
  if (rows.has(attempt)) return attempt;
  const told = answers.findLast(
    (one) => one.attempt === attempt && one.way !== 'get' && one.outcome?.meta.invocationId !== undefined,
  )?.outcome;
  if (told === undefined) return attempt;
  return told.status === 'pending' ? told.pending.handle : (told.meta.invocationId ?? attempt);
}
