/** Characters that are not seen, or that turn the direction of the text around them; tabs, line ends and the joiner of emoji are left. */
const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\t\n\r\u{200d}]]/gv;

/** Writes characters that cannot be seen as escapes, so that a text shows all it holds and cannot rearrange the page. */
export function showHidden(text: string): string {
  return text.toWellFormed().replace(hidden, (character) => `\\u${toHex(character)}`);
}

function toHex(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return hex.length > 4 ? `{${hex}}` : hex;
}
