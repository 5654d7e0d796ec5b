import type { McpOperation, McpSpan, McpTelemetry } from '../ports/index.ts';
import { asRecord } from './mcp-request.ts';
import { startRecord } from './start-record.ts';

/** The part of a low-level `Server` of the official SDK that is used here. */
export interface McpConnectable {
  connect(transport: never): Promise<void>;
  getNegotiatedProtocolVersion?(): string | undefined;
}

/** The facts about the requests of a server that they do not state themselves. */
export interface RecordedServer {
  readonly transport: McpOperation['transport'];
  /** Returns the own name of a tool that is called, or says that only the answer will show it. */
  readonly nameOf: (name: string) => Pick<McpOperation, 'tool' | 'claimed'>;
  /** Checks whether a revision of the protocol is a known one. */
  readonly isVersion: (version: string) => boolean;
}

interface Transport {
  sessionId?: string | undefined;
  onmessage?: ((message: Message, extra?: Extra) => void) | undefined;
  onclose?: (() => void) | undefined;
  start(): Promise<void>;
  send(message: Message, options?: unknown): Promise<void>;
}
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}
interface Extra {
  readonly request?: { readonly headers: Headers };
}

/**
 * Creates a server that is not connected yet record every request and notification it receives, from its arrival until its answer is sent.
 * Listens at the transport, where also those are seen that the SDK answers by itself.
 */
export function recordMcpRequests(server: McpConnectable, telemetry: McpTelemetry, known: RecordedServer): void {
  const { connect } = server;
  server.connect = (transport: Transport) => {
    watch(transport, (message, extra) =>
      // Messages without a request of a client, such as a cancellation that we send ourselves, were not asked.
      known.transport === 'http' && extra?.request === undefined
        ? undefined
        : startRecord(telemetry, () =>
            toRecorded(
              message,
              (name) => extra?.request?.headers.get(name) ?? undefined,
              transport.sessionId,
              server.getNegotiatedProtocolVersion?.(),
              known,
            ),
          ),
    );
    return connect.call(server, transport as never);
  };
}

/** Returns a request in the form in which it is recorded. `header` reads those of the HTTP request that brought it. */
export function toRecorded(
  { id, method = '', params }: Message,
  header: (name: string) => string | undefined,
  sessionId: string | undefined,
  negotiated: string | undefined,
  { transport, nameOf, isVersion }: RecordedServer,
): McpOperation {
  const { name, uri, _meta } = asRecord(params);
  const meta = asRecord(_meta);
  const versions = [negotiated, header('mcp-protocol-version'), meta['io.modelcontextprotocol/protocolVersion']];
  const asked = typeof name === 'string' ? name : '';
  return {
    method,
    requestId: id,
    ...(method === 'tools/call' && nameOf(asked)),
    ...(method === 'prompts/get' && { claimed: asked }),
    ...(method.startsWith('resources/') && typeof uri === 'string' && { uri }),
    protocolVersion: versions.find((version): version is string => typeof version === 'string' && isVersion(version)),
    sessionId,
    transport,
    carrier: typeof meta.traceparent === 'string' ? meta : Object.fromEntries(carried.map((key) => [key, header(key)])),
  };
}

const carried = ['traceparent', 'tracestate', 'baggage'];
/** Of more requests without an answer, the oldest are given up. */
const maxOpen = 10_000;

function watch(transport: Transport, start: (message: Message, extra: Extra | undefined) => McpSpan | undefined): void {
  const open = new Map<unknown, McpSpan>();
  const { start: begin, send } = transport;

  // The server takes its place on the transport before it starts that.
  transport.start = () => {
    const { onmessage: deliver, onclose: closed } = transport;
    transport.onmessage = (message, extra) => {
      const { id, method } = message;
      const isCancelling = method === 'notifications/cancelled';
      const record = method === undefined || (id !== undefined && open.has(id)) ? undefined : start(message, extra);
      if (record !== undefined && id !== undefined) open.set(id, record);
      if (open.size > maxOpen) take(open.keys().next().value)?.cancel();
      const pass = (): void => deliver?.(message, extra);
      if (record === undefined) pass();
      else record.within(pass);
      if (id === undefined) record?.end({});
      if (isCancelling) take(asRecord(message.params).requestId)?.cancel();
    };
    transport.onclose = () => {
      closed?.();
      for (const id of [...open.keys()]) take(id)?.cancel();
    };
    return begin.call(transport);
  };
  transport.send = async (message, options) => {
    const { id, method, result, error } = message;
    const record = method === undefined && id !== undefined ? take(id) : undefined;
    try {
      await send.call(transport, message, options);
    } finally {
      record?.end({ result, error });
    }
  };

  function take(id: unknown): McpSpan | undefined {
    const record = open.get(id);
    open.delete(id);
    return record;
  }
}
