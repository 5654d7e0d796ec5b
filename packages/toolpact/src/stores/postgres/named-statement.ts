import { hash } from 'node:crypto';
import type { PgQuery } from './pg-pool.ts';

/** A statement whose values are given by name. */
export type NamedStatement<TName extends string = string> = (values: Readonly<Record<TName, unknown>>) => PgQuery;

/**
 * Compiles a statement in which `{calls}` stands for the name of a table and `:id` for a value. It is prepared on each connection that uses it,
 * or planned each time anew: then for the values that it has.
 */
export function compileStatement<TName extends string>(
  text: string,
  tables: Readonly<Record<string, string>>,
  plan: 'prepared' | 'each time' = 'prepared',
): NamedStatement<TName> {
  const names: TName[] = [];
  const placeOf = (name: TName): string => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  };
  const sql = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\{(\w+)\}|(?<!:):([a-z]\w*)/gi, (_, table?: string, value?: string) =>
      table === undefined ? placeOf(value as TName) : (tables[table] as string),
    );
  const name = plan === 'prepared' ? { name: `toolpact_${hash('sha1', sql).slice(0, 20)}` } : {};
  return (values) => ({ ...name, text: sql, values: names.map((value) => values[value]) });
}
