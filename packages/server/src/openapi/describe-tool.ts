import type { AnyTool } from 'toolpact';
import { type FailureKind, type JsonObject, type JsonValue, toJsonSchema } from 'toolpact';
import { httpStatus, planOf } from 'toolpact/extend';
import { toProviderName } from 'toolpact/internal';
import { everyDialect } from './answer-forms.ts';
import { exampleMeta, failureRefs, failureResponse, failureStatuses, headerRef, traceHeaders } from './failures.ts';
import { callParameters, formParameters, keyParameter } from './parameters.ts';
import { failureWith, outcomeArm } from './shared-schemas.ts';
import { schemaRef, toComponent, toMarkdown } from './to-component.ts';

/** The part of a document that describes one tool. */
export interface ToolDescription {
  readonly path: string;
  readonly tag: string;
  readonly operation: JsonObject;
  readonly schemas: JsonObject;
}

const effectNotes = {
  none: 'Changes nothing, so it may be repeated.',
  idempotent: 'May be repeated without harm.',
  writes: 'Changes something. Send `Idempotency-Key` so that it can be repeated safely.',
} as const;

/** Describes the operation that calls a tool, from its contract. */
export function describeTool(tool: AnyTool): ToolDescription {
  const { name, description, effects, examples } = tool;
  const id = toProviderName(name);
  const { schemas, input, ok, partial, error } = schemasOf(tool, id);
  const failures = Object.entries(planOf(tool).failures ?? {});
  const tag = name.includes(':') ? name.slice(0, name.indexOf(':')) : 'Tools';
  const required = ((schemas[`${id}.Input`] as JsonObject).required as readonly string[] | undefined) ?? [];
  const headers = { ...traceHeaders, 'Toolpact-Dialect': headerRef('Dialect'), 'Idempotency-Replayed': headerRef('Replayed') };
  const operation: JsonObject = {
    operationId: `call_${id}`,
    tags: [tag],
    summary: summaryOf(name, description),
    description: [toMarkdown(description), effectNotes[effects]].join('\n\n'),
    'x-tool': name,
    'x-effects': effects,
    parameters: [keyParameter, ...callParameters, ...formParameters],
    requestBody: {
      required: required.length > 0,
      description: 'The arguments of the tool.',
      content: { 'application/json': { schema: input, ...named(examples.map(({ input: value }) => value as JsonValue)) } },
    },
    responses: {
      200: {
        description: 'The call did what was asked.',
        headers,
        content: {
          'application/json': { schema: ok, ...named(examples.flatMap((example) => okExample(name, example))) },
          'text/event-stream': {
            schema: { type: 'string', description: 'Events `progress` while the tool runs, and `outcome` at the end.' },
          },
          ...everyDialect,
        },
      },
      202: pendingResponse(headers),
      207: {
        description: 'Some items succeeded and some failed.',
        headers,
        content: { 'application/json': { schema: partial }, ...everyDialect },
      },
      ...failureRefs(failureStatuses),
      ...ownFailures(failures, error),
    },
  };
  return { path: `/v1/tools/${name}`, tag, operation, schemas };
}

/** Describes the answer of a call that is not over yet. */
export function pendingResponse(headers: JsonObject): JsonObject {
  return {
    description: 'The call waits for an approval, for an input, or for its own end. Ask for its outcome by the handle.',
    headers: { ...headers, 'Retry-After': headerRef('RetryAfter') },
    content: { 'application/json': { schema: schemaRef('PendingOutcome') }, ...everyDialect },
  };
}

/** Returns texts, numbers and objects as examples of a media type; nothing when there are none. */
export function named(values: readonly JsonValue[]): JsonObject {
  if (values.length === 0) return {};
  return { examples: Object.fromEntries(values.map((value, index) => [`example${index + 1}`, { value }])) };
}

/** Returns the schemas of a tool's outcomes as components; what all tools share is shared. */
function schemasOf(tool: AnyTool, id: string) {
  const { input, output, outcome } = toJsonSchema(tool);
  const { examples: _, ...inputSchema } = input;
  const schemas: Record<string, JsonValue> = { [`${id}.Input`]: toComponent(`${id}.Input`, inputSchema) };
  const failures = planOf(tool).failures ?? {};
  let ok = schemaRef('OkOutcome');
  let partial = schemaRef('PartialOutcome');
  let error = schemaRef('ErrorOutcome');
  if (output !== undefined) {
    const { examples: __, ...outputSchema } = output;
    const data = { data: schemaRef(`${id}.Output`) };
    schemas[`${id}.Output`] = toComponent(`${id}.Output`, outputSchema);
    schemas[`${id}.Ok`] = outcomeArm(`${tool.name} succeeded`, 'ok', data);
    schemas[`${id}.Partial`] = outcomeArm(`${tool.name} succeeded in part`, 'partial', data);
    ok = schemaRef(`${id}.Ok`);
    partial = schemaRef(`${id}.Partial`);
  }
  if (Object.keys(failures).length > 0) {
    const { code = {} } = ((outcome.$defs as JsonObject).failure as JsonObject).properties as JsonObject;
    schemas[`${id}.Failure`] = failureWith(`${tool.name} says what failed`, code as JsonObject);
    schemas[`${id}.Error`] = outcomeArm(`${tool.name} failed`, 'error', { error: schemaRef(`${id}.Failure`) });
    error = schemaRef(`${id}.Error`);
  }
  return { schemas, input: schemaRef(`${id}.Input`), ok, partial, error };
}

/** Describes the failures that only this tool has, in place of the shared ones of their statuses. */
function ownFailures(failures: readonly (readonly [string, string])[], schema: JsonObject): JsonObject {
  const byStatus = Map.groupBy(failures, ([, kind]) => httpStatus({ kind: kind as FailureKind }));
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      status,
      failureResponse(
        status,
        schema,
        own.map(([code]) => code),
      ),
    ]),
  );
}

function okExample(tool: string, example: { readonly input: unknown; readonly output?: unknown }): JsonValue[] {
  if (!('output' in example)) return [];
  const { input, output } = example;
  return [{ status: 'ok', data: output, input, meta: { ...exampleMeta, tool } } as JsonValue];
}

/** The first sentence, or as much of it as fits into a heading. */
function summaryOf(name: string, description: string): string {
  const [line = ''] = description.trim().split('\n', 1);
  const [sentence = line] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [];
  const short = sentence.length > 100 ? `${sentence.slice(0, 99).trimEnd()}…` : sentence;
  return short === '' ? name : short.replace(/\.$/, '');
}
