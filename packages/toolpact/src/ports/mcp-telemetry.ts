/** Records what a server of MCP is asked; `openTelemetry()` of `toolpact/telemetry` does. It cannot break a request, whatever it does. */
export interface McpTelemetry {
  /** Begins to record a request or a notification; undefined without a listener. */
  readonly startMcp: (operation: McpOperation) => McpSpan | undefined;
}

/** A request or a notification that a server of MCP received, as telemetry sees it. */
export interface McpOperation {
  readonly method: string;
  /** Undefined for a notification. */
  readonly requestId?: string | number | undefined;
  /** The own name of the tool that is called; undefined when there is none. */
  readonly tool?: string | undefined;
  /** The name of a tool or prompt as the client sent it, where only the answer shows whether it exists. */
  readonly claimed?: string | undefined;
  readonly uri?: string | undefined;
  /** The revision of the protocol; must be a known one, because it becomes a label. */
  readonly protocolVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly transport: 'http' | 'stdio';
  /** Carrier of the trace: the `_meta` of the request, or its HTTP headers. */
  readonly carrier?: Headers | Readonly<Record<string, unknown>> | undefined;
}

/** The answer to a request; neither field for a notification. */
export interface McpAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

/** The record of one request or notification. */
export interface McpSpan {
  /** Runs what answers, so that what it starts belongs to this record, and a call of the tool becomes a part of it. */
  readonly within: <TValue>(run: () => TValue) => TValue;
  readonly end: (answer: McpAnswer) => void;
  /** Ends it without an answer, because the client no longer waits for one. */
  readonly cancel: () => void;
}
