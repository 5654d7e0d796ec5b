import { isRecord } from '../../../core/json/index.ts';
import type { Content } from '../../../core/outcome/index.ts';
import { toBase64 } from '../frameworks/read-model-output.ts';
import { replyOfBlocks } from '../frameworks/reply-of-blocks.ts';
import { toFileBlock, toUrlBlock } from '../frameworks/to-file-block.ts';

/** A block of a Strands result, as its classes and as plain data have it. */
interface Block {
  readonly text?: unknown;
  readonly json?: unknown;
  readonly name?: unknown;
  readonly format?: unknown;
  readonly source?: unknown;
}

/** The blocks by the names of their classes. Plain data has the first word as its only key. */
const readers: Readonly<Record<string, (block: Block) => Content>> = {
  textBlock: ({ text }) => ({ type: 'text', text: String(text) }),
  jsonBlock: ({ json }) => ({ type: 'text', text: JSON.stringify(json ?? null) }),
  imageBlock: (block) => toMedia(block, `image/${String(block.format)}`),
  videoBlock: (block) => toMedia(block, `video/${String(block.format)}`),
  documentBlock: (block) => toMedia(block, documentTypes[String(block.format)] ?? 'application/octet-stream'),
};

const documentTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  html: 'text/html',
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
};

/** Reads what a tool gave: content blocks, one or a list, stay blocks; anything else is data. */
export function readContent(value: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const blocks = items.flatMap(asBlock);
  if (blocks.length === 0 || blocks.length < items.length) return value;
  const [first] = blocks;
  if (blocks.length === 1 && first?.[0] === 'jsonBlock') return unwrapped(first[1].json);
  return replyOfBlocks(blocks.map(([type, block]) => readers[type]?.(block) as Content));
}

type NamedBlock = readonly [type: string, block: Block];

function asBlock(value: unknown): NamedBlock[] {
  if (!isRecord(value)) return [];
  if (typeof value.type === 'string' && Object.hasOwn(readers, value.type)) return [[value.type, value]];
  const [key, ...others] = Object.keys(value);
  // An object with a text or JSON alone is more likely to be a result than a block, and says the same.
  const isMedia = (key === 'image' || key === 'video' || key === 'document') && others.length === 0 && isRecord(value[key]);
  return isMedia ? [[`${key}Block`, value[key] as Block]] : [];
}

/** Strands puts a list into an object. */
function unwrapped(json: unknown): unknown {
  return isRecord(json) && Object.keys(json).length === 1 && '$value' in json ? json.$value : json;
}

function toMedia({ name, source }: Block, mimeType: string): Content {
  const { bytes, url, text, location } = isRecord(source) ? source : {};
  const base64 = typeof bytes === 'string' ? bytes : toBase64(bytes);
  if (base64 !== undefined) return toFileBlock(mimeType, base64);
  if (typeof text === 'string') return { type: 'text', text };
  const uri = url ?? (isRecord(location) ? location.uri : undefined);
  return typeof uri === 'string'
    ? toUrlBlock(uri, mimeType)
    : { type: 'text', text: `(a file, ${mimeType}: ${String(name ?? 'unnamed')})` };
}
