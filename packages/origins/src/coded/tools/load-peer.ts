import { fail } from 'toolpact';

/** Loads a package that only this ability needs; where it is not installed, the failure says how to get it. */
export async function loadPeer<TModule>(name: string): Promise<TModule> {
  try {
    return (await import(/* @vite-ignore */ name)) as TModule;
  } catch (cause) {
    throw fail('not_configured', `The package "${name}" is not installed. Run: npm install ${name}`, { cause });
  }
}
