import { classify } from '../../classify/index.ts';
import type { Effects, RunContext } from '../../contract/index.ts';
import { mcp } from '../../dialects/index.ts';
import { isObject } from '../../json/index.ts';
import { metaKeys } from '../../mcp/index.ts';
import { type Failure, pending, type Reply, ToolFailure, toReply, toToolFailure } from '../../outcome/index.ts';
import { returnedFailure } from '../frameworks/returned-failure.ts';
import type { McpClientPort } from './client.ts';
import { readClientError } from './client-error.ts';
import type { FromMcpOptions, RemoteListing } from './remote-listing.ts';

/**
 * Creates the handler of a tool of an MCP server. The client always asks for progress, which breaks the server's silence; the deadline of the
 * call is the hard limit, and when it passes or the caller stops, the server is asked to stop too.
 */
export function callRemote(port: McpClientPort, listing: RemoteListing, effects: Effects | undefined, options: FromMcpOptions) {
  const { silenceMs = 60_000, returnsErrors = false } = options;
  return async (input: unknown, context: RunContext): Promise<Reply<unknown>> => {
    const params = { name: listing.name, arguments: input, _meta: metaOf(context, options) };
    const { progress, signal, pauseDeadline } = context;
    let result: unknown;
    try {
      result = await port.call(params, listing, {
        signal,
        timeout: silenceMs,
        resetTimeoutOnProgress: true,
        pauseDeadline,
        onprogress: ({ progress: done, total, message }) =>
          progress({
            ...(typeof done === 'number' && { done }),
            ...(typeof total === 'number' && { total }),
            ...(typeof message === 'string' && { message }),
          }),
      });
    } catch (thrown) {
      const read = readClientError(thrown, listing.name);
      if (read === undefined) throw thrown;
      return read;
    }
    return readResult(result, effects, returnsErrors, (failure) => readWords(failure, input, listing));
  };
}

function metaOf({ callId, idempotencyKey, traceId }: RunContext, { meta }: FromMcpOptions): Record<string, unknown> {
  const own: Record<string, unknown> = {
    [metaKeys.traceId]: traceId,
    ...(callId !== undefined && { [metaKeys.callId]: callId }),
    ...(idempotencyKey !== undefined && { [metaKeys.idempotencyKey]: idempotencyKey }),
  };
  return meta?.(own) ?? own;
}

/** Reads a result and says the same again, as a handler says it. */
function readResult(
  result: unknown,
  effects: Effects | undefined,
  returnsErrors: boolean,
  readAgain: (failure: Failure) => ToolFailure | undefined,
): Reply<unknown> {
  const { resultType, inputRequests, requestState, content, structuredContent } = (result ?? {}) as Record<string, unknown>;
  if (resultType === 'input_required') return inputNeeded(inputRequests, requestState);
  // Servers may leave the content out where the structured content says it all; the SDKs fill it in.
  const whole = content === undefined && structuredContent !== undefined ? { ...(result as object), content: [] } : result;
  const decoded = mcp.decode(whole, { effects });
  if (!decoded.ok) return toToolFailure(decoded.failure);
  const { outcome } = decoded;
  const failed = returnsErrors && outcome.status === 'ok' ? returnedFailure(structuredContent ?? toObject(outcome.data)) : undefined;
  // Words that say little by themselves say more beside the arguments.
  const said = outcome.status === 'error' && outcome.error.kind === 'failed' ? readAgain(outcome.error) : undefined;
  return failed ?? said ?? toReply(outcome);
}

/** Reads the words of a failed call like those of an error that a handler throws, beside its arguments. Undefined where they say nothing. */
function readWords({ message, effect }: Failure, input: unknown, { inputSchema }: RemoteListing): ToolFailure | undefined {
  const { properties } = inputSchema ?? {};
  const read = classify(new Error(message), {
    during: 'run',
    args: input,
    params: isObject(properties) ? Object.keys(properties) : [],
  });
  if (read.kind === 'failed') return undefined;
  const { kind, options } = toToolFailure(read);
  return new ToolFailure(kind, message, { ...options, effect });
}

/** Returns the object that a text is, because most servers write their results as JSON; anything else as it is. */
function toObject(data: unknown): unknown {
  if (typeof data !== 'string' || !data.startsWith('{')) return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** A server of the stateless era that asks something back, where the client did not answer by itself. */
function inputNeeded(requests: unknown, state: unknown): Reply<unknown> {
  const [first] = Object.values(
    (requests ?? {}) as Record<string, { params?: { message?: unknown; requestedSchema?: unknown } } | undefined>,
  );
  const { message, requestedSchema: schema } = first?.params ?? {};
  const ask = typeof message === 'string' ? { ask: { message, ...(isObject(schema) && { schema: schema as never }) } } : {};
  return pending({ handle: typeof state === 'string' && state !== '' ? state : 'input', reason: 'input', ...ask });
}
