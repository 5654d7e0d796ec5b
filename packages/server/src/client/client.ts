import type {
  Approval,
  ApprovalPageRequest,
  BatchAnswer,
  BatchOptions,
  CallFilter,
  CallPage,
  DecisionFacts,
  Effects,
  FailureKind,
  Grant,
  GrantPageRequest,
  JsonObject,
  ListedCall,
  ListedTool,
  Outcome,
  Progress,
  RecordedCall,
  RerunOptions,
  RetryRule,
} from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import type { PageRequest, ResultPage } from 'toolpact/guards';
import type { CallSummary } from '../routes/call-summary.ts';
import type { AnswerForm } from './answer-form.ts';
import type { ContextIds } from './context-headers.ts';
import type { AnswerOf, ArgsOf, NamesOf, ServedCall } from './served-tools.ts';

/** How a client reaches its server. Ids given here go with every call that states none. */
export interface ClientOptions extends Omit<ContextIds, 'invocationId'> {
  /** Sent as `X-API-Key`. */
  readonly apiKey?: string;
  /** Sent as `Authorization: Bearer …`; a function is asked before every request. */
  readonly token?: string | (() => string | Promise<string>);
  /** More headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The dialects that answers are read in, besides outcomes and the dialects of the library. @default none */
  readonly dialects?: readonly Dialect[];
  /** The form to ask for. Whatever comes back is read. @default 'outcome', in which nothing is lost */
  readonly dialect?: AnswerForm;
  /** Time for each call, all its attempts included. @default 60_000 */
  readonly timeoutMs?: number;
  /** How often, and how soon, a call is sent again that may be; false for never. @default three times in all */
  readonly retry?: RetryRule | false;
  /** Answers above this many bytes are not read; of a stream, each event. @default 33_554_432 */
  readonly maxAnswerBytes?: number;
  /** @default the fetch of the platform */
  readonly fetch?: typeof fetch;
}

/** Which calls can be watched and counted. */
export type WatchFilter = Pick<CallFilter, 'tool' | 'status' | 'kind' | 'runId' | 'tenantId'>;

/** News of a call: it began or ended, or has reported how far it is. */
export type CallNews =
  | { readonly is: 'call'; readonly call: ListedCall }
  | ({ readonly is: 'progress'; readonly id: string; readonly tool: string } & Progress);

/** Options of every request. */
export interface RequestOptions {
  /** Stops the request; the server then stops the call. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Options of one call. */
export interface CallOptions extends RequestOptions, ContextIds {
  /** Makes calls with this key one call, and so lets the client send it again. */
  readonly idempotencyKey?: string;
  /** Creates a key for this call. @default false */
  readonly idempotent?: boolean;
  /** The effects of the tool, where the caller knows them. @default what the server says when it matters */
  readonly effects?: Effects;
  /** Hears how far the call is; the answer is then streamed. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Options of a whole batch. */
export interface BatchCallOptions
  extends RequestOptions,
    Omit<ContextIds, 'invocationId'>,
    Pick<BatchOptions, 'concurrency' | 'stopOnError'>,
    Pick<CallOptions, 'idempotencyKey' | 'idempotent'> {}

/** How a pending call ends. */
export type Settlement =
  | { readonly data: unknown }
  | { readonly error: { readonly kind: FailureKind; readonly message: string; readonly code?: string } };

/** Which sessions are meant. */
export interface SessionSelection {
  readonly sessionId?: string;
  readonly workerId?: string;
  readonly resourceType?: string;
}

/** The fields from which a session is created. */
export interface SessionDraft {
  readonly resourceType: string;
  readonly workerId?: string;
  readonly config?: JsonObject;
  readonly name?: string;
}

/** A session as the server describes it. */
export type ServedSession = {
  readonly session_id: string;
  readonly session_name: string;
  readonly resource_type: string;
  readonly worker_id: string | null;
  readonly status: 'initializing' | 'active' | 'error';
  readonly auto_created: boolean;
  readonly shared: boolean;
  readonly users: number;
  readonly config: JsonObject;
  readonly created_at: string;
  readonly last_activity: string;
  readonly expires_at: string | null;
  readonly created?: boolean;
};

/** Several sessions. */
export type ServedSessions = {
  readonly total: number;
  readonly sessions: readonly ServedSession[];
};

/** The result of one of several decisions. */
export type DecidedOne =
  | { readonly handle: string; readonly ok: true; readonly approval: Approval }
  | { readonly handle: string; readonly ok: false; readonly kind: FailureKind; readonly message: string };

/** A tool server as its callers have it. Nothing here throws or rejects: a network that fails is an outcome like any other. */
export interface Client<TServed = unknown> {
  /** The run that calls belong to when they state none. */
  readonly runId: string | undefined;
  /** Calls a tool. It is sent again only where that can do no harm: the tool changes nothing or may be repeated, or the call has a key. */
  readonly call: <TName extends NamesOf<TServed>>(
    name: TName,
    args: ArgsOf<TServed, TName>,
    options?: CallOptions,
  ) => Promise<AnswerOf<TServed, TName>>;
  /** Makes many calls in one request; answers come in call order. A key covers all of them, each by its id. When the request itself fails, every call gets that failure. */
  readonly batch: (calls: readonly ServedCall<TServed>[], options?: BatchCallOptions) => Promise<BatchAnswer[]>;
  /** Lists all tools this caller may call. */
  readonly list: (options?: RequestOptions) => Promise<Outcome<ListedTool[]>>;
  /** Reads the schemas of one tool. */
  readonly schema: (name: NamesOf<TServed>, options?: RequestOptions) => Promise<Outcome<ListedTool>>;
  /** Finds out what became of a call by its invocation id. */
  readonly findCall: (id: string, options?: RequestOptions) => Promise<Outcome<RecordedCall>>;
  /** Lists calls, newest first, page by page. */
  readonly calls: (filter?: CallFilter, options?: RequestOptions) => Promise<Outcome<CallPage>>;
  /** Counts calls per minute, tool and kind, of the last hour or of the time given. */
  readonly summarizeCalls: (
    filter?: WatchFilter & Pick<CallFilter, 'since' | 'until'>,
    options?: RequestOptions,
  ) => Promise<Outcome<CallSummary>>;
  /**
   * Watches calls as they begin, report and end, until its reader or its signal stops it. Goes on where it was when a connection breaks; what
   * the server refuses is its last outcome. An event may come twice. With `since`, calls that have begun or ended since then come first.
   */
  readonly watchCalls: (
    filter?: WatchFilter & Pick<CallFilter, 'since'>,
    options?: RequestOptions,
  ) => AsyncGenerator<Outcome<CallNews>, void, undefined>;
  /** Stops a running call, in whichever process it runs; `findCall` says how it ended. */
  readonly cancel: (id: string, options?: RequestOptions) => Promise<Outcome<{ readonly id: string }>>;
  /** Runs a call with steps that failed again, from a step on; gives the outcome of the new call. */
  readonly rerun: (id: string, options?: RequestOptions & RerunOptions) => Promise<Outcome>;
  /** Reads a part of a result that was too large to send whole. */
  readonly readResult: (ref: string, page?: PageRequest, options?: RequestOptions) => Promise<Outcome<ResultPage>>;
  /** Reads such a result page by page, to its end or to the first page that fails. */
  readonly readPages: (ref: string, page?: PageRequest, options?: RequestOptions) => AsyncGenerator<Outcome<ResultPage>, void, undefined>;
  /** Waits until a pending call has its outcome; gives `pending` again when the time is over. */
  readonly wait: (handle: string, options?: RequestOptions) => Promise<Outcome>;
  /** Returns a pending call its outcome; only the first counts. */
  readonly settle: (handle: string, settlement: Settlement, options?: RequestOptions) => Promise<Outcome>;
  /** Lists the calls that wait for an approval: all, or those of a tool, run or session, or that look like one of them. */
  readonly listApprovals: (
    options?: RequestOptions & Omit<ApprovalPageRequest, 'limit' | 'after'>,
  ) => Promise<Outcome<readonly Approval[]>>;
  /** Allows or denies a call that waits; only the first decision counts. `input` lets it run with other arguments, `grant` allows further calls like it. Who decides is told by the credential. */
  readonly decide: (
    handle: string,
    verdict: 'approve' | 'deny',
    options?: RequestOptions & Omit<DecisionFacts, 'by' | 'roles'>,
  ) => Promise<Outcome<Approval>>;
  /** Decides about several calls that wait, each by itself. Name those that the person was shown. */
  readonly decideAll: (
    handles: readonly string[],
    verdict: 'approve' | 'deny',
    options?: RequestOptions & Pick<DecisionFacts, 'reason'>,
  ) => Promise<Outcome<readonly DecidedOne[]>>;
  /** Lists the standing grants that count; with `all` also those that count no more. */
  readonly listGrants: (options?: RequestOptions & Pick<GrantPageRequest, 'all' | 'tool'>) => Promise<Outcome<readonly Grant[]>>;
  /** Ends a standing grant: from then on no call begins under it. */
  readonly revokeGrant: (id: string, options?: RequestOptions) => Promise<Outcome<Grant>>;
  /** The sessions of a server's resources. */
  readonly sessions: {
    readonly create: (draft: SessionDraft, options?: RequestOptions) => Promise<Outcome<ServedSession>>;
    readonly list: (selection?: SessionSelection, options?: RequestOptions) => Promise<Outcome<ServedSessions>>;
    readonly refresh: (selection?: SessionSelection, options?: RequestOptions) => Promise<Outcome<ServedSessions>>;
    readonly destroy: (selection: SessionSelection, options?: RequestOptions) => Promise<Outcome<ServedSessions>>;
  };
  /** Returns the same client with other ids for its calls, such as those of a new run. */
  readonly with: (ids: Omit<ContextIds, 'invocationId'>) => Client<TServed>;
}
