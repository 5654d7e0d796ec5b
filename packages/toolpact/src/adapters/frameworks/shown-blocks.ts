import { describeMedia, isTakenMedia, type TakenMedia } from '../../dialects/index.ts';
import type { Content, Outcome } from '../../outcome/index.ts';

/** A block that the text of an outcome does not contain: a file that a model can see, hear or read, or a note in place of one. */
export type ShownBlock = TakenMedia | { readonly type: 'note'; readonly text: string };

/** Returns the blocks of an outcome that its text does not contain, for hosts that pass files on to a model. */
export function shownBlocks(outcome: Outcome): ShownBlock[] {
  return ('content' in outcome ? (outcome.content ?? []) : []).flatMap(toShown);
}

function toShown(block: Content): ShownBlock[] {
  if (block.type === 'text') return [];
  return isTakenMedia(block) ? [block] : describeMedia(block).map((text) => ({ type: 'note', text }));
}

/** Returns the notes of an outcome: the files that no model is shown, by name. */
export function notesOf(outcome: Outcome): string[] {
  return shownBlocks(outcome).flatMap((block) => (block.type === 'note' ? [block.text] : []));
}
