import { isObject } from '../json/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';
import { expectArgument } from '../outcome/index.ts';
import { outcomeSchema } from './outcome-schema.ts';

/** What `toJsonSchema` needs to know of a tool. */
export interface ExportableTool {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly { readonly input: unknown; readonly output?: unknown }[];
  readonly '~plan': {
    readonly schemas: () => { readonly input: JsonObject; readonly output: JsonObject | undefined };
    readonly failures: Readonly<Record<string, string>> | undefined;
  };
}

/** A tool's schemas, all from the one source its author wrote. */
type ToolSchemas = {
  readonly input: JsonObject;
  /** Absent when the tool declares no output schema. */
  readonly output?: JsonObject;
  /** Every outcome a call can end as. */
  readonly outcome: JsonObject;
};

/** Exports a tool's input, output and outcomes as JSON Schema 2020-12, its examples included. Throws where a schema has no such form. */
export function toJsonSchema(tool: ExportableTool): ToolSchemas {
  expectArgument(isObject(tool?.['~plan']), 'toJsonSchema takes a tool: defineTool({ … })');
  const { input, output } = tool['~plan'].schemas();
  const examples = (side: 'input' | 'output'): JsonObject => {
    const given = tool.examples.flatMap((example) => (side in example ? [example[side] as JsonValue] : []));
    return given.length === 0 ? {} : { examples: given };
  };
  const shown = output && { ...output, ...examples('output') };
  return {
    input: { ...input, ...examples('input') },
    ...(shown && { output: shown }),
    outcome: { title: `Outcome of ${tool.name}`, ...outcomeSchema(tool.name, shown, Object.keys(tool['~plan'].failures ?? {})) },
  };
}
