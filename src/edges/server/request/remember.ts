/** The most texts that are remembered, and the longest one: requests choose them. */
const maxTexts = 256;
const longestText = 256;

/**
 * Gives a function that remembers what it found for the last texts: nearly all requests name the same few hosts, paths and tenants. A full memory is
 * emptied, so that texts which come once, such as ids in addresses, cannot keep those that come often out of it.
 */
export function remember<TFound>(find: (text: string) => TFound | undefined): (text: string) => TFound | undefined {
  const known = new Map<string, TFound>();
  return (text) => {
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    const found = find(text);
    if (found === undefined || text.length > longestText) return found;
    if (known.size >= maxTexts) known.clear();
    known.set(text, found);
    return found;
  };
}
