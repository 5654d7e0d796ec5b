import { readdirSync } from 'node:fs';
import type { KillHost, Variant } from './host.ts';

/** The files of `hosts/`, without their ending. */
export const hostNames: readonly string[] = readdirSync(new URL('hosts/', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

export async function loadHost(name: string): Promise<KillHost> {
  const { host } = (await import(new URL(`hosts/${name}.ts`, import.meta.url).href)) as { host: KillHost };
  return host;
}

export function variantsOf({ variants, key }: KillHost): readonly Variant[] {
  return variants ?? (key === undefined ? ['alone', 'toolpact'] : ['alone', 'key', 'toolpact']);
}
