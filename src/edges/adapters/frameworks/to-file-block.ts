import type { Content } from '../../../core/outcome/index.ts';

/** Gives a file that a foreign tool returned as the block of its media type. */
export function toFileBlock(mimeType: string, data: string): Content {
  const type = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined;
  return type === undefined ? { type: 'resource', uri: 'data:', mimeType, data } : { type, mimeType, data };
}
