import type { JsonObject } from 'toolpact';
import type { Route, RouteGroup } from '../request/route.ts';
import type { ServedToolbox } from '../server-options.ts';

/** Operations that belong together, and the schemas that only they need. */
export interface PathGroup {
  readonly tag: RouteGroup;
  readonly description: string;
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
}

/** The groups of operations and their descriptions, in the order of the document. */
const groups: Readonly<Record<RouteGroup, string>> = {
  Catalogue: 'Which tools there are, with their schemas.',
  'More ways to call': 'Many calls at once, and calls in the request form of older agents.',
  'Stored calls': 'What became of calls: by id, results by reference, and calls that have not ended.',
  Approvals: 'Calls that wait until a person allows them. Needs the scope `approvals:decide`.',
  Sessions:
    'What tools keep open between calls, per tenant and worker. Answers come in the `coded` envelope unless another dialect is selected.',
  'Paths of the coded envelope': 'The paths of the system that the `coded` envelope comes from.',
  Inspector: 'What the inspector page asks besides calls: what this server can do, and how things stand.',
  Server: 'Whether the server lives and takes calls.',
};

/** Describes the routes besides those of single tools, as far as this toolbox can answer them. */
export function describePaths(routes: readonly Route[], toolbox: ServedToolbox, dialect?: string): PathGroup[] {
  const origin = dialect?.split('.')[0];
  const offered = routes.filter((route) => (route.origin === undefined || route.origin === origin) && isOffered(route, toolbox));
  return (Object.keys(groups) as RouteGroup[]).flatMap((tag) => {
    const rows = offered.filter(({ docs }) => docs?.group === tag);
    if (rows.length === 0) return [];
    const paths: Record<string, JsonObject> = {};
    for (const { path, method, docs } of rows) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: { tags: [tag], ...docs?.operation } };
    }
    const schemas = Object.assign({}, ...rows.map(({ docs }) => docs?.schemas ?? {})) as JsonObject;
    return [{ tag, description: groups[tag], paths, schemas }];
  });
}

function isOffered({ needs, docs }: Route, toolbox: ServedToolbox): boolean {
  const { resources } = toolbox;
  // Backends are warmed up with the sessions that use them, so both are described together.
  if (needs === 'resources' || docs?.group === 'Sessions') return resources !== undefined && 'create' in resources;
  return needs === undefined || toolbox[needs] !== undefined;
}
