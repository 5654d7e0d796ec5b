import { ToolpactError } from 'toolpact';
import { type Dialect, problem } from 'toolpact/dialects';
import { isObject } from 'toolpact/internal';
import type { ServedDialect } from './request/served-dialect.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Gives all dialects of a server, each once: those that a request may select, the one it speaks, and those in which given routes answer. Throws
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
  checkDialects(where, all);
  return all;
}

/** Throws for what is no dialect, and for two dialects of one name, of which only one could be selected. */
export function checkDialects(where: string, dialects: readonly Dialect[]): void {
  if (!Array.isArray(dialects) || !dialects.every(isDialect)) {
    const message = `${where}: dialects must be a list of dialects, such as those of @toolpact/origins`;
    throw new ToolpactError('invalid_option', message, { option: 'dialects' });
  }
  const names = new Map<string, Dialect>([[problem.name, problem]]);
  for (const dialect of dialects as readonly Dialect[]) {
    const isTaken = dialect.name === 'outcome' || (names.get(dialect.name) ?? dialect) !== dialect;
    if (isTaken) {
      const message = `${where}: two formats have the name "${dialect.name}"; leave one of them out`;
      throw new ToolpactError('invalid_option', message, { option: 'dialects' });
    }
    names.set(dialect.name, dialect);
  }
}

/** Checks whether a value can be used as a dialect. */
export function isDialect(value: unknown): value is Dialect {
  if (!isObject(value)) return false;
  const { name, encode, decode } = value as Partial<Dialect>;
  return typeof name === 'string' && name !== '' && typeof encode === 'function' && typeof decode === 'function';
}
