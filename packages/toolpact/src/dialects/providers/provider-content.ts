import { type Content, type Outcome, toModelText } from '../../outcome/index.ts';

/** A block that is more than text. */
export type Media = Exclude<Content, { type: 'text' }>;

/** Content for a provider: a text, and the blocks that are more than text. */
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

const takenTypes: Readonly<Record<string, RegExp>> = {
  image: /^image\/(?:jpeg|png|gif|webp)$/,
  audio: /^audio\/./,
  resource: /^(?:application\/pdf$|image\/(?:jpeg|png|gif|webp)$|audio\/.|video\/.)/,
};

/** Checks whether a block is an image that providers take. One of another type, or without base64, would have them refuse the whole request. */
export function isTakenImage(block: Media): block is TakenImage {
  return block.type === 'image' && isTakenMedia(block);
}

/** A block with data of a type that providers take. */
export type TakenMedia = Exclude<Media, { type: 'resource' }> | (Extract<Media, { type: 'resource' }> & { data: string; mimeType: string });

/**
 * Checks whether a block can be given to a framework that passes files on to the provider it runs with: an image, a sound, a video or a PDF.
 * A file of another type, or data that is not base64, would have providers refuse the whole request and every later one with it.
 */
export function isTakenMedia(block: Media): block is TakenMedia {
  const { type, mimeType = '', data } = block;
  const isRead = type === 'resource' && block.text !== undefined;
  return !isRead && data !== undefined && takenTypes[type]?.test(mimeType) === true && isBase64(data);
}

/** Checks whether a text is base64 with its padding. The usual mistake is an address, `data:image/png;base64,…`. */
export function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z\d+/]+={0,2}$/.test(data);
}

/** Names a block that is not sent, so that nothing vanishes silently. The text of a resource is not named: the model reads it. */
export function describeMedia(block: Media): string[] {
  if (block.type !== 'resource') return [`[${block.type}: ${block.mimeType}, not shown]`];
  return block.text === undefined ? [`[resource: ${block.uri}]`] : [];
}

/**
 * Returns what a model should read of an outcome, and which blocks it should see. Blocks of a type that the provider does not take are
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
    else notes.push(...describeMedia(block));
  }
  return { text: [...(text === '' ? [] : [text]), ...notes].join('\n'), media };
}

/** Takes no block at all, for formats that are text alone. */
export function takesNone(_: Media): _ is never {
  return false;
}
