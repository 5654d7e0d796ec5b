/** Records what a server of MCP is asked; `openTelemetry()` of `toolpact/telemetry` does. It cannot break a request, whatever it does. */
export interface McpTelemetry {
  /** Begins to record a request or a notification; undefined when nobody listens. */
  readonly startMcp: (operation: RecordedRequest) => RequestRecord | undefined;
}

/** A request or a notification, as far as it is recorded. */
export interface RecordedRequest {
  readonly method: string;
  /** Undefined for a notification. */
  readonly requestId?: string | number | undefined;
  /** The own name of the tool that is called; undefined when there is none. */
  readonly tool?: string | undefined;
  /** The name of a tool or prompt as the client sent it, where only the answer tells whether there is one. */
  readonly claimed?: string | undefined;
  readonly uri?: string | undefined;
  /** A known revision of the protocol. */
  readonly protocolVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly transport: 'http' | 'stdio';
  /** What brings the trace: the `_meta` of the request, or its HTTP headers. */
  readonly carrier?: Readonly<Record<string, unknown>> | undefined;
}

/** The record of one request or notification. */
export interface RequestRecord {
  readonly within: <TValue>(run: () => TValue) => TValue;
  readonly end: (answer: {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string } | undefined;
  }) => void;
  /** Ends it without an answer, because nobody waits for one any more. */
  readonly cancel: () => void;
}

/** Begins a record that breaks nothing: what it throws is not heard of, and what runs within it runs once. */
export function startRecord(telemetry: McpTelemetry, request: () => RecordedRequest): RequestRecord | undefined {
  const record = quietly(() => telemetry.startMcp(request()));
  if (record === undefined) return undefined;
  return {
    within(run) {
      let ran: (() => ReturnType<typeof run>) | undefined;
      const once = (): ReturnType<typeof run> => {
        ran ??= settled(run);
        return ran();
      };
      quietly(() => record.within(once));
      return once();
    },
    end: (answer) => quietly(() => record.end(answer)),
    cancel: () => quietly(() => record.cancel()),
  };
}

/** Runs something, and gives what gives its value or throws what it threw. */
function settled<TValue>(run: () => TValue): () => TValue {
  try {
    const value = run();
    return () => value;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

function quietly<TValue>(run: () => TValue): TValue | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
