import { remember } from './remember.ts';
import type { RequestHead } from './request-head.ts';
import type { Route } from './route.ts';

/** The route of a request, or the methods that its path takes. */
export type Found =
  | { readonly route: Route; readonly param: string; readonly allowed: readonly string[] }
  | { readonly route: undefined; readonly param: string; readonly allowed: readonly string[] };

type Methods = Map<string, Route>;

interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly methods: Methods;
}

/** Makes what finds the route of a request. Paths are few and fixed, with at most one part that varies. */
export function createRouter(routes: readonly Route[]): (head: Pick<RequestHead, 'method' | 'path'>) => Found {
  const fixed = new Map<string, Methods>();
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    const { path, method } = route;
    const from = path.indexOf('{');
    if (from < 0) fixed.set(path, (fixed.get(path) ?? new Map<string, Route>()).set(method, route));
    else {
      const pattern = patterns.get(path) ?? {
        prefix: path.slice(0, from),
        suffix: path.slice(path.indexOf('}') + 1),
        methods: new Map<string, Route>(),
      };
      pattern.methods.set(method, route);
      patterns.set(path, pattern);
    }
  }
  const varying = [...patterns.values()];
  const known = new Map(
    ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => [method, remember((path) => withRoute(search(method, path)))] as const),
  );

  return ({ method, path }) => known.get(method)?.(path) ?? search(method, path);

  function search(method: string, path: string): Found {
    const methods = fixed.get(path);
    if (methods !== undefined) return pick(methods, method, '');
    for (const { prefix, suffix, methods: own } of varying) {
      if (!path.startsWith(prefix) || !path.endsWith(suffix)) continue;
      const end = path.length - suffix.length;
      if (end <= prefix.length || path.slice(prefix.length, end).includes('/')) continue;
      return pick(own, method, decode(path.slice(prefix.length, end)));
    }
    return nothing;
  }
}

/** Only what has a route is remembered. */
function withRoute(found: Found): Found | undefined {
  return found.route === undefined ? undefined : found;
}

const nothing: Found = { route: undefined, param: '', allowed: [] };

function pick(methods: Methods, method: string, param: string): Found {
  // The answer to HEAD is that to GET without its body, which the listeners leave out.
  const route = methods.get(method === 'HEAD' ? 'GET' : method) ?? methods.get('*');
  return route === undefined ? { route, param, allowed: [...methods.keys()] } : { route, param, allowed: [] };
}

/** A part of a path that is not well encoded is taken as it is. */
function decode(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
