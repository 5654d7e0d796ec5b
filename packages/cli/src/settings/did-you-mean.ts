import { rankNames } from 'toolpact/internal';

/** Writes the question that follows an unknown name; empty when no name is near. */
export function didYouMean(asked: string, names: Iterable<string>, write: (name: string) => string = (name) => name): string {
  const candidates = [...names];
  // In a short name two letters that changed places look like another word.
  const nearest =
    candidates.find((name) => sorted(name) === sorted(asked)) ?? rankNames(asked, candidates).find((name) => isNear(asked, name));
  return nearest === undefined ? '' : ` Did you mean ${write(nearest)}?`;
}

/** A mistake of the fingers keeps the first letter, or leaves a piece out: names that only share letters are other words. */
function isNear(asked: string, name: string): boolean {
  const [one, other] = [asked.toLowerCase(), name.toLowerCase()];
  return one[0] === other[0] || one.includes(other) || other.includes(one);
}

function sorted(name: string): string {
  return [...name].sort().join('');
}
