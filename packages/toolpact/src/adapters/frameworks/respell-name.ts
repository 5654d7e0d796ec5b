import { toProviderName } from '../../contract/index.ts';
import type { CallableToolbox } from './host-tools.ts';

/** Finds the one tool that a model means by a name, as the toolbox would, and gives the name the host knows it by. For hosts that ask before they call. */
export function respellName(asked: string, toolbox: Pick<CallableToolbox, 'resolveName'>): string | undefined {
  const name = toolbox.resolveName(asked);
  return name === undefined ? undefined : toProviderName(name);
}

/**
 * Returns a name under which a host can look for a tool without finding what every object has: `toString` would be taken for a tool, and what
 * is written under `__proto__` is written into all objects.
 */
export function toSafeName(name: string): string {
  if (name === '') return 'unnamed';
  return name in Object.prototype ? `${name}_` : name;
}
