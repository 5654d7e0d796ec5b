import { isRecord } from '../json/index.ts';
import type { Content, JsonObject } from '../outcome/index.ts';
import { type Check, may, need, reader, record, text } from './fields.ts';
import { missing, type Path, wrong } from './reading/undecodable.ts';

/** A content block as MCP writes it. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: McpResource }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string };

type McpResource = { readonly uri: string; readonly mimeType?: string } & ({ readonly text: string } | { readonly blob: string });

/** Writes a block for MCP. A resource without its contents becomes a link to it. */
export function toMcpContent(block: Content): McpContent {
  if (block.type !== 'resource') return block;
  const { uri, mimeType, text: words, data } = block;
  const type = mimeType !== undefined && { mimeType };
  if (words !== undefined) return { type: 'resource', resource: { uri, ...type, text: words } };
  if (data !== undefined) return { type: 'resource', resource: { uri, ...type, blob: data } };
  return { type: 'resource_link', uri, name: uri, ...type };
}

/** Checks whether a block is of a type that MCP documents. */
export function isMcpContent({ type }: { readonly type: string }): boolean {
  return readers.has(type);
}

/** Reads a block that MCP documents; blocks of a type that this version does not know are undefined. */
export function readMcpContent(value: unknown, path: Path): Content | undefined {
  if (!isRecord(value as JsonObject)) return wrong(path, 'a content block', value);
  const { type } = value as JsonObject;
  if (type === undefined) return missing([...path, 'type'], 'a string');
  if (typeof type !== 'string') return wrong([...path, 'type'], 'a string', type);
  return readers.get(type)?.(value as JsonObject, path);
}

const resource: Check = record({ uri: need(text), mimeType: may(text), text: may(text), blob: may(text) });
const media = reader({ type: need(text), data: need(text), mimeType: need(text) });
const words = reader({ type: need(text), text: need(text) });
const link = reader({ uri: need(text), mimeType: may(text) });
const embedded = reader({ resource: need(resource) });

type Read = (value: JsonObject, path: Path) => Content;
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['text', (value, path) => words(value, path) as unknown as Content],
  ['image', (value, path) => media(value, path) as unknown as Content],
  ['audio', (value, path) => media(value, path) as unknown as Content],
  ['resource_link', (value, path) => Object.freeze({ ...link(value, path), type: 'resource' }) as unknown as Content],
  [
    'resource',
    (value, path) => {
      const { blob, ...rest } = embedded(value, path).resource as JsonObject;
      return Object.freeze({ ...rest, ...(blob !== undefined && { data: blob }), type: 'resource' }) as unknown as Content;
    },
  ],
]);
