import { type Effects, toProviderName } from '../contract/index.ts';
import { type JsonObject, withoutAbsent } from '../outcome/index.ts';
import { type AnyTool, planOf } from '../runtime/index.ts';

/** A tool as callers and models see it. */
export interface ListedTool {
  readonly name: string;
  /** The name in the form every provider accepts. */
  readonly providerName: string;
  readonly description: string;
  readonly effects: Effects;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly examples: readonly { readonly input: unknown; readonly output?: unknown }[];
  /** Whether models find it with `search_tools` instead of being offered it from the start. */
  readonly deferred?: true;
}

/** Lists a tool with its JSON Schemas. */
export function toListed(tool: AnyTool, deferred: boolean): ListedTool {
  const { name, description, effects, examples } = tool;
  const { input, output } = planOf(tool).schemas();
  return withoutAbsent({
    name,
    providerName: toProviderName(name),
    description,
    effects,
    inputSchema: input,
    outputSchema: output,
    examples,
    ...(deferred && { deferred: true as const }),
  });
}
