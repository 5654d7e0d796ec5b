/** Makes one pattern of messages that differ only in values: quoted texts, numbers and ids. For counting; no code acts on it. */
export function toMessagePattern(message: string): string {
  return message
    .slice(0, 300)
    .replace(/(["'`])[^"'`\n]{1,200}\1/g, '$1…$1')
    .replace(/(?<![A-Za-z])\d[\w.:-]*|\b[A-Za-z_-]*\d[\w-]*\b/g, '…');
}
