import { type Content, type Outcome, toModelText } from '../outcome/index.ts';

/** What a provider is given: a text, and the blocks that are more than text. */
export interface Shown {
  readonly text: string;
  readonly media: readonly Exclude<Content, { type: 'text' }>[];
}

/**
 * Gives what a model should read of an outcome, and which blocks it should see. Blocks of a type that the provider does not take are
 * named in the text, so that nothing vanishes silently.
 */
export function shownTo(outcome: Outcome, takes: (block: Exclude<Content, { type: 'text' }>) => boolean): Shown {
  const text = toModelText(outcome);
  const blocks = 'content' in outcome ? outcome.content : undefined;
  if (blocks === undefined) return { text, media: [] };
  const media: Exclude<Content, { type: 'text' }>[] = [];
  const notes: string[] = [];
  for (const block of blocks) {
    if (block.type === 'text') continue;
    if (takes(block)) media.push(block);
    else if (block.type !== 'resource') notes.push(`[${block.type}: ${block.mimeType}, not shown]`);
    else if (block.text === undefined) notes.push(`[resource: ${block.uri}]`);
  }
  return { text: notes.length === 0 ? text : [text, ...notes].join('\n'), media };
}
