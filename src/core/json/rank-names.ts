const longest = 64;

/** Ranks the names nearest to one that was asked for, best first; names with nothing in common are left out. */
export function rankNames(asked: string, names: Iterable<string>, most = 3): string[] {
  const short = asked.slice(0, longest);
  const wanted = short.toLowerCase();
  const words = new Set(toWords(short));
  return [...names]
    .map((name) => {
      const shared = toWords(name).filter((word) => words.has(word)).length;
      return { name, score: editDistance(wanted, name.toLowerCase()) / Math.max(wanted.length, name.length) - shared * 0.4 };
    })
    .filter(({ score }) => score <= 0.5)
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ name }) => name);
}

function toWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
