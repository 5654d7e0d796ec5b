/** Writes a text on one line, so that nothing in it can pass for a line of ours. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
