import type { JsonValue } from '../outcome/index.ts';

/** Which values of one argument a standing grant covers. */
export type GrantRule =
  | 'any'
  | { readonly equals: JsonValue }
  | { readonly oneOf: readonly JsonValue[] }
  | { readonly min?: number; readonly max?: number };

/** A standing grant that accompanies an approval: further calls like it run without a question. */
export interface GrantRequest {
  /** Whose calls: those of the same run or session, or all calls of the same user. */
  readonly for: 'run' | 'session' | 'user';
  /** Rules for arguments, by name. All others must be equal to those of the call that is approved. */
  readonly input?: Readonly<Record<string, GrantRule>>;
  /** How long it counts; has to be given for all calls of a user. @default a day */
  readonly expiresMs?: number;
  /** How many calls it covers. @default any number */
  readonly uses?: number;
}

/** A standing grant: calls of a tool that run without a question. */
export interface Grant {
  readonly v: 1;
  readonly id: string;
  readonly tool: string;
  /** Says in plain words which calls it covers. It is never wider than this. */
  readonly words: string;
  readonly for: GrantRequest['for'];
  readonly userId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly input: Readonly<Record<string, GrantRule>>;
  readonly state: 'active' | 'revoked' | 'expired' | 'used_up';
  /** How many calls have run under it, and how many may. */
  readonly uses: number;
  readonly mostUses?: number;
  readonly usedAt?: number;
  readonly givenAt: number;
  readonly expiresAt: number;
  /** Who gave it and why, and the approval that it was given with. */
  readonly by?: string;
  readonly reason?: string;
  readonly approval: string;
  readonly revokedAt?: number;
  readonly revokedBy?: string;
}

/** Which grants to list. */
export interface GrantPageRequest {
  /** Also those that count no more, for as long as they are kept. @default false */
  readonly all?: boolean;
  readonly tool?: string;
  /** @default all */
  readonly limit?: number;
  /** The id of the last grant on the page before. */
  readonly after?: string;
}
