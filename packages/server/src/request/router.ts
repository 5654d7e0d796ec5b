import type { RequestHead } from './request-head.ts';
import type { Route } from './route.ts';

/** The route of a request with the variable part of its path; without a route, the methods that the path takes. */
export interface RouteMatch {
  readonly route: Route | undefined;
  readonly param: string;
  readonly allowed: readonly string[];
}

type RoutesByMethod = Map<string, Route>;

interface PathPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly routes: RoutesByMethod;
}

/** Creates a function that finds the route of a request. Paths are few and fixed, with at most one part that varies. */
export function createRouter(routes: readonly Route[]): (head: Pick<RequestHead, 'method' | 'path'>) => RouteMatch {
  const fixedPaths = new Map<string, RoutesByMethod>();
  const patterns = new Map<string, PathPattern>();
  for (const route of routes) {
    const { path, method } = route;
    const brace = path.indexOf('{');
    if (brace < 0) {
      fixedPaths.set(path, (fixedPaths.get(path) ?? new Map<string, Route>()).set(method, route));
      continue;
    }
    const pattern = patterns.get(path) ?? {
      prefix: path.slice(0, brace),
      suffix: path.slice(path.indexOf('}') + 1),
      routes: new Map<string, Route>(),
    };
    pattern.routes.set(method, route);
    patterns.set(path, pattern);
  }

  return ({ method, path }) => {
    const fixedPath = fixedPaths.get(path);
    if (fixedPath !== undefined) return pickMethod(fixedPath, method, '');
    for (const pattern of patterns.values()) {
      const part = variablePart(path, pattern);
      if (part !== undefined) return pickMethod(pattern.routes, method, decode(part));
    }
    return { route: undefined, param: '', allowed: [] };
  };
}

/** Returns the part of a path that stands for the braces of a pattern; undefined for a path of another form. */
function variablePart(path: string, { prefix, suffix }: PathPattern): string | undefined {
  if (!path.startsWith(prefix) || !path.endsWith(suffix) || path.length <= prefix.length + suffix.length) return undefined;
  const part = path.slice(prefix.length, path.length - suffix.length);
  return part.includes('/') ? undefined : part;
}

function pickMethod(routes: RoutesByMethod, method: string, param: string): RouteMatch {
  // The answer to HEAD is that to GET without its body, which the listeners leave out.
  const route = routes.get(method === 'HEAD' ? 'GET' : method) ?? routes.get('*');
  return { route, param, allowed: route === undefined ? [...routes.keys()] : [] };
}

/** A part of a path that is not well encoded is taken as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
