import { asList, asMap, asText, DocumentProblem, type JsonMap } from './document-problem.ts';
import type { OpenApiOptions } from './open-api-options.ts';

/** Finds the address an operation is sent to: the nearest servers count, the first of them, its variables filled in. */
export function serverUrl(root: JsonMap, shared: JsonMap, definition: JsonMap, options: OpenApiOptions): string {
  const declared = declaredUrl(root, shared, definition, options.serverVariables ?? {});
  const { baseUrl } = options;
  const chosen = typeof baseUrl === 'function' ? baseUrl(declared) : (baseUrl ?? declared);
  if (chosen === undefined) throw new DocumentProblem('no server is named; give `baseUrl`');
  let url: URL;
  try {
    url = new URL(chosen);
  } catch {
    throw new DocumentProblem(`its server ${JSON.stringify(chosen)} is no full address; give \`baseUrl\``);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new DocumentProblem(`its server speaks ${url.protocol}, not HTTP`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function declaredUrl(root: JsonMap, shared: JsonMap, definition: JsonMap, given: Readonly<Record<string, string>>): string | undefined {
  const server = [definition, shared, root].map(({ servers }) => asMap(asList(servers)[0])).find(({ url }) => typeof url === 'string');
  const url = asText(server?.url);
  if (url === undefined) return undefined;
  const variables = asMap(server?.variables);
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(given, name) ? given[name] : asMap(variables[name]).default;
    return value === undefined ? whole : String(value);
  });
}
