import type { JsonObject } from 'toolpact';
import { flattenSchema, isRecord, mergeSchemas, numberRange, ownEntry, type SchemaPart, sampleValue } from 'toolpact/internal';
import type { Random } from './generate-random.ts';
import { generateText } from './generate-text.ts';

/** Which values are wanted: ordinary ones, or those at the lower or upper end of what is allowed. */
export type Extent = 'usual' | 'least' | 'most';

const deepest = 8;
const maxCharacters = 2_000;
const mostItems = 24;
const maxParts = 500;

/** One value in the making. */
interface Job {
  readonly root: JsonObject;
  readonly random: Random;
  readonly extent: Extent;
  /** How many parts it may still get: a schema that refers to itself in several places would otherwise grow without end. */
  left: number;
}

/**
 * Creates a value that probably fits a JSON Schema. It ignores keywords that only a validator understands, so the caller has to check the
 * value. Ends for every schema, also for one that refers to itself.
 */
export function generateValue(schema: unknown, root: JsonObject, random: Random, extent: Extent = 'usual'): unknown {
  return make(schema, { root, random, extent, left: maxParts }, 0);
}

/** Returns the first value to try: with the defaults and examples of the schema, and little else. */
export function plainValue(schema: JsonObject, random: Random): unknown {
  // Texts of our own, because the usual samples name hosts that exist.
  return sampleValue(schema, schema, (part) => makeText(part, random, 'usual'));
}

function make(schema: unknown, job: Job, depth: number): unknown {
  const { root, random, extent } = job;
  job.left -= 1;
  if (job.left < 0) return null;
  if (!isRecord(schema)) return random.pick(['text', 1, true]);
  const part = flattenSchema(schema, root);
  if ('const' in part) return part.const;
  if (Array.isArray(part.enum)) return extent === 'usual' ? random.pick(part.enum) : part.enum.at(extent === 'least' ? 0 : -1);
  const branches = part.anyOf ?? part.oneOf;
  if (Array.isArray(branches) && branches.length > 0) {
    const { anyOf: _, oneOf: __, ...rest } = part;
    // Deep down the first branch that needs no more depth ends the recursion.
    const branch = depth < deepest - 2 ? random.pick(branches) : (branches.find((one) => !nests(one, root)) ?? branches[0]);
    return make(mergeSchemas(rest, isRecord(branch) ? flattenSchema(branch, root) : {}), job, depth + 1);
  }
  return ownEntry(makers, typeOf(part, random))?.(part, job, depth) ?? null;
}

function typeOf(part: SchemaPart, random: Random): string {
  if (typeof part.type === 'string') return part.type;
  if (Array.isArray(part.type) && part.type.length > 0) {
    const drawn: unknown = random.pick(part.type);
    return typeof drawn === 'string' ? drawn : 'null';
  }
  if (isRecord(part.properties) || Array.isArray(part.required)) return 'object';
  if (part.items !== undefined || part.prefixItems !== undefined) return 'array';
  if (part.minimum !== undefined || part.maximum !== undefined) return 'number';
  return 'string';
}

function nests(branch: unknown, root: JsonObject): boolean {
  if (!isRecord(branch)) return false;
  const { type, anyOf, oneOf } = flattenSchema(branch, root);
  return type === 'object' || type === 'array' || anyOf !== undefined || oneOf !== undefined;
}

type Maker = (part: SchemaPart, job: Job, depth: number) => unknown;

const makers: Readonly<Record<string, Maker>> = {
  null: () => null,
  boolean: (_, { random, extent }) => (extent === 'usual' ? random.next() < 0.5 : extent === 'most'),
  integer: makeNumber,
  number: makeNumber,
  string: (part, { random, extent }) => makeText(part, random, extent),
  array: makeList,
  object: makeObject,
};

function makeNumber(part: SchemaPart, { random, extent }: Job): number {
  const { step, ...range } = numberRange(part);
  const span = step === undefined ? 10 : Math.ceil(10 / step) * step;
  const least = Number.isFinite(range.least) ? range.least : Math.min(0, range.most - span);
  const most = Number.isFinite(range.most) ? range.most : Math.max(least + span, span);
  if (extent !== 'usual') return extent === 'least' ? least : most;
  const drawn = least + random.next() * (Math.min(most, least + 1_000) - least);
  const fitting = step === undefined ? Math.round(drawn * 100) / 100 : Math.round(drawn / step) * step;
  return Math.min(Math.max(fitting, least), most);
}

function makeText(part: SchemaPart, random: Random, extent: Extent): string {
  const least = countOf(part.minLength) ?? 0;
  const most = Math.min(countOf(part.maxLength) ?? Number.POSITIVE_INFINITY, maxCharacters);
  const known = ownEntry(formats, part.format);
  if (known !== undefined) return known(random);
  if (typeof part.pattern === 'string') return generateText(part.pattern, random) ?? random.pick(['a', 'abc', 'A1', '1', 'a-b', '']);
  if (extent === 'least') return 'a'.repeat(Math.min(least, maxCharacters));
  if (extent === 'most') return 'z'.repeat(most === maxCharacters ? Math.max(least, 200) : most);
  const wanted = Math.max(least, Math.min(most, random.int(3, 12)));
  return Array.from({ length: Math.min(wanted, maxCharacters) }, () => random.pick([...'abcdefghijklmnoprstuvw'])).join('');
}

function makeList(part: SchemaPart, job: Job, depth: number): unknown[] {
  const { random, extent } = job;
  const least = Math.min(countOf(part.minItems) ?? 0, 1_000);
  const most = Math.max(least, Math.min(countOf(part.maxItems) ?? mostItems, mostItems));
  const wanted =
    depth >= deepest || extent === 'least'
      ? least
      : extent === 'most'
        ? Math.min(most, least + 4)
        : random.int(least, Math.min(most, least + 2));
  const first = Array.isArray(part.prefixItems) ? (part.prefixItems as unknown[]) : [];
  const list: unknown[] = first.map((item) => make(item, job, depth + 1));
  const seen = new Set(list.map((item) => JSON.stringify(item)));
  for (let tries = 0; list.length < wanted && tries < wanted * 4 && job.left > 0; tries += 1) {
    const item = make(part.items ?? {}, part.uniqueItems === true ? { ...job, extent: 'usual' } : job, depth + 1);
    const text = JSON.stringify(item);
    if (part.uniqueItems === true && seen.has(text)) continue;
    seen.add(text);
    list.push(item);
  }
  return list;
}

function makeObject(part: SchemaPart, job: Job, depth: number): Record<string, unknown> {
  const { random, extent } = job;
  const fields = isRecord(part.properties) ? part.properties : {};
  const required = new Set(Array.isArray(part.required) ? part.required.filter((name): name is string => typeof name === 'string') : []);
  const made: [string, unknown][] = [];
  for (const name of new Set([...Object.keys(fields), ...required])) {
    const isWanted = required.has(name) || (depth < deepest && (extent === 'most' || (extent === 'usual' && random.next() < 0.6)));
    if (!isWanted || job.left < 0 || depth > 3 * deepest) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : part.additionalProperties;
    made.push([name, make(field, job, depth + 1)]);
  }
  for (let extra = 1; made.length < Math.min(countOf(part.minProperties) ?? 0, 50); extra += 1) {
    made.push([`field${extra}`, make(part.additionalProperties, job, depth + 1)]);
  }
  // `fromEntries` defines; an assignment to `__proto__` would not.
  return Object.fromEntries(made);
}

/** A length that makes sense. */
function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined;
}

const two = (value: number): string => String(value).padStart(2, '0');
const date = (random: Random): string => `20${two(random.int(20, 30))}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`;
const time = (random: Random): string => `${two(random.int(0, 23))}:${two(random.int(0, 59))}:${two(random.int(0, 59))}Z`;
const hex = (random: Random, length: number): string => Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
// Names that never resolve: a tool under test must not reach a real host.
const host = 'tool-check.invalid';

const formats: Readonly<Record<string, (random: Random) => string>> = {
  date,
  time,
  'date-time': (random) => `${date(random)}T${time(random)}`,
  duration: (random) => `PT${random.int(1, 59)}M`,
  email: (random) => `user${random.int(1, 99)}@${host}`,
  hostname: () => host,
  uri: (random) => `https://${host}/${hex(random, 4)}`,
  url: (random) => `https://${host}/${hex(random, 4)}`,
  'uri-reference': (random) => `/${hex(random, 4)}`,
  uuid: (random) => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`,
  ipv4: (random) => `127.0.0.${random.int(1, 254)}`,
  ipv6: () => '::1',
  'json-pointer': () => '/a',
  regex: () => '^a$',
  byte: () => 'dG9vbHBhY3Q=',
  base64: () => 'dG9vbHBhY3Q=',
  base64url: () => 'dG9vbHBhY3Q',
  ulid: (random) => `01ARZ3NDEKTSV4RRFFQ69G5F${random.int(10, 99)}`,
  cuid: (random) => `c${hex(random, 24)}`,
  cuid2: (random) => `c${hex(random, 23)}`,
  nanoid: (random) => hex(random, 21),
  e164: (random) => `+8131234${random.int(1000, 9999)}`,
  cidrv4: () => '127.0.0.0/8',
  jwt: () => 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.AAAA',
};
