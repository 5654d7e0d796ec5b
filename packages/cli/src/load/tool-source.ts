import { usageError } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import { findToolFiles, type LoadedTools, loadTools } from './load-tools.ts';

/** Where tools come from, and how to load them. */
export interface ToolSource {
  readonly files: readonly string[];
  readonly load: () => Promise<LoadedTools>;
}

/** Finds out where the tools of a command come from: the words after it, `--sample`, the settings, or the default file. */
export function toolSource({ terminal, flags, settings, loader }: Given, named: readonly string[]): ToolSource {
  if (flags.get('sample') === true) {
    if (named.length > 0 || settings.setBy.get('tools') === 'flag') throw usageError('--sample brings its own tools; name no file.');
    return { files: [], load: async () => ({ tools: (await import('./sample-tools.ts')).sampleTools }) };
  }
  if (named.length > 0 && settings.setBy.get('tools') === 'flag')
    throw usageError('Name the files once: after the command, or with --tools.');
  const files = findToolFiles(named.length > 0 ? named : settings.tools, terminal.cwd);
  return { files, load: () => loadTools(files, loader, terminal.cwd) };
}
