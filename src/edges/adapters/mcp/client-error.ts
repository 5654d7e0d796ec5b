import { classify, pending, type Reply, ToolFailure, toToolFailure } from '../../../core/outcome/index.ts';

/** The code for wrong parameters, which the SDKs use for wrong results too. */
const invalidParams = -32602;
/** Codes with which a server turns a request down, or a client does not send it: no tool runs. */
const refusals: ReadonlySet<unknown> = new Set([
  -32700,
  -32600,
  -32601,
  invalidParams,
  -32020,
  -32021,
  -32022,
  'NOT_CONNECTED',
  'NOT_INITIALIZED',
  'CAPABILITY_NOT_SUPPORTED',
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
]);
/** What clients and servers say of a result with the same codes; then the tool has run. */
const aboutResult = /\bresults?\b|structured content|output schema/i;
const noSuchTool = /unknown tool|no such tool|tool\b.{0,140}\bnot found|\bnot found\b.{0,20}\btool\b/i;

/** Errors that mean something here that they mean nowhere else. */
const readers = new Map<unknown, (data: unknown, thrown: unknown) => Reply<unknown> | undefined>([
  [-32042, pageNeeded],
  [
    'INVALID_RESULT',
    (_, cause) =>
      new ToolFailure('bad_response', 'The server answered with something that is no tool result.', { code: 'undecodable', cause }),
  ],
  [
    'UNSUPPORTED_RESULT_TYPE',
    (_, cause) =>
      new ToolFailure('unsupported', 'The tool asks for more input, which this client does not give.', { effect: 'none', cause }),
  ],
]);

/**
 * Reads an error of an MCP client where its code says what the runtime cannot know: above all that nothing ran. Anything else is undefined,
 * and for the runtime to classify: after a timeout or a lost connection it is unknown what the tool did.
 */
export function readClientError(thrown: unknown): Reply<unknown> | undefined {
  const { code, message, data } = factsOf(thrown);
  const read = readers.get(code);
  if (read !== undefined) return read(data, thrown);
  const isAboutResult = aboutResult.test(message);
  if (code === invalidParams && isAboutResult) return resultRefused(thrown);
  if (!(refusals.has(code) && !isAboutResult) && message !== 'Not connected') return undefined;
  const { kind, message: text, options } = toToolFailure(classify(thrown, { effect: 'none' }));
  return new ToolFailure(noSuchTool.test(message) ? 'unknown_tool' : kind, text, { ...options, effect: 'none', cause: thrown });
}

/** The arguments were fine: the server, or its SDK, refuses what the tool returned. */
function resultRefused(cause: unknown): ToolFailure {
  const message = `The server found the result of its own tool invalid: ${classify(cause).message}`;
  return new ToolFailure('bad_response', message, { code: 'undecodable', cause });
}

function factsOf(thrown: unknown): { code: unknown; message: string; data: unknown } {
  try {
    const { code, message, data } = thrown as { code?: unknown; message?: unknown; data?: unknown };
    return { code, message: String(message), data };
  } catch {
    return { code: undefined, message: '', data: undefined };
  }
}

/** A server that sends its user to a page first. */
function pageNeeded(data: unknown): Reply<unknown> | undefined {
  const { elicitations } = (data ?? {}) as { elicitations?: readonly { elicitationId?: unknown; message?: unknown; url?: unknown }[] };
  const { elicitationId, message, url } = elicitations?.[0] ?? {};
  if (typeof url !== 'string') return undefined;
  const ask = { message: `${typeof message === 'string' ? message : 'Open this page'}: ${url}` };
  return pending({ handle: typeof elicitationId === 'string' ? elicitationId : url, reason: 'input', ask });
}
