import type { JsonObject } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import type { Route, RouteDocs, RouteGroup } from '../request/route.ts';
import { whyMissing } from '../request/why-missing.ts';
import { resourcesOf } from '../routes/session-routes.ts';
import type { ServedToolbox } from '../server-options.ts';
import { fillResponses } from './answer-forms.ts';

/** Operations that belong together, and the schemas that only they need. */
export interface PathGroup {
  readonly tag: string;
  readonly description: string;
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
}

/** The groups of operations and their descriptions, in the order of the document. */
const groups: Readonly<Record<RouteGroup, string>> = {
  Catalogue: 'The tools and their schemas.',
  'More ways to call': 'Many calls at once.',
  'Stored calls': 'Recorded calls, large results, and calls that have not ended.',
  Approvals: 'Calls that wait until a person allows them. Needs the scope `approvals:decide`.',
  Sessions: 'Resources that tools keep open between calls, per tenant and worker.',
  Inspector: 'Further requests of the inspector page: features of this server, and its health.',
  Server: 'Whether the server is alive and takes calls.',
};

/** The groups that come last, behind those of given routes. */
const lastGroups: readonly string[] = ['Inspector', 'Server'] satisfies RouteGroup[];

/** Describes the routes besides those of single tools, as far as this toolbox can answer them. */
export function describePaths(routes: readonly Route[], toolbox: ServedToolbox, dialects: readonly Dialect[]): PathGroup[] {
  const offered = routes.filter((route) => isOffered(route, toolbox));
  return [...groupsOf(offered)].flatMap(([tag, description]) => {
    const rows = offered.filter(({ docs }) => docs !== undefined && nameOf(docs.group) === tag);
    if (rows.length === 0) return [];
    const paths: Record<string, JsonObject> = {};
    for (const { path, method, docs, format, outcomes = format } of rows) {
      const operation = fillResponses(docs?.operation ?? {}, dialects, outcomes);
      paths[path] = { ...paths[path], [method.toLowerCase()]: { tags: [tag], ...operation } };
    }
    const schemas = Object.assign({}, ...rows.map(({ docs }) => docs?.schemas ?? {})) as JsonObject;
    return [{ tag, description, paths, schemas }];
  });
}

/** Returns the names of all groups with their descriptions. Given routes may describe a group of the server differently. */
function groupsOf(routes: readonly Route[]): Map<string, string> {
  const all = new Map<string, string>(Object.entries(groups).filter(([name]) => !lastGroups.includes(name)));
  for (const { docs } of routes) if (typeof docs?.group === 'object') all.set(docs.group.name, docs.group.description);
  for (const name of lastGroups) all.set(name, groups[name as RouteGroup]);
  return all;
}

function nameOf(group: RouteDocs['group']): string {
  return typeof group === 'string' ? group : group.name;
}

function isOffered({ needs, docs }: Route, toolbox: ServedToolbox): boolean {
  const needed = docs?.needs ?? needs;
  return needed === undefined || whyMissing(needed, { toolbox, resources: resourcesOf(toolbox.resources) }) === undefined;
}
