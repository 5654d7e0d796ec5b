import { outcomeSchema } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';
import type { AnyTool } from './define-tool.ts';
import { planOf } from './plan-of.ts';

/** A tool's schemas, all from the one source its author wrote. */
type ToolSchemas = {
  readonly input: JsonObject;
  /** Absent when the tool declares no output schema. */
  readonly output?: JsonObject;
  /** Every outcome a call can end as. */
  readonly outcome: JsonObject;
};

/** Exports a tool's input, output and outcomes as JSON Schema 2020-12, its examples included. Throws where a schema has no such form. */
export function toJsonSchema(tool: AnyTool): ToolSchemas {
  const { schemas, failures = {} } = planOf(tool);
  const { input, output } = schemas();
  const examples = (side: 'input' | 'output'): JsonObject => {
    const given = tool.examples.flatMap((example) => (side in example ? [example[side] as JsonValue] : []));
    return given.length === 0 ? {} : { examples: given };
  };
  const shown = output && { ...output, ...examples('output') };
  return {
    input: { ...input, ...examples('input') },
    ...(shown && { output: shown }),
    outcome: { title: `Outcome of ${tool.name}`, ...outcomeSchema(tool.name, shown, Object.keys(failures)) },
  };
}
