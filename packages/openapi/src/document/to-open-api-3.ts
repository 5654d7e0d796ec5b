import { asList, asMap, asText, DocumentProblem, isMap, type JsonMap } from './document-problem.ts';
import { resolveRef } from './resolve-ref.ts';

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/**
 * Writes a Swagger 2.0 description in the form of OpenAPI 3.0. Its definitions stay where they are, so that references to them hold; a part
 * whose reference leads nowhere is passed on as it is and costs the operation that uses it, no other. Written here because `@scalar/openapi-upgrader`
 * 0.4.6 refuses a whole document for one such part, reads forms, files and lists differently (13 of 255 tests of this folder), and installs 2.8 MB.
 */
export function toOpenApi3(root: JsonMap): JsonMap {
  const paths = Object.entries(asMap(root.paths)).map(([path, item]) => [path, toPathItem(root, item)] as const);
  return {
    ...root,
    openapi: '3.0.3',
    servers: [{ url: toServer(root) }],
    components: { securitySchemes: toSchemes(root.securityDefinitions) },
    paths: Object.fromEntries(paths),
  };
}

function toServer({ host, basePath, schemes }: JsonMap): string {
  const path = asText(basePath) ?? '/';
  const scheme = asList(schemes).includes('http') && !asList(schemes).includes('https') ? 'http' : 'https';
  return asText(host) === undefined ? path : `${scheme}://${host}${path.startsWith('/') ? '' : '/'}${path}`;
}

/** The other kinds of schemes are called the same in both. */
function toSchemes(definitions: unknown): JsonMap {
  const schemes = Object.entries(asMap(definitions));
  return Object.fromEntries(
    schemes.map(([name, given]) => [name, asMap(given).type === 'basic' ? { type: 'http', scheme: 'basic' } : given] as const),
  );
}

function toPathItem(root: JsonMap, item: unknown): unknown {
  if (!isMap(item)) return item;
  const { parameters, ...rest } = item;
  const entries = Object.entries(rest).map(
    ([key, value]) => [key, methods.has(key) && isMap(value) ? toOperation(root, asList(parameters), value) : value] as const,
  );
  return Object.fromEntries(entries);
}

function toOperation(root: JsonMap, shared: readonly unknown[], definition: JsonMap): JsonMap {
  const byPlace = new Map<string, JsonMap>();
  for (const given of [...shared, ...asList(definition.parameters)]) {
    const parameter = resolved(root, given);
    byPlace.set(JSON.stringify([parameter.$ref, parameter.in, parameter.name]), parameter);
  }
  const all = [...byPlace.values()];
  const types = (kind: 'consumes' | 'produces'): string[] =>
    asList(definition[kind] ?? root[kind]).filter((type) => typeof type === 'string');
  const requestBody = toBody(
    all.find((parameter) => parameter.in === 'body'),
    all.filter((parameter) => parameter.in === 'formData' && asText(parameter.name) !== undefined),
    types('consumes'),
  );
  const responses = Object.entries(asMap(definition.responses)).map(
    ([status, given]) => [status, toResponse(resolved(root, given), types('produces'))] as const,
  );
  return {
    ...definition,
    parameters: all.filter((parameter) => parameter.in !== 'body' && parameter.in !== 'formData').map(toParameter),
    ...(requestBody !== undefined && { requestBody }),
    responses: Object.fromEntries(responses),
  };
}

/** How lists are written, by the name Swagger has for it. */
const listStyles: ReadonlyMap<unknown, JsonMap> = new Map([
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['tsv', { style: 'tabDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

function toParameter(given: JsonMap): JsonMap {
  if (typeof given.$ref === 'string') return given;
  const { name, in: place, required, description } = given;
  return { name, in: place, required, description, schema: toSchema(given), ...listStyle(given), example: given['x-example'] };
}

function listStyle({ type, collectionFormat }: JsonMap): JsonMap {
  // With commas, where nothing else is said.
  return type === 'array' ? (listStyles.get(collectionFormat) ?? { explode: false }) : {};
}

/** In Swagger 2 a parameter is its own schema. */
function toSchema({ name: _, in: _in, required: _required, ...schema }: JsonMap): JsonMap {
  return schema.type === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
}

function toBody(body: JsonMap | undefined, fields: readonly JsonMap[], consumes: readonly string[]): JsonMap | undefined {
  if (body !== undefined) {
    const types = consumes.length === 0 ? ['application/json'] : consumes;
    const content = Object.fromEntries(types.map((type) => [type, { schema: body.schema }]));
    return { required: body.required, description: body.description, content };
  }
  if (fields.length === 0) return undefined;
  const isMultipart =
    fields.some(({ type }) => type === 'file') ||
    (!consumes.some((type) => /urlencoded/i.test(type)) && consumes.some((type) => /multipart/i.test(type)));
  const required = fields.filter((field) => field.required === true).map(({ name }) => name);
  const schema = { type: 'object', properties: byName(fields, toSchema), ...(required.length > 0 && { required }) };
  const media = {
    schema,
    encoding: byName(
      fields.filter(({ type }) => type === 'array'),
      listStyle,
    ),
  };
  return { required: required.length > 0, content: { [isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded']: media } };
}

function byName(fields: readonly JsonMap[], toValue: (field: JsonMap) => JsonMap): JsonMap {
  return Object.fromEntries(fields.map((field) => [String(field.name), toValue(field)]));
}

function toResponse(given: JsonMap, produces: readonly string[]): JsonMap {
  const { schema, ...rest } = given;
  if (schema === undefined) return rest;
  // A response of type file stays a file, even if the description lists other media types.
  const isFile = asMap(schema).type === 'file';
  const stated = isFile ? produces.filter((type) => !/json|xml/i.test(type)) : produces;
  const types = stated.length > 0 ? stated : [isFile ? 'application/octet-stream' : 'application/json'];
  return { ...rest, content: Object.fromEntries(types.map((type) => [type, isFile ? {} : { schema }])) };
}

function resolved(root: JsonMap, given: unknown): JsonMap {
  try {
    return resolveRef(root, given);
  } catch (thrown) {
    if (!(thrown instanceof DocumentProblem)) throw thrown;
    return asMap(given);
  }
}
