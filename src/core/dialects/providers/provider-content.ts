import { type Content, type Outcome, toModelText } from '../../outcome/index.ts';

/** A block that is more than text. */
export type Media = Exclude<Content, { type: 'text' }>;

/** What a provider is given: a text, and the blocks that are more than text. */
export interface Shown<TMedia> {
  readonly text: string;
  readonly media: readonly TMedia[];
}

/** An image of a type that providers take. */
export interface TakenImage {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
}

const imageTypes: ReadonlySet<string> = new Set<TakenImage['mimeType']>(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Checks whether a block is an image that providers take. One of another type, or without base64, would have them refuse the whole request. */
export function isTakenImage(block: Media): block is TakenImage {
  return block.type === 'image' && imageTypes.has(block.mimeType) && isBase64(block.data);
}

/** Checks whether a text is base64. The usual mistake is an address, `data:image/png;base64,…`. */
export function isBase64(data: string): boolean {
  return /^[A-Za-z\d+/]+={0,2}$/.test(data);
}

/**
 * Gives what a model should read of an outcome, and which blocks it should see. Blocks of a type that the provider does not take are
 * named in the text, so that nothing vanishes silently.
 */
export function shownTo<TMedia extends Media>(outcome: Outcome, takes: (block: Media) => block is TMedia): Shown<TMedia> {
  const text = toModelText(outcome);
  const blocks = 'content' in outcome ? outcome.content : undefined;
  if (blocks === undefined) return { text, media: [] };
  const media: TMedia[] = [];
  const notes: string[] = [];
  for (const block of blocks) {
    if (block.type === 'text') continue;
    if (takes(block)) media.push(block);
    else if (block.type !== 'resource') notes.push(`[${block.type}: ${block.mimeType}, not shown]`);
    else if (block.text === undefined) notes.push(`[resource: ${block.uri}]`);
  }
  return { text: [...(text === '' ? [] : [text]), ...notes].join('\n'), media };
}

/** Takes no block at all, for formats that are text alone. */
export function takesNone(_: Media): _ is never {
  return false;
}
