import { isInternalHost } from 'toolpact/internal';
import { asList, asMap, asText, DocumentProblem, type JsonMap } from '../document/document-problem.ts';
import type { OpenApiOptions } from '../open-api-options.ts';

/** The address that operations are sent to. */
export interface ServerUrl {
  /** Without a slash at its end, and without a query. */
  readonly server: string;
  /** A prefix for the query of every request. */
  readonly serverQuery: string | undefined;
}

/**
 * Finds the address an operation is sent to: the nearest servers count, the first of them, its variables filled in. Credentials go along, so
 * a server of another origin than the description's own is refused unless the application allows it.
 */
export function serverUrl(root: JsonMap, shared: JsonMap, definition: JsonMap, options: OpenApiOptions): ServerUrl {
  const { baseUrl, source } = options;
  const declared = declaredUrl([definition, shared, root], options);
  const chosen = typeof baseUrl === 'function' ? baseUrl(declared) : (baseUrl ?? declared ?? source);
  if (chosen === undefined) throw new DocumentProblem('no server is named; give `baseUrl`');
  const [, unset] = /\{([^{}]+)\}/.exec(chosen) ?? [];
  if (unset !== undefined)
    throw new DocumentProblem(`its server ${JSON.stringify(chosen)} has no value for "${unset}"; give it in \`serverVariables\``);
  const url = toUrl(chosen, source);
  if (url === undefined) throw new DocumentProblem(`its server ${JSON.stringify(chosen)} is not a full address; set \`baseUrl\``);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new DocumentProblem(`its server speaks ${url.protocol}, not HTTP`);
  if (baseUrl === undefined) assertAllowed(url, root, options);
  // The query of the description's own address selects the description, not what is called.
  const isQueryMeant = chosen !== source && url.search.length > 1;
  return { server: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, serverQuery: isQueryMeant ? url.search.slice(1) : undefined };
}

function assertAllowed({ origin, hostname }: URL, root: JsonMap, options: OpenApiOptions): void {
  const { servers = [], source } = options;
  if (servers === 'any' || servers.some((allowed) => toUrl(allowed)?.origin === origin)) return;
  const own = source ?? declaredUrl([root], options);
  if (own === undefined || toUrl(own, source)?.origin !== origin)
    throw new DocumentProblem(`its server ${origin} is not the one of the description; allow it with \`servers\``);
  // A description that only claims to be at home there could send requests, and credentials, into this network.
  if (source === undefined && isInternalHost(hostname))
    throw new DocumentProblem(`its server ${origin} is inside this network; allow it with \`servers\` or give \`baseUrl\``);
}

function declaredUrl(parts: readonly JsonMap[], { serverVariables: given = {} }: OpenApiOptions): string | undefined {
  const server = parts.map(({ servers }) => asMap(asList(servers)[0])).find(({ url }) => typeof url === 'string');
  const url = asText(server?.url);
  if (url === undefined) return undefined;
  const variables = asMap(server?.variables);
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(given, name) ? given[name] : asMap(variables[name]).default;
    return value === undefined ? whole : String(value);
  });
}

function toUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
