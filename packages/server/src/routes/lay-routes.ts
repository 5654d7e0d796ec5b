import { ToolpactError } from 'toolpact';
import { type OptionNames, refuseOptions } from 'toolpact/internal';
import { isDialect } from '../check-dialects.ts';
import { docParts } from '../openapi/doc-parts.ts';
import type { GivenRoute } from '../request/given-route.ts';
import type { Route } from '../request/route.ts';
import { createRouteServer } from '../request/route-server.ts';

const fields: OptionNames<GivenRoute> = {
  method: true,
  path: true,
  scope: true,
  format: true,
  outcomes: true,
  selectsFormat: true,
  startsWork: true,
  needs: true,
  read: true,
  run: true,
  docs: true,
};
const methods: readonly unknown[] = ['GET', 'POST', 'DELETE'] satisfies Route['method'][];

/** Lays given routes over those of the server: in the place of one with the same method and path, else behind them. */
export function layRoutes(own: readonly Route[], given: readonly GivenRoute[]): readonly Route[] {
  const table = new Map(own.map((route) => [keyOf(route), route]));
  for (const route of given) {
    const key = keyOf(route);
    table.set(key, lay(table.get(key), route));
  }
  return [...table.values()];
}

/** Throws for given routes that could not be served. */
export function checkRoutes(where: string, routes: readonly GivenRoute[] = []): void {
  if (!Array.isArray(routes)) throw new ToolpactError('invalid_option', `${where}: routes must be a list of routes`, { option: 'routes' });
  for (const route of routes as readonly GivenRoute[]) {
    refuseOptions(`${where}: a route`, route, fields);
    const problem = problemOf(route);
    if (problem !== undefined) throw new ToolpactError('invalid_option', `${where}: ${problem}`, { option: 'routes' });
  }
}

function problemOf({ method, path, format, outcomes, run }: GivenRoute): string | undefined {
  const name = `the route ${method} ${path}`;
  if (!methods.includes(method)) return `the method of ${name} must be one of ${methods.join(', ')}`;
  if (typeof path !== 'string' || !path.startsWith('/')) return `the path of ${name} must begin with a slash`;
  if (run !== undefined && typeof run !== 'function') return `run of ${name} must be a function`;
  return isForm(format) && isForm(outcomes) ? undefined : `the format of ${name} must be a dialect, or 'outcome'`;
}

function lay(own: Route | undefined, { run, docs, ...given }: GivenRoute): Route {
  const ownRun = own?.run;
  if (run === undefined && ownRun === undefined) {
    const name = `${given.method} ${given.path}`;
    throw new ToolpactError('invalid_option', `the route ${name} needs run: the server has no route of that method and path`, {
      option: 'routes',
    });
  }
  const described = docs === undefined ? own?.docs : docs(docParts, own?.docs);
  return {
    ...own,
    ...given,
    ...(described !== undefined && { docs: described }),
    run: (request, server) => {
      const answerAsOwn = () => ownRun?.(request, server) ?? server.refuse(request, 'not_found', 'There is nothing at this path.');
      return run === undefined ? answerAsOwn() : run(request, createRouteServer(server, request), answerAsOwn);
    },
  };
}

function keyOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function isForm(form: unknown): boolean {
  return form === undefined || form === 'outcome' || isDialect(form);
}
