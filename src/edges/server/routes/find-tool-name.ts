import { toNameKey } from '../../../core/contract/index.ts';
import type { ServedToolbox } from '../server-options.ts';

/**
 * Makes what gives the exact name of a tool, by the rules the toolbox finds tools by: exactly, regardless of case and separators, or by
 * its action alone where only one resource has it. Permissions are checked on the exact name, and only that is called.
 */
export function createFindToolName({ tools }: Pick<ServedToolbox, 'tools'>): (asked: string) => string | undefined {
  const exact = new Set(tools.map(({ name }) => name));
  const byKey = Map.groupBy(exact, toNameKey);
  const byAction = Map.groupBy(
    [...exact].filter((name) => name.includes(':')),
    (name) => toNameKey(name.slice(name.indexOf(':') + 1)),
  );
  return (asked) => {
    if (exact.has(asked)) return asked;
    const key = toNameKey(asked.slice(0, 200));
    const spelled = byKey.get(key) ?? byAction.get(key) ?? [];
    return spelled.length === 1 ? spelled[0] : undefined;
  };
}
