/** The context of a call. All of it is optional; `call` fills in the required parts. */
export interface CallContext<TApp = unknown> {
  /** Stops the call from outside. */
  readonly signal?: AbortSignal;
  /** The id the model or provider gave this call. */
  readonly callId?: string;
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  /** Whose call it is: calls of one worker share the sessions of their resources. */
  readonly workerId?: string;
  readonly runId?: string;
  readonly traceId?: string;
  /** The id of this one call. A context that several calls share cannot give one: each of its calls gets its own. */
  readonly invocationId?: string;
  readonly requestId?: string;
  readonly conversationId?: string;
  readonly agentName?: string;
  /**
   * Identifies the client inside this process: the same object or text for all calls of one connection, or of one run of a framework.
   * Servers and adapters set it; `repeatBreaker` counts by it. It is neither stored nor sent anywhere.
   */
  readonly client?: object | string;
  /** Ids of the application's own domain by name, such as a case, a document or a workflow. They travel on in `meta.ids`. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  /** Time for the whole call in milliseconds; the tool's own, where it states one, is the most it gets. @default 30_000 */
  readonly timeoutMs?: number;
  readonly budgetTokens?: number;
  readonly locale?: string;
  readonly safetyMode?: string;
  /** When the caller's clock says this call was made, as an ISO timestamp. */
  readonly now?: string;
  /** Credentials for the tool; they never appear in any output. */
  readonly auth?: Readonly<Record<string, unknown>>;
  /** Whatever the application wants its tools to have. */
  readonly app?: TApp;
  readonly onProgress?: (progress: Progress) => void;
  /** Whether the caller may call a tool: a search finds no others. Servers set it. It does not keep a call from running; a policy does. */
  readonly mayCall?: (tool: string) => boolean;
  /** Recognises what a handler throws to steer its host. A call that ends so is pending with reason `host`: no failure, and not tried again. */
  readonly isControlFlow?: (thrown: unknown) => boolean;
  /** Hears the events of this call, and is what its tool finds as `ctx.session`. The context of a running call brings its own along. */
  readonly session?: SessionPort | CallSession | undefined;
  /** The prompt and the adapter a provider loop calls for; they only travel along in events. */
  readonly promptName?: string;
  readonly adapter?: string;
}

/** A session as a call needs it; `createSession` makes one. */
export interface SessionPort {
  readonly id: string;
  readonly emit: (event: never) => unknown;
  readonly forCall: (call: string) => CallSession;
}

/** A session as a running tool sees it, by the names of its slices. What the tool writes to `state` slices counts once its call
 * succeeds. Given on to another tool, it makes that call a part of this one. */
export interface CallSession extends SessionPort {
  readonly all: (slice: string) => readonly unknown[];
  readonly latest: (slice: string) => unknown;
  readonly version: (slice: string) => number;
  readonly append: (slice: string, ...items: readonly unknown[]) => boolean;
  readonly upsert: (slice: string, item: unknown) => boolean;
  readonly replaceLatest: (slice: string, item: unknown) => boolean;
  readonly clear: (slice: string) => boolean;
  readonly compareAndSet: (slice: string, version: number, items: readonly unknown[]) => boolean;
}

/** How far a running call has come. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}
