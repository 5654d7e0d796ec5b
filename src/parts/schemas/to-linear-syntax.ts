import type { PatternToken } from './read-tokens.ts';

const spaces = '\\t-\\r\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** Writes a regular expression of JavaScript in the syntax of RE2, meaning the same. What RE2 does not have stays as it is, and is refused there. */
export function toLinearSyntax(tokens: readonly PatternToken[], isUnicode: boolean): string {
  return tokens.map(({ kind, text }) => (kind in writers ? (writers[kind]?.(text, isUnicode) ?? text) : text)).join('');
}

const writers: Partial<Record<PatternToken['kind'], (text: string, isUnicode: boolean) => string>> = {
  any: () => '[^\\n\\r\\x{2028}\\x{2029}]',
  open: (text) => text.replace(/^\(\?<(?![=!])/, '(?P<'),
  escape: (text, isUnicode) => {
    if (text === '\\s') return `[${spaces}]`;
    if (text === '\\S') return `[${notSpaces}]`;
    return toEscape(text, isUnicode);
  },
  class: toClass,
  // Escape what JavaScript reads literally and RE2 reads as syntax.
  char: (text) => (/[{}\]]/.test(text) ? `\\${text}` : text),
};

function toClass(text: string, isUnicode: boolean): string {
  const isNegated = text.startsWith('[^');
  const inner = text.slice(isNegated ? 2 : 1, -1);
  if (inner === '') return isNegated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]';
  const written = inner.replace(
    /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}(?:\\u[dD][c-fC-F][\da-fA-F]{2})?|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|\[/g,
    (part) => classParts[part] ?? toEscape(part, isUnicode),
  );
  return `[${isNegated ? '^' : ''}${written}]`;
}

const classParts: Readonly<Record<string, string>> = { '\\s': spaces, '\\S': notSpaces, '\\b': '\\x{8}', '[': '\\[' };

function toEscape(text: string, isUnicode: boolean): string {
  const [, body = ''] = /^\\([\s\S]+)$/.exec(text) ?? [];
  if (/^u[\da-fA-F]{4}\\u/.test(body)) return `\\x{${pairOf(body).toString(16)}}`;
  if (/^u[\da-fA-F]{4}$|^x[\da-fA-F]{2}$/.test(body)) return `\\x{${body.slice(1)}}`;
  if (/^u\{/.test(body) && isUnicode) return `\\x${body.slice(1)}`;
  if (/^c[A-Za-z]$/.test(body)) return `\\x{${(body.charCodeAt(1) % 32).toString(16)}}`;
  if (body === '0') return '\\x{0}';
  if (/^[pP]\{/.test(body)) return isUnicode ? text : body;
  // Digits refer back, which RE2 does not have; it says so.
  if (/^[dDwWfnrtv1-9]$|^k</.test(body)) return text;
  // Everything else is the character itself, whatever RE2 would read.
  return /^[A-Za-z]$/.test(body) ? body : /^[\0-\x7f]$/.test(body) ? `\\${body}` : body;
}

function pairOf(body: string): number {
  return (Number.parseInt(body.slice(1, 5), 16) - 0xd800) * 0x400 + (Number.parseInt(body.slice(7), 16) - 0xdc00) + 0x10000;
}
