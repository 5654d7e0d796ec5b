import type { JsonObject, JsonValue } from 'toolpact';
import { isRecord } from 'toolpact/internal';

type Where = { readonly pointer: string; readonly base: string; readonly ids: ReadonlyMap<string, string> };

/** Keywords whose values are schemas: one, a list of them, or several by name. All other values are data and stay as they are. */
const keywords: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  items: 'one',
  additionalProperties: 'one',
  unevaluatedItems: 'one',
  unevaluatedProperties: 'one',
  propertyNames: 'one',
  contains: 'one',
  contentSchema: 'one',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: 'one',
  else: 'one',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  $defs: 'map',
  definitions: 'map',
};
/** Keywords that mean nothing, or something else, inside a larger document. */
const dropped: readonly string[] = ['$schema', '$id', 'discriminator'];

/** Gives the reference to a schema of the document. */
export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Returns a schema that stands alone in the form in which it can be a component of a document: its own references, which look at its root,
 * lead to where that root lies now.
 */
export function toComponent(name: string, schema: JsonObject): JsonObject {
  const root = `#/components/schemas/${name}`;
  const ids = new Map<string, string>();
  collectIds(schema, root, ids);
  return withoutUnused(move(schema, { pointer: root, base: root, ids }) as JsonObject, root);
}

/** Writes a text where Markdown is read: descriptions of a document are, and HTML in them would be more than text. */
export function toMarkdown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Leaves out definitions that nothing leads to. */
function withoutUnused(schema: JsonObject, root: string): JsonObject {
  const { $defs, ...rest } = schema;
  if (!isRecord($defs)) return schema;
  const used: Record<string, JsonValue> = {};
  const visit = (value: JsonValue): void => {
    for (const [, step = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = Object.keys($defs).find((one) => isWithin(step, `${root}/$defs/${toStep(one)}`));
      if (name === undefined || Object.hasOwn(used, name)) continue;
      used[name] = $defs[name] as JsonValue;
      visit(used[name]);
    }
  };
  visit(rest);
  return Object.keys(used).length === 0 ? rest : { ...rest, $defs: used };
}

function isWithin(pointer: string, holder: string): boolean {
  return pointer === holder || pointer.startsWith(`${holder}/`);
}

function move(schema: JsonValue, where: Where): JsonValue {
  if (!isRecord(schema)) return schema;
  const here = typeof schema.$id === 'string' ? { ...where, base: where.pointer } : where;
  const moved: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (dropped.includes(key)) continue;
    if (key === '$ref' && typeof value === 'string') moved[key] = moveRef(value, here);
    else moved[key] = key === 'description' && typeof value === 'string' ? toMarkdown(value) : moveBelow(key, value, here);
  }
  return moved;
}

function moveBelow(key: string, value: JsonValue, where: Where): JsonValue {
  const below = (...steps: readonly (string | number)[]): Where => ({ ...where, pointer: [where.pointer, ...steps.map(toStep)].join('/') });
  const kind = keywords[key];
  if (kind === undefined) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => move(item, below(key, index)));
  if (kind !== 'map' || !isRecord(value)) return move(value, below(key));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, move(one, below(key, name))]));
}

function moveRef(ref: string, { base, ids }: Where): string {
  if (ref === '#' || ref.startsWith('#/')) return base + ref.slice(1);
  const [id = '', inside = ''] = ref.split('#', 2);
  const known = ids.get(id);
  return known === undefined ? ref : known + inside;
}

function collectIds(value: JsonValue, pointer: string, ids: Map<string, string>): void {
  if (!isRecord(value)) return;
  if (isRecord(value) && typeof value.$id === 'string') ids.set(value.$id.replace(/#$/, ''), pointer);
  for (const [key, one] of Object.entries(value)) collectIds(one as JsonValue, `${pointer}/${toStep(key)}`, ids);
}

function toStep(step: string | number): string {
  return encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%24', '$');
}
