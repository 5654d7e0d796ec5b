import type { JsonObject, JsonValue } from 'toolpact';
import type { RouteDocs } from '../request/route.ts';
import { everyDialect, usualForm } from './answer-forms.ts';
import { named, pendingResponse } from './describe-tool.ts';
import { failureRefs, failureStatuses, headerRef, traceHeaders } from './failures.ts';
import { schemaRef } from './to-component.ts';

/** The statuses with which every request can be refused. */
export const refused: readonly number[] = [401, 403, 421, 429, 500, 503];

/** The headers of answers whose form can be selected. */
export const formHeaders: JsonObject = { ...traceHeaders, 'Toolpact-Dialect': headerRef('Dialect') };

/** Describes an operation. */
export function operation(
  operationId: string,
  summary: string,
  description: string,
  rest: { readonly [key: string]: unknown },
): JsonObject {
  return { operationId, summary, description, ...rest } as JsonObject;
}

/** The documentation of a route. */
interface RouteParts extends Pick<RouteDocs, 'schemas' | 'needs'> {
  readonly parameters?: readonly JsonObject[];
  /** Its JSON body, with its schema and an example. */
  readonly body?: Parameters<typeof body>;
  /** Its answer with a schema, or its answers by status. */
  readonly gives: Parameters<typeof answer> | JsonObject;
  /** The statuses with which it fails, besides those of every request. */
  readonly fails?: readonly number[];
}

/** Describes a route. */
export function describe(
  group: RouteDocs['group'],
  operationId: string,
  summary: string,
  description: string,
  { parameters, body: given, gives, fails = [], ...docs }: RouteParts,
): RouteDocs {
  const rest = {
    ...(parameters && { parameters }),
    ...(given && { requestBody: body(...given) }),
    responses: {
      ...failureRefs([...fails, ...refused]),
      ...(Array.isArray(gives) ? { 200: answer(...(gives as Parameters<typeof answer>)) } : gives),
    },
  };
  return { group, operation: operation(operationId, summary, description, rest), ...docs };
}

/** Describes the outcomes of a call, in every form; with them it can fail in every way. */
export function outcomeAnswers(what: string): JsonObject {
  return {
    200: answer(`${what}.`, schemaRef('OkOutcome'), formHeaders),
    202: pendingResponse(formHeaders),
    207: answer(`${what}, of which some items failed.`, schemaRef('PartialOutcome'), formHeaders),
    ...failureRefs(failureStatuses),
  };
}

/** Describes an answer; with {@link formHeaders} it comes in every form. */
export function answer(description: string, schema: JsonObject, headers: JsonObject = { 'X-Trace-ID': headerRef('TraceId') }): JsonObject {
  return { description, headers, content: { 'application/json': { schema }, ...(headers === formHeaders && everyDialect) } };
}

/** Describes all answers of an operation that always answers in the usual form of its route, whether it succeeded or failed. */
export function usualAnswers(done: string): JsonObject {
  const content = {
    'application/json': { schema: usualForm },
    'application/problem+json': { schema: schemaRef('Problem') },
  };
  const waiting = { ...formHeaders, 'Retry-After': headerRef('RetryAfter') };
  return {
    200: { description: done, headers: formHeaders, content },
    202: { description: 'The call is not over yet.', headers: waiting, content },
    207: { description: 'Some items succeeded and some failed.', headers: formHeaders, content },
    '4XX': { description: 'The request is wrong or not allowed; the body says why.', headers: waiting, content },
    '5XX': { description: 'The call failed; the body says why.', headers: waiting, content },
  };
}

/** Describes a JSON body that is needed. */
export function body(description: string, schema: JsonObject, example: JsonValue): JsonObject {
  return { required: true, description, content: { 'application/json': { schema, ...named([example]) } } };
}

/** Describes a field of the query that may be left out. */
export function queryParameter(
  name: string,
  description: string,
  schema: JsonObject,
  example: string | number | readonly string[],
): JsonObject {
  return { name, in: 'query', required: false, description, schema, example };
}
