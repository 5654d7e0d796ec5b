import type { ToolChange } from '@toolpact/testing';
import { type Paint, plainLine } from './terminal.ts';

/** Writes what changed in the contracts of tools, tool by tool; of changed words what stood there and what stands there now. */
export function changesText(changes: readonly ToolChange[], paint: Paint): string {
  return [...Map.groupBy(changes, ({ tool }) => tool)]
    .map(([tool, found]) => [paint('strong', plainLine(tool)), ...found.flatMap((change) => changeLines(change, paint))].join('\n'))
    .join('\n\n');
}

function changeLines({ level, place, message, before, after }: ToolChange, paint: Paint): string[] {
  const mark = level === 'breaking' ? paint('bad', '✗ breaking  ') : paint('good', '✓ compatible');
  return [
    `  ${mark}  ${place === 'tool' ? '' : `${plainLine(place)}: `}${plainLine(message)}`,
    ...(before === undefined ? [] : [paint('bad', `      - ${wordsOf(before)}`)]),
    ...(after === undefined ? [] : [paint('good', `      + ${wordsOf(after)}`)]),
  ];
}

/** Characters that are not seen; spaces and line ends become a space, and the joiner of emoji is left. */
const hidden = /(?![\t\n\r]|\u200d)[\p{Cc}\p{Cf}]/gu;

/** A server of others writes these words: they stay on their line, and what a model reads in them without being seen is written out. */
function wordsOf(value: unknown): string {
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  return plainLine(words.replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`));
}
