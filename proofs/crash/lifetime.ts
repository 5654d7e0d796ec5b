import type { JsonValue, Outcome } from 'toolpact';
import type { ResumedCall } from 'toolpact/guards';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';

/** The tools of the process that dies: what each may do to the world, and what it can say about it afterwards. */
export const toolNames = ['pay', 'transfer', 'post', 'post_checked', 'upload', 'look_up'] as const;
export type ToolName = (typeof toolNames)[number];

/** Tools whose calls have a key, and tools that must never be executed twice. */
export const keyed: ReadonlySet<string> = new Set(['pay', 'transfer', 'upload']);
export const once: ReadonlySet<string> = new Set(['pay', 'transfer', 'post', 'post_checked']);

/** Where in a call the process can die by its own hand. */
export const phases = [
  'before the start is written',
  'after the start is written',
  'before the key is claimed',
  'after the key is claimed',
  'before the effect',
  'after the effect',
  'before the key is settled',
  'after the key is settled',
  'before the end is written',
  'after the end is written',
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

/** What one process is to do before it ends or is killed. */
export interface Lifetime {
  readonly store: StoreAddress;
  /** The writes of every so-manieth key that are acknowledged and forgotten. */
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

/** What an outcome comes to. */
export interface Ending {
  readonly status: Outcome['status'];
  readonly kind?: string;
  readonly effect?: string;
  readonly data?: JsonValue;
  readonly replayed?: true;
  /** Whether it has warnings: its store did not answer in time, so that the call was not recorded, not stored or not protected. */
  readonly warned?: true;
}

/** What a process tells, each before or after it really happened. */
export type Told =
  | { readonly type: 'ready' }
  /** The store has failed, or has not answered for so long that guards may give it up soon. */
  | { readonly type: 'late' }
  /** Is about to claim a key: from here on nobody else can know whether its call took effect. */
  | { readonly type: 'claiming'; readonly id: string }
  /** The store has acknowledged how the call of a key ended. */
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
