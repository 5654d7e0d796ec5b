import { isRecord } from '../../json/index.ts';
import type { JsonValue } from '../../outcome/index.ts';
import { type Path, wrong } from '../reading/undecodable.ts';

/** Reads the text of a provider's content: a string, or a list of parts of which those with a text are joined by lines. */
export function readTextParts(content: JsonValue, path: Path): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return wrong(path, 'a string or an array', content);
  return (content as readonly JsonValue[])
    .flatMap((part, index) => {
      if (!isRecord(part)) return wrong([...path, index], 'an object', part);
      if (part.text === undefined) return [];
      return typeof part.text === 'string' ? [part.text] : wrong([...path, index, 'text'], 'a string', part.text);
    })
    .join('\n');
}
