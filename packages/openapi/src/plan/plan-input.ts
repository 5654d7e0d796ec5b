import type { JsonObject, JsonValue } from 'toolpact';
import type { Body } from './plan-body.ts';
import type { Parameter } from './plan-parameters.ts';

/** Where the arguments of a call go. */
export interface InputPlan {
  readonly schema: JsonObject;
  /** Whether arguments are grouped as `{ path, query, header, cookie, body }`, because names in two places clash. */
  readonly grouped: boolean;
  /** Each parameter with the name that callers use for it. */
  readonly parameters: readonly (readonly [key: string, parameter: Parameter])[];
  readonly body: Body | undefined;
  /** The caller's names for the body's fields; nothing where the body is one argument. */
  readonly bodyFields: readonly (readonly [key: string, name: string])[] | undefined;
  readonly example: JsonObject | undefined;
}

/**
 * Decides what a caller gives: one flat object of parameters and, where the body is a plain object, its fields; otherwise the body as
 * `body`. Where two of these names clash, everything is grouped by where it goes.
 */
export function planInput(all: readonly Parameter[], body: Body | undefined): InputPlan {
  const asked = all.filter(({ filledBy }) => filledBy === undefined);
  const parameters = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) => {
    const here = all.filter((parameter) => parameter.in === place);
    const keys = keysOf(here.map(({ name }) => name));
    return here.map((parameter, index) => [keys[index] as string, parameter] as const);
  });
  const shown = parameters.filter(([, { filledBy }]) => filledBy === undefined);
  const names = body?.fields && Object.keys(body.fields);
  const keys = keysOf(names ?? []);
  const fields = names?.map((name, index) => [keys[index] as string, name] as const);
  const flat = [...shown.map(([key]) => key), ...(fields?.map(([key]) => key) ?? (body === undefined ? [] : ['body']))];
  const grouped = new Set(flat.map((key) => key.toLowerCase())).size < flat.length;
  const bodyFields = grouped ? undefined : fields;
  const schema = grouped ? groupedSchema(shown, body) : flatSchema(shown, body, bodyFields);
  return { schema, grouped, parameters, body, bodyFields, example: exampleOf(asked, shown, body, bodyFields, grouped) };
}

/** Providers take letters, digits and a few signs in the names of arguments. */
function toKey(name: string): string {
  const inner = name
    .slice(0, 200)
    .replace(/^[^A-Za-z0-9_.-]+|[^A-Za-z0-9_.-]+$/g, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_');
  // An object that is given this field gets another prototype instead.
  if (inner === '__proto__') return 'proto';
  return (inner === '' ? 'value' : inner).slice(0, 60);
}

/** Keeps names apart that became the same, or differ in case only, in one place. */
function keysOf(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const base = toKey(name);
    let key = base;
    // Counting goes on where it stopped: from the start it would take longer with every name.
    let count = counts.get(base) ?? 2;
    for (; taken.has(key.toLowerCase()); count += 1) key = `${base}_${count}`;
    counts.set(base, count);
    taken.add(key.toLowerCase());
    return key;
  });
}

type Shown = readonly (readonly [string, Parameter])[];

function flatSchema(shown: Shown, body: Body | undefined, fields: InputPlan['bodyFields']): JsonObject {
  const properties: Record<string, JsonValue> = {};
  const required: string[] = [];
  for (const [key, parameter] of shown) {
    properties[key] = parameter.schema;
    if (parameter.required) required.push(key);
  }
  if (body !== undefined && fields === undefined) {
    properties.body = body.schema;
    if (body.required) required.push('body');
  }
  for (const [key, name] of fields ?? []) {
    properties[key] = body?.fields?.[name] as JsonObject;
    if (body?.requiredFields.includes(name)) required.push(key);
  }
  return objectOf(properties, required);
}

function groupedSchema(shown: Shown, body: Body | undefined): JsonObject {
  const properties: Record<string, JsonValue> = {};
  const required: string[] = [];
  for (const place of ['path', 'query', 'header', 'cookie'] as const) {
    const group = shown.filter(([, parameter]) => parameter.in === place);
    if (group.length === 0) continue;
    properties[place] = flatSchema(group, undefined, undefined);
    if (group.some(([, parameter]) => parameter.required)) required.push(place);
  }
  if (body !== undefined) {
    properties.body = body.schema;
    if (body.required) required.push('body');
  }
  return objectOf(properties, required);
}

function objectOf(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** Puts the description's own examples together to a call, where there is one for everything that is needed. */
function exampleOf(
  asked: readonly Parameter[],
  shown: Shown,
  body: Body | undefined,
  fields: InputPlan['bodyFields'],
  grouped: boolean,
): JsonObject | undefined {
  if (grouped || asked.some(({ required, example }) => required && example === undefined)) return undefined;
  const needsBody = body !== undefined && (body.required || body.example !== undefined);
  if (needsBody && (body.example === undefined || body.form === 'binary')) return undefined;
  const example: Record<string, unknown> = {};
  for (const [key, parameter] of shown) if (parameter.required) example[key] = parameter.example;
  if (needsBody && fields === undefined) example.body = body.example;
  if (needsBody)
    for (const [key, name] of fields ?? []) {
      const value = (body.example as Record<string, unknown> | null)?.[name];
      if (value !== undefined) example[key] = value;
    }
  if (Object.keys(example).length === 0) return undefined;
  const text = JSON.stringify(example);
  return text.length > 2_000 ? undefined : (JSON.parse(text) as JsonObject);
}
