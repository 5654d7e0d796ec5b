import type { Outcome } from 'toolpact';

/** A handler that began, in one process: the first run of a call, or one that goes on with it. */
export interface ObservedRun {
  readonly place: number;
  readonly process: string;
  readonly tool: string;
  /** What the call is about: the key of keyed tools is made of it. */
  readonly id: string;
  /** The try that it belongs to: the same for all runs of one call, by whichever process. */
  readonly attempt: string;
  readonly invocationId: string;
  readonly input: unknown;
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
export type AnswerWay = 'call' | 'wait' | 'find' | 'rerun' | 'resume' | 'settle';

/** What somebody was told about a call. */
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
  readonly attempt: string;
  readonly askedAt: number;
  readonly at: number;
  readonly told: boolean;
}

/** What a person decided about a call, as far as that person was told. */
export interface ObservedDecision {
  readonly handle: string;
  readonly tool: string;
  readonly shown: unknown;
  readonly runId: string | undefined;
  readonly verdict: 'approve' | 'deny' | 'withdraw';
  readonly askedAt: number;
  readonly at: number;
  /** Undefined where the answer was lost: the decision may count. */
  readonly isTaken: boolean | undefined;
}

/** How a process was kept from working as usual, and until when. */
export interface ObservedDisturbance {
  readonly process: string;
  readonly from: number;
  readonly until: number;
}

/** How a call stands at the end, when all processes live and the store answers. */
export interface FinalState {
  readonly attempt: string;
  readonly tool: string;
  readonly id: string;
  readonly found: Outcome | undefined;
  readonly isRecorded: boolean;
  /** What it still asks, of a person. */
  readonly openQuestions: number;
  /** What `wait` says about the handle that was given. */
  readonly waited: Outcome | undefined;
}

/** All that those outside can see of one simulated run. */
export interface Observations {
  readonly runs: ObservedRun[];
  readonly steps: ObservedStep[];
  readonly reconciles: ObservedReconcile[];
  readonly answers: ObservedAnswer[];
  readonly attempts: ObservedAttempt[];
  readonly cancels: ObservedCancel[];
  readonly decisions: ObservedDecision[];
  readonly disturbances: ObservedDisturbance[];
  readonly finals: FinalState[];
  /** Rejections that nobody took, and exceptions of timers. */
  readonly strays: string[];
  /** Records at the end, by space, of which none expires. */
  readonly left: Map<string, number>;
}

/** Makes empty observations. */
export function createObservations(): Observations {
  return {
    runs: [],
    steps: [],
    reconciles: [],
    answers: [],
    attempts: [],
    cancels: [],
    decisions: [],
    disturbances: [],
    finals: [],
    strays: [],
    left: new Map(),
  };
}
