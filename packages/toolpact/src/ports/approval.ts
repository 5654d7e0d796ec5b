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
  /** What the call would do, by the preview of its tool: as it was shown, or for the arguments that a person gave in place of its own. */
  readonly preview?: JsonValue;
  /** The roles that may decide; absent where anybody may whom the server or program lets decide. */
  readonly roles?: readonly string[];
  /** Whether the user whose agent asked may not approve it. */
  readonly fourEyes?: boolean;
  /** What an equal call gets where nobody decides in time: it asks again, unless silence is a no. */
  readonly onExpiry?: 'deny';
  /** The arguments with which it runs, where a person changed them; `input` is as it was asked. */
  readonly edited?: JsonValue;
  /** What that person changed. */
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

/** What approvals add to a toolbox. */
export interface ApprovalMethods {
  /** Decides about a waiting call, once: only the first decision counts. Rejects when the store does not answer, and for anything but these two decisions. */
  readonly decide: (
    handle: string,
    verdict: 'approve' | 'deny',
    facts?: { readonly by?: string; readonly reason?: string },
  ) => Promise<
    | { readonly ok: true; readonly approval: Approval }
    | { readonly ok: false; readonly why: 'unknown' | 'decided' | 'expired'; readonly approval?: Approval }
  >;
  /**
   * Ends a call that waits for an approval, or was approved and has not run, as `cancelled`: a later decision changes nothing. Gives whether
   * there was such a call. Rejects when the store does not answer.
   */
  readonly withdraw: (handle: string) => Promise<boolean>;
  /** Finds a request for approval, decided or not. Undefined when there is none; rejects when the store does not answer. */
  readonly findApproval: (handle: string) => Promise<Approval | undefined>;
  /** Lists the calls that wait for a decision, oldest first. `after` is the handle of the last one on the page before. @default limit: all */
  readonly listApprovals: (page?: ApprovalPageRequest) => Promise<readonly Approval[]>;
}
