import { type Effects, lower } from '../contract/index.ts';
import { isObject } from '../json/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';
import type { ListedTool } from '../toolbox/index.ts';
import type { McpEra } from './mcp-request.ts';
import { toOutputSchema } from './to-output-schema.ts';

/** A tool in the form of `tools/list`. A type and not an interface, so that the SDKs' own types, which are open, take it. */
export type McpTool = {
  readonly name: string;
  /** The tool's own name, where the protocol does not allow it as `name`. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: JsonValue; readonly type: 'object' };
  readonly outputSchema?: { readonly [key: string]: JsonValue; readonly type: 'object' };
  readonly annotations: McpAnnotations;
  /** Whether clients of 2025-11-25 may call it as a task. */
  readonly execution?: { readonly taskSupport: 'optional' | 'required' };
};

/** The effects of a tool, in the protocol's words. */
export type McpAnnotations = { readonly readOnlyHint: boolean; readonly destructiveHint: boolean; readonly idempotentHint: boolean };

const annotations: Record<Effects, McpAnnotations> = {
  none: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  // Whether it destroys anything is not known; the protocol asks to assume so.
  idempotent: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  writes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/**
 * Writes a tool for `tools/list`. Its output schema also admits what stands in for a result: a pending call and a cut result. Clients of the
 * older era take an output schema for objects only, so they get no other.
 */
export function toMcpTool({ name, providerName, description, effects, inputSchema, outputSchema }: ListedTool, era: McpEra): McpTool {
  const shownSchema =
    outputSchema !== undefined && (era === 'stateless' || outputSchema.type === 'object') ? toOutputSchema(outputSchema) : undefined;
  return {
    name: providerName,
    ...(name !== providerName && { title: name }),
    description,
    inputSchema: withDialect(withObjectFields(lower(inputSchema, 'mcp'))) as McpTool['inputSchema'],
    ...(shownSchema !== undefined && { outputSchema: shownSchema as NonNullable<McpTool['outputSchema']> }),
    annotations: annotations[effects],
  };
}

/** Names the draft of JSON Schema where a schema has what older drafts do not know: clients that assume one of those would read it wrongly. */
function withDialect(schema: JsonObject): JsonObject {
  const isNew = /"(?:\$defs|\$anchor|\$dynamicRef|prefixItems|dependent\w+|unevaluated\w+)":/.test(JSON.stringify(schema));
  return isNew ? { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema } : schema;
}

/** The older SDK takes no `true` or `false` for the schema of a field. */
function withObjectFields(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const fields = Object.entries(properties).map(
    ([key, field]) => [key, field === true ? {} : field === false ? { not: {} } : field] as const,
  );
  return { ...schema, properties: Object.fromEntries(fields) };
}
