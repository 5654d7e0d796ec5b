import { type Content, ok } from '../../../core/outcome/index.ts';

/** Gives the text in the blocks that a foreign tool returned. */
export function textOfBlocks(blocks: readonly Content[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Gives the result of a foreign tool that returned blocks: their text is the data, and blocks of other types stay blocks. */
export function replyOfBlocks(blocks: readonly Content[]): unknown {
  const text = textOfBlocks(blocks);
  return blocks.every(({ type }) => type === 'text') ? text : ok(text, { content: blocks });
}
