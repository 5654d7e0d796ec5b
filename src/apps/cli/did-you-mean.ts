import { rankNames } from '../../core/contract/index.ts';

/** Writes the question that follows a name nobody knows; empty when no name is near. */
export function didYouMean(asked: string, names: Iterable<string>, write: (name: string) => string = (name) => name): string {
  const [nearest] = rankNames(asked, names, 1);
  return nearest === undefined ? '' : ` Did you mean ${write(nearest)}?`;
}
