/** Cuts a text to at most `max` characters, the last of them `…`. Never cuts in the middle of a character: providers refuse half of one. */
export function cutText(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
