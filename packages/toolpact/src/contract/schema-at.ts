import { isObject, isRecord, resolveReference } from '../json/index.ts';
import type { JsonObject } from '../outcome/index.ts';

/** Where in a value something is. */
export type Path = readonly (string | number)[];

/** Any object of a JSON Schema. */
export type Part = Readonly<Record<string, unknown>>;

/** Finds the value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (!isObject(found) || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

/** Finds the part of a JSON Schema that describes a path. */
export function schemaAt(root: JsonObject, path: Path): Part | undefined {
  let parts: readonly Part[] = [root];
  for (const step of path) parts = branchesOf(parts, root).flatMap((part) => childOf(part, step));
  const found = parts[0];
  return found && resolvePart(found, root);
}

function childOf(part: Part, step: string | number): Part[] {
  const properties = part.properties as Part | undefined;
  const prefix = part.prefixItems as readonly Part[] | undefined;
  const child =
    typeof step === 'number' || Array.isArray(prefix)
      ? (prefix?.[Number(step)] ?? part.items)
      : properties && Object.hasOwn(properties, step)
        ? properties[step]
        : part.additionalProperties;
  return isObject(child) ? [child as Part] : [];
}

/** Puts the alternatives of unions, those of nested unions too, in their place. Each comes once: in a recursive schema they would multiply. */
export function branchesOf(parts: readonly Part[], root: JsonObject): readonly Part[] {
  const seen = new Set(parts.map((part) => resolvePart(part, root)));
  const found: Part[] = [];
  for (const part of seen) {
    const branches = part.anyOf ?? part.oneOf;
    // The loop goes on to what is added.
    if (Array.isArray(branches)) for (const branch of branches) seen.add(resolvePart(branch, root));
    else found.push(part);
  }
  return found;
}

/** Follows references to the part they mean; an empty one where they lead nowhere or back to themselves. */
export function resolvePart(part: Part, root: JsonObject): Part {
  const passed = new Set<Part>();
  let found = part;
  while (typeof found.$ref === 'string') {
    const next = resolveReference(found.$ref, root);
    passed.add(found);
    if (!isRecord(next) || passed.has(next)) return {};
    found = next;
  }
  return found;
}

/** Reads what JSON Schema states as one name, a list of names, or not at all. Schemas of others may hold anything there. */
export function namesIn(stated: unknown): string[] {
  return [stated].flat().filter((name) => typeof name === 'string');
}
