import { ToolpactError } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import { isObject } from 'toolpact/internal';

/** Throws for what is no dialect, and for two dialects of one name, of which only one could be selected. */
export function checkDialects(where: string, dialects: readonly Dialect[]): void {
  if (!Array.isArray(dialects) || !dialects.every(isDialect)) {
    const message = `${where}: dialects must be a list of dialects, such as those of @toolpact/origins`;
    throw new ToolpactError('invalid_option', message, { option: 'dialects' });
  }
  const names = new Map<string, Dialect>();
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
