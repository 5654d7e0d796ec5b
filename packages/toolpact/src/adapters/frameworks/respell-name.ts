import { toNameKey, toProviderName } from '../../contract/index.ts';

/**
 * Finds the one tool that a model means by a name it spelled its own way, as the toolbox would, and gives the name the host knows it by.
 * For hosts that ask before they call.
 */
export function respellName(asked: string, names: readonly string[]): string | undefined {
  const exact = names.find((name) => toProviderName(name) === asked);
  const key = toNameKey(asked);
  const spelled = names.filter((name) => toNameKey(name) === key);
  const found =
    spelled.length > 0 ? spelled : names.filter((name) => name.includes(':') && toNameKey(name.slice(name.indexOf(':') + 1)) === key);
  const name = exact ?? (found.length === 1 ? found[0] : undefined);
  return name === undefined ? undefined : toProviderName(name);
}

/**
 * Gives a name under which a host can look for a tool without finding what every object has: `toString` would be taken for a tool, and what
 * is written under `__proto__` is written into all objects.
 */
export function toSafeName(name: string): string {
  if (name === '') return 'unnamed';
  return name in Object.prototype ? `${name}_` : name;
}
