import type { RouteServer } from '@toolpact/server';
import type { Outcome } from 'toolpact';

/** Says in the words and data of the origin that no tool has this name, or that several have it. All other outcomes stay as they are. */
export function inOriginWords(outcome: Outcome, { toolbox, mayCall }: RouteServer): Outcome {
  const { tool = '' } = outcome.meta;
  // A tool may say of what it was asked that there is no such tool.
  if (outcome.status !== 'error' || outcome.error.kind !== 'unknown_tool' || toolbox.resolveName(tool) !== undefined) return outcome;
  const named = toolbox.tools.flatMap(({ name }) => (name.endsWith(`:${tool}`) && mayCall(name) ? [name] : []));
  const [message, data] =
    named.length > 1
      ? [`Ambiguous tool name '${tool}'. Multiple matches: ${toList(named)}. Please use full name with prefix.`, { candidates: named }]
      : [`Tool not found: ${tool}`, { action: tool }];
  return { ...outcome, error: { ...outcome.error, message }, data };
}

/** Writes names as Python writes a list. */
function toList(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
