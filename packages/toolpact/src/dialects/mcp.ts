import { isRecord } from '../json/index.ts';
import { type Content, type JsonObject, type JsonValue, type Meta, type Outcome, toModelText } from '../outcome/index.ts';
import { asPending } from './as-pending.ts';
import { checkEncode } from './check-encode.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from './dialect.ts';
import { envelopeSchema, objectSchema, textSchema, toolSchemas, withDefinitions } from './envelope-schema.ts';
import { extension, type Held } from './extension.ts';
import { anything, flag, may, mayBeNull, need, object, reader } from './fields.ts';
import { losses } from './losses.ts';
import { isMcpContent, type McpContent, readMcpContent, toMcpContent } from './mcp-content.ts';
import { canBeTextOf, isMarkedAs, readMarkedText } from './providers/read-marked-text.ts';
import { createDecode } from './reading/create-decode.ts';
import { unknownMeta } from './reading/foreign.ts';
import { looksLike } from './reading/looks-like.ts';
import { wrong } from './reading/undecodable.ts';

/** The `_meta` key under which an MCP result carries its outcome for machines. */
const mcpMetaKey = 'toolpact/outcome';

/** A `CallToolResult`. A type and not an interface, so that the protocol's own types, which are open, take it. */
export type McpResult = {
  /** Text first: only the text says to a model what happened and, after a failure, what to do. */
  readonly content: McpContent[];
  /** The result, where it is an object. Never on an error: clients would check it against the tool's output schema and lose the error. */
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: { readonly [mcpMetaKey]: JsonObject };
};

/** How `mcp` is written. */
export interface McpOptions extends EncodeOptions {
  /** Which results become structured content: objects alone, as every client takes them, or any value, as clients of 2026-07-28 do. @default 'object' */
  readonly structured?: 'object' | 'any' | undefined;
}

/** MCP's `CallToolResult`. */
export const mcp: Dialect<'mcp', McpResult, McpOptions> = Object.freeze<Dialect<'mcp', McpResult, McpOptions>>({
  name: 'mcp',
  encode(outcome, options) {
    checkEncode('mcp', outcome, options);
    const structured = structuredOf(outcome, options?.structured === 'any');
    const result = {
      content: contentOf(outcome),
      ...(structured !== undefined && { structuredContent: structured }),
      ...(outcome.status === 'error' && { isError: true as const }),
    };
    if (options?.strict === true) return result;
    const held: readonly Held[] = outcome.status !== 'pending' && structured !== undefined ? ['data'] : [];
    return { ...result, _meta: { [mcpMetaKey]: extension(outcome, held) } };
  },
  decode: createDecode({
    name: 'mcp',
    native: readNative,
    part: ({ structuredContent }, held) => (held === 'data' ? structuredContent : undefined),
    agrees: ({ blocks, isError }, outcome) => isError === (outcome.status === 'error') && canBeTextOf(textOf(blocks), outcome, isError),
    names: ({ blocks }, error) => isMarkedAs(textOf(blocks), error),
    foreign: toOutcome,
    block: ({ _meta }) => (isRecord(_meta) ? _meta[mcpMetaKey] : undefined),
    blockPath: ['_meta', mcpMetaKey],
  }),
  detect: looksLike((json) => {
    const { content, structuredContent, isError } = json;
    if (!Array.isArray(content) || 'role' in json || 'type' in json) return false;
    if (content.length === 0) return structuredContent !== undefined || typeof isError === 'boolean';
    // Documents of other kinds have typed content too; one block that is MCP's own tells them apart.
    return content.findIndex((block: unknown) => !isRecord(block) || typeof block.type !== 'string') === -1 && content.some(isMcpContent);
  }),
  jsonSchema(tool) {
    const { output, answer, $defs } = toolSchemas(tool);
    const block = objectSchema({ type: { enum: ['text', 'image', 'audio', 'resource', 'resource_link'] } });
    const content = { type: 'array', items: block, contains: objectSchema({ type: { const: 'text' }, text: textSchema }) };
    const meta = { 'structuredContent?': output.type === 'object' ? answer : { type: 'object' } };
    const schema = {
      oneOf: [
        objectSchema({ content, ...meta, 'isError?': { const: false }, '_meta?': { type: 'object' } }),
        objectSchema({ content, isError: { const: true }, '_meta?': { type: 'object' } }, { not: { required: ['structuredContent'] } }),
      ],
    };
    return withDefinitions(envelopeSchema('CallToolResult', schema), $defs);
  },
  losses: losses.mcp,
});

function contentOf(outcome: Outcome): McpContent[] {
  const shown: McpContent[] = [{ type: 'text', text: toModelText(outcome) }];
  const blocks = 'content' in outcome ? (outcome.content ?? []) : [];
  for (const block of blocks) if (block.type !== 'text') shown.push(toMcpContent(block));
  return shown;
}

function structuredOf(outcome: Outcome, any: boolean): JsonValue | undefined {
  if (outcome.status === 'error') return undefined;
  if (outcome.status === 'pending') return { pending: outcome.pending as unknown as JsonValue };
  const data = outcome.data as JsonValue | undefined;
  return any || isRecord(data) ? data : undefined;
}

interface Native {
  readonly blocks: readonly Content[];
  readonly structuredContent: JsonValue | undefined;
  readonly isError: boolean;
  readonly meta: Meta;
}

const readEnvelope = reader({
  content: need(anything),
  structuredContent: may(anything),
  isError: mayBeNull(flag),
  _meta: mayBeNull(object),
});

function readNative(envelope: JsonObject): Native {
  const { content, structuredContent, isError } = readEnvelope(envelope, []);
  if (!Array.isArray(content)) return wrong(['content'], 'an array', content);
  const blocks = (content as readonly JsonValue[]).flatMap((block, index) => readMcpContent(block, ['content', index]) ?? []);
  const unknown = content.length - blocks.length;
  const warnings = [`${unknown} of ${content.length} content blocks are of a type that is not known, and were left out`];
  const meta = unknown === 0 ? unknownMeta : Object.freeze({ ...unknownMeta, warnings });
  return { blocks, structuredContent, isError: isError === true, meta };
}

function textOf(blocks: readonly Content[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Returns what a server says of a failure. Some say it in a resource or in structured content alone, and without it the model would read nothing. */
function wordsOf(blocks: readonly Content[], structured: JsonValue | undefined): string {
  const text = textOf(blocks);
  const said = text !== '' ? text : blocks.flatMap((block) => ('text' in block && block.text !== undefined ? [block.text] : [])).join('\n');
  return said !== '' || structured === undefined || structured === null ? said : JSON.stringify(structured).slice(0, 1_000).toWellFormed();
}

function toOutcome({ blocks, structuredContent, isError, meta }: Native, options: DecodeOptions): Outcome {
  const text = isError ? wordsOf(blocks, structuredContent) : textOf(blocks);
  if (!isError && structuredContent !== undefined) {
    const pending = asPending(structuredContent, meta, ['structuredContent']);
    if (pending !== undefined) return pending;
  }
  const marked = readMarkedText({ text, failed: isError, data: structuredContent, meta }, options);
  if (marked !== undefined) return marked;
  const plain = structuredContent === undefined && blocks.every(({ type }) => type === 'text');
  return Object.freeze({
    status: 'ok',
    data: structuredContent ?? text,
    ...(!plain && { content: Object.freeze(blocks) }),
    meta,
  });
}
