import type { ServedToolbox } from '../server-options.ts';
import type { McpSettings } from './settings.ts';

/** Creates a check whether a tool, by its name in any spelling, is served as a task only; undefined where none is. */
export function createNeedsTask(
  { resolveName }: Pick<ServedToolbox, 'resolveName'>,
  { requireTasks = [] }: Pick<McpSettings, 'requireTasks'>,
): ((name: string) => boolean) | undefined {
  if (requireTasks.length === 0) return undefined;
  const required = new Set(requireTasks.map(resolveName));
  return (name) => {
    const tool = resolveName(name);
    return tool !== undefined && required.has(tool);
  };
}
