import { lower, type SchemaTarget } from '../../contract/index.ts';
import { type JsonObject, ToolpactError } from '../../outcome/index.ts';
import type { HostTool } from '../frameworks/host-tools.ts';

/** Lowers a tool's input schema for a provider. Throws with the tool, the field and a way out where it cannot be. */
export function lowerTool({ name, inputSchema }: HostTool, target: SchemaTarget, wayOut = 'Change that field.'): JsonObject {
  try {
    return lower(inputSchema, target);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ToolpactError('invalid_schema', `tool "${name}": ${why} (${target}). ${wayOut}`, { tool: name }, { cause: thrown });
  }
}
