import { createServer } from '@toolpact/server';
import { createResources, createToolbox, defineTool } from 'toolpact';
import { spill } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Writes docs/http-api.md: every route of a server with a store and all options, from the description that the server itself gives. */
export async function httpApiPage(): Promise<string> {
  const { tags, paths, components } = await describe();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path: path.replace('/tools/add', '/tools/{name}'), method, operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `## ${name}\n\n${description}\n\n${own.map(sectionOf).join('\n\n')}`;
  });
  const shared = Object.values(components.parameters).filter((one) => one.in === 'header');
  return `# HTTP API

<!-- Written by \`npm run docs\` from the OpenAPI description of a server. Do not edit. -->

Every path of \`createServer\` and of \`toolpact serve\`. Your server describes the same as OpenAPI 3.1, with the schemas of your own tools, at \`/openapi.json\`.
\`/mcp\` speaks MCP. If the [inspector](inspector.md) is served, \`/docs\` redirects to its tools. A path that needs a store, the guard \`spill\` or an option
answers 404 or 501 if the server has none. [Serving](serving.md) shows how to start a server.

A refused request is answered like a failed call: \`{ "status": "error", "error": { "kind": … } }\`, with the HTTP status of the
[kind](failures.md).

${sections.join('\n\n')}

## Headers

Calls take these headers. All are optional.

| header | for |
|---|---|
${shared.map(({ name, description = '' }) => `| \`${name}\` | ${inCell(description)} |`).join('\n')}
`;
}

async function describe(): Promise<Description> {
  const store = memoryStore();
  const add = defineTool({ name: 'add', description: 'Calls a tool.', effects: 'none', run: () => 1 });
  const toolbox = createToolbox([add], { store, use: [spill({ store })], resources: createResources([]) });
  const server = createServer(toolbox, { inspector: true });
  const answer = await server.fetch(new Request('http://127.0.0.1/openapi.json'));
  await store.close();
  return (await answer.json()) as Description;
}

function sectionOf({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const isCall = path === '/v1/tools/{name}';
  const summary = isCall ? 'Call a tool' : operation.summary;
  const about = isCall
    ? 'The body is the arguments as JSON. The HTTP status follows the kind of failure. With `Accept: text/event-stream` progress is streamed before the outcome.'
    : (operation.description ?? '');
  return [`### \`${method.toUpperCase()} ${path}\``, `${summary}. ${about}`.trim(), fieldsOf(operation, isCall)]
    .filter(Boolean)
    .join('\n\n');
}

/** Lists what only this path takes: in its address, and in its body. */
function fieldsOf({ parameters = [], requestBody }: Operation, isCall: boolean): string {
  const named = parameters.filter(({ $ref }) => $ref === undefined);
  const paged = parameters.flatMap(({ $ref = '' }) =>
    /\/(Offset|Limit)$/.test($ref) ? [$ref.slice($ref.lastIndexOf('/') + 1).toLowerCase()] : [],
  );
  const schema = isCall ? undefined : requestBody?.content?.['application/json']?.schema;
  const branches = schema?.oneOf ?? (schema === undefined ? [] : [schema]);
  const body = new Map(branches.flatMap(({ properties = {} }) => Object.entries(properties)));
  const isNeeded = (name: string): boolean => branches.every(({ required = [] }) => required.includes(name));
  const rows = [
    ...named.map((one) => `| \`${one.name}\` | ${one.in} | ${one.required ? 'yes' : ''} | ${inCell(one.description ?? '')} |`),
    ...paged.map((name) => `| \`${name}\` | query | | ${name === 'limit' ? 'How many at most.' : 'How many to skip.'} |`),
    ...[...body].map(([name, { description = '' }]) => `| \`${name}\` | body | ${isNeeded(name) ? 'yes' : ''} | ${inCell(description)} |`),
  ];
  return rows.length === 0 ? '' : `| name | in | required | about |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
