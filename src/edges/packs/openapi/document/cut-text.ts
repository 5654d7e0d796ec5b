/** Shortens a text that is longer than wanted, never in the middle of a character: half of one is refused by providers. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
