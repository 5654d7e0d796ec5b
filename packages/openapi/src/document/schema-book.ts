import type { JsonObject, JsonValue } from 'toolpact';
import { cutText } from 'toolpact/internal';
import { convertSchema, type Side } from './convert-schema.ts';
import { createPatternCheck } from './create-pattern-check.ts';
import { cutSchema } from './cut-schema.ts';
import { DocumentProblem, isMap } from './document-problem.ts';
import type { ReadDocument } from './read-document.ts';
import { lookUp } from './resolve-ref.ts';

/** The schemas of one description for one direction, each converted once however many operations use it. */
export interface SchemaBook {
  /** Converts a schema; what it refers to stays in the book. */
  readonly convert: (schema: unknown) => JsonObject;
  /** Returns the schema behind a mere reference. */
  readonly open: (schema: JsonObject) => JsonObject;
  /** Copies the schemas that a schema refers to into its `$defs`, nearest first, as far as they fit. The others are described by their type only. */
  readonly bind: (schema: JsonObject) => { readonly schema: JsonObject; readonly shortened: boolean };
}

interface Entry {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
  readonly size: number;
}

const place = '#/$defs/';

/** Creates the book of a description's schemas. `maxChars` bounds each schema that leaves it. */
export function createSchemaBook({ root, is30 }: ReadDocument, side: Side, maxChars: number): SchemaBook {
  const nameByRef = new Map<string, string>();
  const refByName = new Map<string, string>();
  const entries = new Map<string, Entry>();
  const settings = { is30, side, refer, lookUp: (ref: string) => lookUp(root, ref), isSafePattern: createPatternCheck() };

  function refer(ref: string): string {
    let name = nameByRef.get(ref);
    if (name === undefined) {
      lookUp(root, ref);
      name = freeName(ref, refByName);
      nameByRef.set(ref, name);
      refByName.set(name, ref);
    }
    return `${place}${name}`;
  }

  function entryOf(name: string): Entry {
    let entry = entries.get(name);
    if (entry === undefined) {
      const schema = convertSchema(lookUp(root, refByName.get(name) ?? ''), settings);
      entry = { schema, refs: refsOf(schema), size: JSON.stringify(schema).length + name.length };
      entries.set(name, entry);
    }
    return entry;
  }

  function open(schema: JsonObject): JsonObject {
    let opened = schema;
    for (let step = 0; typeof opened.$ref === 'string'; step += 1) {
      if (step > 32) throw new DocumentProblem(`the schema ${opened.$ref.slice(place.length)} is defined as itself`);
      opened = entryOf(opened.$ref.slice(place.length)).schema;
    }
    return opened;
  }

  function bind(given: JsonObject): { schema: JsonObject; shortened: boolean } {
    const { schema, size, shortened: cut } = shortenTo(given, maxChars);
    const $defs: Record<string, JsonValue> = {};
    const names = refsOf(schema);
    let left = maxChars - size;
    let shortened = cut;
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] as string;
      if (Object.hasOwn($defs, name)) continue;
      const entry = entryOf(name);
      open({ $ref: `${place}${name}` });
      left -= entry.size;
      if (left < 0) {
        shortened = true;
        left += entry.size;
        $defs[name] = outlineOf(open(entry.schema));
        continue;
      }
      $defs[name] = entry.schema;
      names.push(...entry.refs);
    }
    return { schema: names.length === 0 ? schema : { ...schema, $defs }, shortened };
  }

  return { convert: (schema) => convertSchema(schema, settings), open, bind };
}

/** Cuts deeper and deeper until the schema fits. */
function shortenTo(schema: JsonObject, maxChars: number): { schema: JsonObject; size: number; shortened: boolean } {
  let size = JSON.stringify(schema).length;
  if (size <= maxChars) return { schema, size, shortened: false };
  let cut = schema;
  for (const depth of [6, 4, 3, 2, 1]) {
    cut = cutSchema(schema, depth);
    size = JSON.stringify(cut).length;
    if (size <= maxChars) break;
  }
  return { schema: cut, size, shortened: true };
}

function outlineOf({ type, title, description }: JsonObject): JsonObject {
  return {
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(typeof description === 'string' && { description: cutText(description, 200) }),
  };
}

function freeName(ref: string, taken: ReadonlyMap<string, string>): string {
  const wanted = (ref.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60) || 'schema';
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  return name;
}

function refsOf(schema: JsonValue): string[] {
  const names = new Set<string>();
  const look = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(look);
    if (!isMap(part)) return;
    if (typeof part.$ref === 'string' && part.$ref.startsWith(place)) names.add(part.$ref.slice(place.length));
    Object.values(part).forEach(look);
  };
  look(schema);
  return [...names];
}
