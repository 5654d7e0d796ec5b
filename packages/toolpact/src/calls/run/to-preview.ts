import { cutText } from '../../json/index.ts';
import type { JsonValue } from '../../outcome/index.ts';

/** The most characters of the arguments that are listed. */
const maxText = 120;

/** Writes arguments in a line: `city: Kyoto, days: 3`. Gives nothing where there are none. */
export function toPreview(input: JsonValue): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return cut(toText(input)) || undefined;
  let line = '';
  for (const [name, value] of Object.entries(input)) {
    line += `${line === '' ? '' : ', '}${name}: ${toText(value)}`;
    // Parts that will be cut off are not written first: arguments can be large.
    if (line.length > maxText) break;
  }
  return cut(line) || undefined;
}

function toText(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return typeof value === 'string' ? value.slice(0, maxText + 1) : String(value);
}

/** Leaves one line, and no half of a character at its end. */
function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return cutText(line, maxText).toWellFormed();
}
