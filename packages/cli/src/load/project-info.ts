import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The name and the version under which the tools of a folder are served: those that clients and people know them by. */
export function projectInfo(folder: string): { readonly name: string; readonly version: string } {
  return { name: projectName(folder), version: versionIn(folder) ?? '0.0.0' };
}

/** The name of a project is that of its folder. */
export function projectName(folder: string): string {
  return basename(folder) || 'toolpact';
}

function versionIn(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
