import type { JsonValue, Outcome, ResumedCall } from 'toolpact';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';

/** The tools of the process that dies: what each may do to the world, and what it can say about it afterwards. */
export const toolNames = ['pay', 'transfer', 'post', 'post_checked', 'upload', 'look_up'] as const;
export type ToolName = (typeof toolNames)[number];

/** Tools whose calls have a key, and tools that must never be executed twice. */
export const keyed: ReadonlySet<string> = new Set(['pay', 'transfer', 'upload']);
export const once: ReadonlySet<string> = new Set(['pay', 'transfer', 'post', 'post_checked']);

/** Where in a call the process can die by its own hand. Calls with a key begin and end in the store; all others are listed there, and nobody waits for that. */
export const phases = [
  'before the call is listed',
  'after the call is listed',
  'before the call begins',
  'after the call begins',
  'before the effect',
  'after the effect',
  'before the call ends',
  'after the call ends',
  'before its end is listed',
  'after its end is listed',
  'after the answer',
  'after a lost call is taken',
  'while asking what became of it',
] as const;
export type Phase = (typeof phases)[number];

/** One call; its id is its key, its call id and its line in the ledger. */
export interface PlannedCall {
  readonly tool: ToolName;
  readonly id: string;
}

/** The plan of one process before it ends or is killed. */
export interface Lifetime {
  readonly store: StoreAddress;
  /** Of so many calls with a key, one is acknowledged and forgotten. */
  readonly forgets?: number | undefined;
  /** How long a store may take for an answer before this process tells that it is late: less than guards wait for it. */
  readonly lateMs: number;
  /** Of so many answers of the store, one comes late by so much. */
  readonly late?: { readonly oneOf: number; readonly byMs: number } | undefined;
  readonly ledger: string;
  readonly runId: string;
  readonly calls: readonly PlannedCall[];
  /** Runs of earlier processes. */
  readonly resumes: readonly string[];
  /** Where it kills itself, and at the how-manieth time it gets there. */
  readonly dies?: { readonly at: Phase; readonly nth: number } | undefined;
}

/** An outcome, reduced to its essentials. */
export interface Ending {
  readonly status: Outcome['status'];
  readonly kind?: string;
  readonly effect?: string;
  readonly data?: JsonValue;
  readonly replayed?: true;
  /** Whether it has warnings: its store did not answer in time, so that the call was not recorded, not stored or not protected. */
  readonly warned?: true;
}

/** The reports of a process, each before or after the event. */
export type Told =
  | { readonly type: 'ready' }
  /** The store has failed, or has not answered for so long that guards may give it up soon. */
  | { readonly type: 'late' }
  /** Is about to begin a call with a key: from here on nobody else can know whether it took effect. */
  | { readonly type: 'claiming'; readonly id: string }
  /** The store has acknowledged how a call with a key ended. */
  | { readonly type: 'settled'; readonly id: string }
  | ({ readonly type: 'answer'; readonly tool: ToolName; readonly id: string } & Ending)
  | { readonly type: 'resumed'; readonly runId: string; readonly calls: readonly ResumedEnding[] }
  | { readonly type: 'dies'; readonly at: Phase }
  | { readonly type: 'ends' };

export interface ResumedEnding extends Ending {
  readonly tool: string;
  readonly id: string;
  readonly how: ResumedCall['how'];
}

/** Leaves of an outcome what is compared. */
export function toEnding(outcome: Outcome): Ending {
  const { status, meta } = outcome;
  return {
    status,
    ...(outcome.status === 'error' && { kind: outcome.error.kind, effect: outcome.error.effect }),
    ...(outcome.status === 'ok' && { data: outcome.data as JsonValue }),
    ...(meta.replayed === true && { replayed: true }),
    ...(meta.warnings !== undefined && { warned: true }),
  };
}
