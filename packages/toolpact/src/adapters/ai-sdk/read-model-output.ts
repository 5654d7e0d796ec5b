import { toReadFailure } from '../../classify/index.ts';
import { isObject } from '../../json/index.ts';
import { type Content, fail, ok, type Reply } from '../../outcome/index.ts';
import { toFileBlock, toUrlBlock } from '../frameworks/to-file-block.ts';

/** The result of `toModelOutput` of an AI SDK tool. */
export interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/** Reads what a tool itself wants a model to read of its result; a tool may well say there that it failed. */
export function readModelOutput(output: unknown, { type, value, reason }: ModelOutput): Reply<unknown> {
  switch (type) {
    case 'text':
      return ok(output, { content: [{ type: 'text', text: String(value) }] });
    case 'error-text':
    case 'error-json': {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return toReadFailure(value, text);
    }
    case 'execution-denied':
      return fail('denied', reason ?? 'The call was denied; it did not run.');
    case 'content':
      return ok(output, { content: (value as readonly Readonly<Record<string, unknown>>[]).flatMap(toBlock) });
    default:
      return ok(output, { content: [{ type: 'text', text: JSON.stringify(value ?? null) }] });
  }
}

function toBlock(part: Readonly<Record<string, unknown>>): Content[] {
  if (part.type === 'text') return [{ type: 'text', text: String(part.text) }];
  const { mediaType: mimeType, data, url: address } = part as { mediaType?: string; data?: unknown; url?: unknown };
  if (typeof address === 'string') return [toUrlBlock(address, mimeType)];
  const { type, data: bytes, url, text } = (isObject(data) ? data : { type: 'data', data }) as FileData;
  if (type === 'text' && text !== undefined) return [{ type: 'text', text }];
  if (type === 'url' && url !== undefined) return [{ type: 'resource', uri: String(url), ...(mimeType !== undefined && { mimeType }) }];
  if (type !== 'data' || mimeType === undefined) return [];
  const base64 = typeof bytes === 'string' ? bytes : toBase64(bytes);
  return base64 === undefined ? [] : [toFileBlock(mimeType, base64)];
}

interface FileData {
  readonly type: string;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly text?: string;
}

/** Writes bytes in base64; undefined for anything else. */
function toBase64(bytes: unknown): string | undefined {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(view instanceof Uint8Array)) return undefined;
  return btoa(Array.from(view, (byte) => String.fromCharCode(byte)).join(''));
}
