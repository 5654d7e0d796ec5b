/** What travels with a call. All of it is optional; `call` fills what a call cannot do without. */
export interface CallContext<TApp = unknown> {
  /** Stops the call from outside. */
  readonly signal?: AbortSignal;
  /** The id the model or provider gave this call. */
  readonly callId?: string;
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly ingestionRunId?: string;
  readonly traceId?: string;
  readonly invocationId?: string;
  readonly requestId?: string;
  readonly conversationId?: string;
  readonly agentName?: string;
  readonly workflowId?: string;
  readonly collectionId?: string;
  readonly documentId?: string;
  readonly documentVersionId?: string;
  readonly caseId?: string;
  readonly idempotencyKey?: string;
  /** Time for the whole call in milliseconds; the shorter of this and the tool's own wins. */
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
}

/** How far a running call has come. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}
