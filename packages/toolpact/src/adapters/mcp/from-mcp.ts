import type { Effects, StandardSchemaV1 } from '../../contract/index.ts';
import { isRecord, peek } from '../../json/index.ts';
import { type JsonObject, type JsonValue, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import { defineTool, type Tool } from '../../runtime/index.ts';
import { acceptAny, describedSchema } from '../frameworks/described-schema.ts';
import { type McpClient, type McpClientPort, toClientPort } from './client.ts';
import { callRemote } from './remote-call.ts';
import type { FromMcpOptions, RemoteListing } from './remote-listing.ts';
import { createToolNames } from './tool-names.ts';

/** A tool of an MCP server. */
type RemoteTool = Tool<string, Readonly<Record<string, unknown>>, JsonValue, string, unknown>;

/** Facts about the listed tools. */
type Origins = {
  /** The server's listings of the tools, in the same order. */
  readonly listings: readonly RemoteListing[];
  /** The tools that were left out, and why. */
  readonly skipped: readonly { readonly tool: string; readonly why: string }[];
  /** Schemas of the other tools that are not checked here, but only by their server. */
  readonly notes: readonly { readonly tool: string; readonly note: string }[];
};

/**
 * Turns the tools of an MCP server into Toolpact tools: one that fails, in whatever way, answers with an outcome, and what a Toolpact server
 * answers arrives as the same outcome. With `schema: fromJsonSchema` of `@toolpact/openapi`, arguments are checked before they are sent and
 * results when they arrive; without it arguments are checked by the server alone, and results by nobody. The list is read once; when the
 * server says that it has changed (`listChanged` of the client's own options), call this again and create a new toolbox. A tool that cannot be
 * taken over is reported in `skipped` and costs none of the others. Rejects when the list cannot be read.
 *
 * @example
 * import { fromJsonSchema } from '@toolpact/openapi';
 * const toolbox = createToolbox([...(await fromMcp(client, { prefix: 'github', schema: fromJsonSchema })), ...ownTools]);
 */
export async function fromMcp(client: McpClient, options: FromMcpOptions = {}): Promise<RemoteTool[] & Origins> {
  refuseOptions<FromMcpOptions>('fromMcp', options, {
    schema: 'a function',
    prefix: true,
    timeoutMs: true,
    silenceMs: true,
    effects: true,
    trustHints: true,
    meta: true,
    returnsErrors: true,
  });
  if (typeof peek(client, 'listTools') !== 'function' && typeof peek(client, 'request') !== 'function')
    throw new ToolpactError('invalid_argument', 'fromMcp takes a connected MCP client', { argument: 'client' });
  const port = toClientPort(client);
  const nameOf = createToolNames(options.prefix);
  const tools: RemoteTool[] = [];
  const listings: RemoteListing[] = [];
  const skipped: Origins['skipped'][number][] = [];
  const notes: Origins['notes'][number][] = [];
  for (const listing of await listAll(port, options)) {
    const tool = String(listing?.name);
    const toSchema: ToSchema = (schema, side) => {
      if (options.schema === undefined) return describedSchema('toolpact', () => schema, acceptAny);
      try {
        return options.schema(schema, { maxParts: 1_000 });
      } catch (thrown) {
        notes.push({ tool, note: `its ${side} schema is not checked here: ${messageOf(thrown)}` });
        return undefined;
      }
    };
    try {
      tools.push(toTool(port, listing, nameOf(listing?.name), options, toSchema));
      listings.push(listing);
    } catch (thrown) {
      skipped.push({ tool, why: messageOf(thrown) });
    }
  }
  return Object.assign(tools, { listings, skipped, notes });
}

type ToSchema = (schema: JsonObject, side: string) => StandardSchemaV1 | undefined;

function toTool(port: McpClientPort, listing: RemoteListing, name: string, options: FromMcpOptions, toSchema: ToSchema): RemoteTool {
  const { title, description, annotations, inputSchema = {}, outputSchema } = listing;
  const input: JsonObject = { type: 'object', ...withOptionalDefaults(inputSchema) };
  if (input.type !== 'object') throw new TypeError('its input is not an object');
  const output = outputSchema === undefined ? undefined : toSchema(outputSchema, 'output');
  const effects = options.effects?.(listing) ?? effectsOf(listing, isTrusted(listing, options));
  const definition = {
    name,
    description:
      [description, title, annotations?.title].find((text) => typeof text === 'string' && text.trim() !== '') ??
      `The tool ${listing.name}.`,
    // A tool that cannot be checked here is still shown to the model, and checked by the server.
    input: toSchema(input, 'input') ?? describedSchema('toolpact', () => input, acceptAny),
    ...(output !== undefined && { output }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(effects !== undefined && { effects }),
    run: callRemote(port, listing, effects, options),
  };
  return defineTool(definition as never) as unknown as RemoteTool;
}

/**
 * Lets a caller leave out what has a default. Many servers describe their arguments as they are after parsing, when each default is filled in, and
 * so list fields as required that they do not require.
 */
function withOptionalDefaults(schema: JsonObject): JsonObject {
  const { properties, required, items } = schema;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  const hasDefault = (name: unknown): boolean =>
    fields.some(([key, field]) => key === name && isRecord(field) && field.default !== undefined);
  const inner = (part: unknown): JsonValue => (isRecord(part) ? withOptionalDefaults(part as JsonObject) : (part as JsonValue));
  return {
    ...schema,
    ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(([key, field]) => [key, inner(field)])) }),
    ...(Array.isArray(required) && { required: required.filter((name) => !hasDefault(name)) }),
    ...(isRecord(items) && { items: inner(items) }),
  };
}

function isTrusted(listing: RemoteListing, { trustHints = false }: FromMcpOptions): boolean {
  return typeof trustHints === 'function' ? trustHints(listing) : trustHints;
}

/**
 * Reads the hints of a server; undefined where they say nothing, which is not the same as saying that the tool writes. A hint that is not
 * trusted counts where it makes the tool stricter: whoever wrote a server, or broke into it, can hint that a deletion only reads.
 */
function effectsOf({ annotations }: RemoteListing, trusted: boolean): Effects | undefined {
  const { readOnlyHint, idempotentHint, destructiveHint } = annotations ?? {};
  if (!trusted) return readOnlyHint === false || destructiveHint === true ? 'writes' : undefined;
  if (readOnlyHint === true) return 'none';
  if (idempotentHint === true) return 'idempotent';
  return [readOnlyHint, idempotentHint, destructiveHint].some((hint) => typeof hint === 'boolean') ? 'writes' : undefined;
}

const maxPages = 1000;

async function listAll(port: McpClientPort, { silenceMs = 60_000 }: FromMcpOptions): Promise<RemoteListing[]> {
  const found: RemoteListing[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = (await port.list(cursor, { timeout: silenceMs })) as { tools?: unknown; nextCursor?: unknown } | null | undefined;
    if (!Array.isArray(page?.tools)) throw new TypeError('the MCP server answered tools/list without a list of tools');
    found.push(...(page.tools as RemoteListing[]));
    cursor = typeof page.nextCursor === 'string' && page.nextCursor !== '' ? page.nextCursor : undefined;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= maxPages)) {
      throw new TypeError('the MCP server lists its tools without end: it sent the same page twice, or too many');
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return found;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
