import { isTakenImage } from '../../../core/dialects/index.ts';
import type { Content, Outcome } from '../../../core/outcome/index.ts';

/** A block that the text of an outcome does not contain: a file that a model can see, hear or read, or a note in place of one. */
export type ShownBlock =
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'resource'; readonly mimeType: string; readonly data: string; readonly uri: string };

/** Gives the blocks of an outcome that its text does not contain, for hosts that pass files on to a model. */
export function shownBlocks(outcome: Outcome): ShownBlock[] {
  return ('content' in outcome ? (outcome.content ?? []) : []).flatMap(toShown);
}

function toShown(block: Content): ShownBlock[] {
  switch (block.type) {
    case 'text':
      return [];
    case 'image':
      // One image that its provider does not take, and the whole request is refused.
      return [isTakenImage(block) ? block : { type: 'note', text: `[image: ${block.mimeType}, not shown]` }];
    case 'audio':
      return [block];
    case 'resource': {
      const { uri, text, data, mimeType = 'application/octet-stream' } = block;
      if (text !== undefined) return [];
      return [data === undefined ? { type: 'note', text: `[resource: ${uri}]` } : { type: 'resource', uri, mimeType, data }];
    }
  }
}
