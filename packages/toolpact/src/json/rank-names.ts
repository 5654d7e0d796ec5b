/** Ranks the names nearest to one that was asked for, best first; names with little in common are left out. */
export function rankNames(asked: string, names: Iterable<string>, most = 3): string[] {
  const wanted = piecesOf(asked.slice(0, 64));
  return [...names]
    .map((name) => {
      const pieces = piecesOf(name);
      return { name, score: [...pieces].filter((piece) => wanted.has(piece)).length / Math.max(wanted.size, pieces.size) };
    })
    .filter(({ score }) => score >= 0.45)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Returns the form in which names that differ only in case or separators are equal. */
export function toNameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns the letters of a name and their pairs, whatever its case and separators. */
function piecesOf(name: string): Set<string> {
  const text = toNameKey(name);
  return new Set([...text].flatMap((letter, at) => [letter, text.slice(at, at + 2)]));
}
