import { cutText, isObject } from '../../../../core/json/index.ts';
import { DocumentProblem, isMap, type JsonMap } from './document-problem.ts';

const longestChain = 32;

/** Follows the references of an object that is not a schema: a parameter, a body, a response, a path. */
export function resolveRef(root: JsonMap, given: unknown): JsonMap {
  let found = given;
  for (let step = 0; isMap(found) && typeof found.$ref === 'string'; step += 1) {
    if (step === longestChain) throw new DocumentProblem(`the reference ${shown(found.$ref)} leads back to itself`);
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
  let found: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    const key = toKey(step);
    if (!isObject(found) || !Object.hasOwn(found, key)) throw new DocumentProblem(`the reference ${shown(ref)} leads nowhere`);
    found = (found as JsonMap)[key];
  }
  return found;
}

function toKey(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A lone percent sign is part of the name.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(ref: string): string {
  return JSON.stringify(cutText(ref, 120));
}
