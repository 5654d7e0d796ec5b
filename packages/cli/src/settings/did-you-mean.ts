import { rankNames } from 'toolpact/internal';

/** Writes the question that follows an unknown name; empty when no name is near. */
export function didYouMean(asked: string, names: Iterable<string>, write: (name: string) => string = (name) => name): string {
  const candidates = [...names];
  // In a short name two letters that changed places look like another word.
  const nearest = candidates.find((name) => sorted(name) === sorted(asked)) ?? rankNames(asked, candidates, 1)[0];
  return nearest === undefined ? '' : ` Did you mean ${write(nearest)}?`;
}

function sorted(name: string): string {
  return [...name].sort().join('');
}
