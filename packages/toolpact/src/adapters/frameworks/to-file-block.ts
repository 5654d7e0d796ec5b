import type { Content } from '../../outcome/index.ts';

/** Returns a file that a foreign tool returned as the block of its media type. */
export function toFileBlock(mimeType: string, data: string): Content {
  const type = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined;
  return type === undefined ? { type: 'resource', uri: 'data:', mimeType, data } : { type, mimeType, data };
}

/** Returns a file that a foreign tool returned by its address; an address that is the file itself becomes the block of its media type. */
export function toUrlBlock(url: string, mimeType?: unknown): Content {
  const [, embedded, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (embedded !== undefined && data !== undefined) return toFileBlock(embedded, data);
  return { type: 'resource', uri: url, ...(typeof mimeType === 'string' && { mimeType }) };
}
