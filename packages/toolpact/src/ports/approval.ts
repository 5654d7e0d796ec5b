import type { JsonValue } from '../outcome/index.ts';

/** A request to allow one call, and what became of it. */
export interface Approval {
  readonly v: 1;
  readonly handle: string;
  /** Binds the approval to tool, arguments and schema. */
  readonly hash?: string;
  readonly tool: string;
  /** The arguments as checked, as they were shown: see `redactions` and `cuts`. */
  readonly input: JsonValue;
  /** How many parts of `input` were hidden as secrets. */
  readonly redactions?: number;
  /** How many parts of `input` were cut, or cannot be shown. */
  readonly cuts?: number;
  /** The fingerprint of `input` as shown: a call that would be shown otherwise needs an approval of its own. */
  readonly shown?: string;
  readonly question: string;
  /** The plan of the call by its tool's preview: as it was shown, or for the changed arguments. */
  readonly preview?: JsonValue;
  /** The roles that may decide; absent where anybody may whom the server or program lets decide. */
  readonly roles?: readonly string[];
  /** Whether the user whose agent asked may not approve it. */
  readonly fourEyes?: boolean;
  /** How to treat an equal call if nobody decides in time: deny it. By default it asks again. */
  readonly onExpiry?: 'deny';
  /** `false` if the approval cannot allow further calls. */
  readonly grants?: false;
  /** The arguments with which it runs, where a person changed them; `input` is as it was asked. */
  readonly edited?: JsonValue;
  /** The person's changes of the arguments. */
  readonly changes?: readonly InputChange[];
  readonly state: 'waiting' | 'approved' | 'denied' | 'used' | 'expired';
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly decidedAt?: number;
  readonly by?: string;
  readonly reason?: string;
  /** The standing grant that was given with it. */
  readonly grant?: string;
  /** The call that has used it: it is for no other. */
  readonly usedBy?: string;
  readonly invocationId: string;
  readonly userId?: string;
  readonly callId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
}

/** One thing that a person changed in the arguments of a call; `before` is absent where it was added, `after` where it was removed. */
export interface InputChange {
  readonly path: readonly (string | number)[];
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Which approvals to list. */
export interface ApprovalPageRequest {
  /** @default all */
  readonly limit?: number;
  /** The handle of the last approval on the page before. */
  readonly after?: string;
  /** Those of calls of this tool, run or session. */
  readonly tool?: string;
  readonly runId?: string;
  readonly sessionId?: string;
  /** The handle of an approval: those that look like it, and it. They ask for the same tool with the same names of arguments, for the same user, session and run. */
  readonly like?: string;
}
