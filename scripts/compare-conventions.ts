// Compares our table of the OpenTelemetry conventions with a folder of the published model: node scripts/compare-conventions.ts <model folder>
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type AttributeFact, conventions } from '../packages/toolpact/src/telemetry/conventions.ts';

type Level = string | Readonly<Record<string, string>> | undefined;
interface ModelAttribute {
  readonly ref?: string;
  readonly ref_group?: string;
  readonly requirement_level?: Level;
  readonly sampling_relevant?: boolean;
}
interface ModelItem {
  readonly attributes?: readonly ModelAttribute[];
  readonly [key: string]: unknown;
}
interface ModelFile {
  readonly schema_url?: string;
  readonly attribute_groups?: readonly (ModelItem & { readonly id: string })[];
  readonly spans?: readonly (ModelItem & { readonly type: string; readonly kind: string; readonly name?: { readonly note?: string } })[];
  readonly metrics?: readonly (ModelItem & { readonly name: string; readonly instrument: string; readonly unit: string })[];
  readonly attributes?: readonly {
    readonly key: string;
    readonly type: string | { readonly members: readonly { readonly value: string }[] };
  }[];
}

/** Gives one line for each fact in which our table and the model in a folder differ. */
export function compareConventions(folder: string): string[] {
  const files = readModel(folder);
  const all = <TKey extends 'attribute_groups' | 'spans' | 'metrics' | 'attributes'>(key: TKey) =>
    files.flatMap((file) => (file[key] ?? []) as NonNullable<ModelFile[TKey]>[number][]);
  const groups = new Map(all('attribute_groups').map(({ id, attributes = [] }) => [id, attributes]));
  const types = new Map(all('attributes').map(({ key, type }) => [key, type]));
  const schemaUrls = files.flatMap(({ schema_url }) => schema_url ?? []);
  return [
    ...differ('schema URL', conventions.source.schemaUrl, schemaUrls[0]),
    ...[conventions, conventions.mcp].flatMap(({ span: ours, metric: measured }) => {
      const span = all('spans').find(({ type }) => type === ours.type);
      const metric = all('metrics').find(({ name }) => name === measured.name);
      const at = ours.type === conventions.span.type ? '' : 'mcp ';
      return [
        ...differ(`${at}span type`, ours.type, span?.type),
        ...differ(`${at}span kind`, ours.kind, span?.kind),
        ...differ(`${at}span name`, ours.name, /`(.+?)`/.exec(span?.name?.note ?? '')?.[1]),
        ...compareAttributes(`${at}span`, ours.attributes, resolve(span?.attributes ?? [], groups)),
        ...differ(`${at}metric name`, measured.name, metric?.name),
        ...differ(`${at}metric instrument`, measured.instrument, metric?.instrument),
        ...differ(`${at}metric unit`, measured.unit, metric?.unit),
        ...compareAttributes(`${at}metric`, measured.attributes, resolve(metric?.attributes ?? [], groups)),
      ];
    }),
    ...compareTypes({ ...conventions.mcp.span.attributes, ...conventions.span.attributes }, types),
  ];
}

function readModel(folder: string): ModelFile[] {
  const { parse } = createRequire(new URL('../proofs/peers/package.json', import.meta.url))('yaml') as { parse(text: string): ModelFile };
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => parse(readFileSync(join(folder, name), 'utf8')));
}

type Resolved = ReadonlyMap<string, { readonly level: string; readonly sampling: boolean }>;

/** Follows references to groups; what is said later about an attribute counts, field by field. */
function resolve(attributes: readonly ModelAttribute[], groups: ReadonlyMap<string, readonly ModelAttribute[]>): Resolved {
  const resolved = new Map<string, { level: string; sampling: boolean }>();
  const add = (list: readonly ModelAttribute[]): void => {
    for (const { ref, ref_group, requirement_level, sampling_relevant } of list) {
      if (ref_group !== undefined) add(groups.get(ref_group) ?? []);
      if (ref === undefined) continue;
      const before = resolved.get(ref) ?? { level: 'recommended', sampling: false };
      resolved.set(ref, { level: toLevel(requirement_level) ?? before.level, sampling: sampling_relevant ?? before.sampling });
    }
  };
  add(attributes);
  return resolved;
}

function toLevel(level: Level): string | undefined {
  return typeof level === 'object' ? Object.keys(level)[0] : level;
}

function compareAttributes(where: string, facts: Readonly<Record<string, AttributeFact>>, model: Resolved): string[] {
  const ours = Object.entries(facts).flatMap(([key, { level, sampling = false, ahead = false }]) => {
    const theirs = model.get(key);
    if (theirs === undefined) return ahead ? [] : [`${where} ${key}: the model does not have it`];
    return [
      ...(ahead ? [`${where} ${key}: the model has caught up; take away \`ahead\``] : []),
      ...differ(`${where} ${key} level`, level, theirs.level),
      ...differ(`${where} ${key} at start`, sampling, theirs.sampling),
    ];
  });
  const lacking = [...model].flatMap(([key, { level }]) => (key in facts ? [] : [`${where} ${key}: the table lacks it (${level})`]));
  return [...ours, ...lacking];
}

function compareTypes(facts: Readonly<Record<string, AttributeFact>>, types: ReadonlyMap<string, ModelType>): string[] {
  return Object.entries(facts).flatMap(([key, { type, values = [], newer = [] }]) => {
    const theirs = types.get(key);
    if (theirs === undefined) return [];
    if (typeof theirs === 'string') return differ(`${key} type`, type, theirs);
    const members = theirs.members.map(({ value }) => value);
    return [
      ...values.flatMap((value) => (members.includes(value) ? [] : [`${key}: the model does not know the value ${value}`])),
      ...newer.flatMap((value) => (members.includes(value) ? [`${key}: the model has caught up with the value ${value}`] : [])),
    ];
  });
}

type ModelType = NonNullable<ModelFile['attributes']>[number]['type'];

function differ(what: string, ours: unknown, theirs: unknown): string[] {
  return ours === theirs ? [] : [`${what}: ours is ${JSON.stringify(ours)}, the model's ${JSON.stringify(theirs)}`];
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('Usage: node scripts/compare-conventions.ts <folder of the published model>');
    process.exit(2);
  }
  const differences = compareConventions(folder);
  const { repository, commit, date } = conventions.source;
  console.log(differences.length === 0 ? `No difference from ${repository} (our table: ${commit}, ${date}).` : differences.join('\n'));
  process.exitCode = differences.length === 0 ? 0 : 1;
}
