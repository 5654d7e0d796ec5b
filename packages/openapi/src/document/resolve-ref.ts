import { cutText, resolveReference } from 'toolpact/internal';
import { DocumentProblem, isMap, type JsonMap } from './document-problem.ts';

/** Follows the references of an object that is not a schema: a parameter, a body, a response, a path. */
export function resolveRef(root: JsonMap, given: unknown): JsonMap {
  const passed = new Set<unknown>();
  let found = given;
  while (isMap(found) && typeof found.$ref === 'string') {
    if (passed.has(found)) throw new DocumentProblem(`the reference ${shown(found.$ref)} leads back to itself`);
    passed.add(found);
    found = lookUp(root, found.$ref);
  }
  if (isMap(found)) return found;
  const from = isMap(given) && typeof given.$ref === 'string' ? ` behind ${shown(given.$ref)}` : '';
  throw new DocumentProblem(`a part of it${from} is not an object`);
}

/** Finds what a local reference points at. Nothing is fetched: references to other documents are refused. */
export function lookUp(root: JsonMap, ref: string): unknown {
  if (!ref.startsWith('#'))
    throw new DocumentProblem(`the reference ${shown(ref)} points into another document; bundle the description into one file first`);
  if (ref !== '#' && !ref.startsWith('#/')) throw new DocumentProblem(`the reference ${shown(ref)} is no JSON pointer`);
  const found = resolveReference(ref, root);
  if (found === undefined) throw new DocumentProblem(`the reference ${shown(ref)} leads nowhere`);
  return found;
}

function shown(ref: string): string {
  return JSON.stringify(cutText(ref, 120));
}
