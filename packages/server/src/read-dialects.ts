import { problem } from 'toolpact/dialects';
import { checkDialects } from './check-dialects.ts';
import type { ServedDialect } from './request/served-dialect.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Returns all dialects of a server, each once: those that a request may select, the one it speaks, and those in which given routes answer. Throws
 * for what is no dialect, and for two of one name.
 */
export function readDialects(
  where: string,
  { dialects = [], dialect, routes = [] }: Pick<ServerOptions, 'dialects' | 'dialect' | 'routes'>,
): readonly ServedDialect[] {
  checkDialects(where, dialects);
  const spoken = typeof dialect === 'object' ? [dialect] : [];
  const answered = routes.flatMap(({ format, outcomes }) => [format, outcomes]).filter((form) => typeof form === 'object');
  const all = [...new Set([...dialects, ...spoken, ...answered])];
  checkDialects(where, [...new Set([problem, ...all])]);
  return all;
}
