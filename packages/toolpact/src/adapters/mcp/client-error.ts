import { classify } from '../../classify/index.ts';
import { pending, type Reply, ToolFailure, toToolFailure } from '../../outcome/index.ts';

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
/**
 * How the official SDKs begin what they say of a result, with the same codes as of parameters: then the tool has run. They give nothing
 * else to tell these errors apart by, so their own fixed sentences are recognised, and no other words.
 */
const aboutResult =
  /^(?:MCP error -?\d+: )*(?:Invalid (?:tools\/call|task creation) result: |Invalid result for |Output validation error: |Structured content does not match the tool's output schema: |Failed to validate structured content: )/;

/** Errors that mean something here that they mean nowhere else. */
const readers = new Map<unknown, (data: unknown, thrown: unknown) => Reply<unknown> | undefined>([
  [-32042, pageNeeded],
  // An author of a tool may throw this code with any meaning; here it came from the other side.
  [-32603, (_, cause) => serverFailed(cause)],
  [
    'INVALID_RESULT',
    (_, cause) =>
      new ToolFailure('bad_response', 'The server answered with something that is not a tool result.', { code: 'undecodable', cause }),
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
export function readClientError(thrown: unknown, tool: string): Reply<unknown> | undefined {
  const { code, message, data, status } = factsOf(thrown);
  if (status === 404 || (code === 404 && message.startsWith('Streamable HTTP error: '))) return sessionGone(thrown);
  const read = readers.get(code);
  if (read !== undefined) return read(data, thrown);
  const isAboutResult = aboutResult.test(message) || saysOf(message, tool, withoutContent);
  if (code === invalidParams && isAboutResult) return resultRefused(thrown);
  // Version 1 of the SDK throws a plain error, without a code, where there is no connection.
  if (!(refusals.has(code) && !isAboutResult) && message !== 'Not connected') return undefined;
  const { kind, message: text, options } = toToolFailure(classify(thrown, { effect: 'none' }));
  return new ToolFailure(saysOf(message, tool, noSuchTool) ? 'unknown_tool' : kind, text, { ...options, effect: 'none', cause: thrown });
}

/** The server answered that it failed, in words that may say more; what its tool did until then is unknown. */
function serverFailed(cause: unknown): ToolFailure {
  const { kind, message, options } = toToolFailure(classify(cause));
  const { effect: _, ...facts } = options;
  return new ToolFailure(kind, message, { ...facts, cause });
}

/** The protocol has this status for a session that a server does not know, for one that has started again. Only a client that connects anew gets further. */
function sessionGone(cause: unknown): ToolFailure {
  const message = 'The MCP server does not know this session any more: its client has to connect again.';
  return new ToolFailure('not_ready', message, { effect: 'none', details: { stage: 'session' }, cause });
}

/** Messages of MCP SDKs, in several languages, about a tool that does not exist (any more). They have no code for it. */
const noSuchTool = ['tool * not found', 'tool * disabled', 'unknown tool *', 'tool not found *'];
const withoutContent = ['tool * has an output schema but did not return structured content'];

/** Checks whether a message is one of these sentences about this very tool, whatever quotes and signs stand around its name. */
function saysOf(message: string, tool: string, sentences: readonly string[]): boolean {
  const bare = (text: string): string => text.replaceAll(/["'`:.]/g, '').toLowerCase();
  const said = bare(message.replace(/^(?:MCP error -?\d+: )+/, ''));
  return sentences.some((sentence) => said === sentence.replace('*', () => bare(tool)));
}

/** The arguments were fine: the server, or its SDK, refuses what the tool returned. */
function resultRefused(cause: unknown): ToolFailure {
  const message = `The server found the result of its own tool invalid: ${classify(cause).message}`;
  return new ToolFailure('bad_response', message, { code: 'undecodable', cause });
}

function factsOf(thrown: unknown): { code: unknown; message: string; data: unknown; status: unknown } {
  try {
    const { code, message, data, status } = thrown as { code?: unknown; message?: unknown; data?: unknown; status?: unknown };
    return { code, message: String(message), data, status: code === 'CLIENT_HTTP_NOT_IMPLEMENTED' ? status : undefined };
  } catch {
    return { code: undefined, message: '', data: undefined, status: undefined };
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
