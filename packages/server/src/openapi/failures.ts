import { catalogue, type FailureKind, type JsonObject, type JsonValue, type Meta, type Outcome } from 'toolpact';
import { problem } from 'toolpact/dialects';
import { makeFailure } from 'toolpact/internal';
import { everyDialect } from './answer-forms.ts';
import { schemaRef } from './to-component.ts';

/** Statuses that no kind has: the request did not come as far as a call. */
const refusals: Readonly<Record<number, { readonly kind: FailureKind; readonly title: string }>> = {
  415: { kind: 'unsupported', title: 'The body is not JSON, or is compressed' },
  421: { kind: 'forbidden', title: 'The server is not known under the host name of the request' },
};

const kinds = Object.keys(catalogue) as FailureKind[];

/** Every status a call can fail with. */
export const failureStatuses: readonly number[] = [...new Set([...kinds.flatMap(statusesOf), ...Object.keys(refusals).map(Number)])].sort(
  (a, b) => a - b,
);

/** The `meta` of all outcomes that are shown as examples. */
export const exampleMeta: Meta = {
  tool: 'example',
  invocationId: '01a1df05-a9a0-78b1-8ab6-000000000007',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  tookMs: 12.5,
  attempts: 1,
};

/** Returns the shared responses for all failures of the catalogue, named by status. */
export function failureResponses(): JsonObject {
  return Object.fromEntries(failureStatuses.map((status) => [`Failed${status}`, failureResponse(status, schemaRef('ErrorOutcome'))]));
}

/** Gives references to the shared responses of these statuses. */
export function failureRefs(statuses: readonly number[]): JsonObject {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Failed${status}` }]));
}

/** Describes the answer to a call that failed with a status; `codes` are the tool's own among them. */
export function failureResponse(status: number, schema: JsonObject, codes: readonly string[] = []): JsonObject {
  const own = kinds.filter((kind) => statusesOf(kind).includes(status));
  const samples = own.length === 0 ? [refusals[status]?.kind ?? 'internal'] : own;
  const waits = samples.some((kind) => catalogue[kind].retryable);
  return {
    description: describe(status, own, codes),
    ...(codes.length > 0 && { 'x-failures': [...codes] }),
    headers: { ...traceHeaders, ...(waits && { 'Retry-After': headerRef('RetryAfter') }) },
    content: {
      'application/json': { schema, examples: examplesOf(samples, status, (outcome) => outcome as unknown as JsonValue) },
      'application/problem+json': {
        schema: schemaRef('Problem'),
        examples: examplesOf(
          samples,
          status,
          (outcome) => ({ ...problem.encode(outcome, { strict: true }), status }) as unknown as JsonValue,
        ),
      },
      ...everyDialect,
    },
  };
}

/** Gives the reference to a shared header. */
export function headerRef(name: string): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

/** The headers that name the call of an answer. */
export const traceHeaders: JsonObject = { 'X-Trace-ID': headerRef('TraceId'), 'X-Invocation-ID': headerRef('InvocationId') };

function describe(status: number, kinds: readonly FailureKind[], codes: readonly string[]): string {
  const sentences = kinds.map((kind) => `\`${kind}\`: ${titleOf(kind)}.`);
  const own = codes.length === 0 ? [] : [`Codes of this tool: ${codes.map((code) => `\`${code}\``).join(', ')}.`];
  return [...(sentences.length === 0 ? [`${refusals[status]?.title ?? 'Refused'}.`] : sentences), ...own].join(' ');
}

function examplesOf(kinds: readonly FailureKind[], status: number, write: (outcome: Outcome) => JsonValue): JsonObject {
  return Object.fromEntries(
    kinds.map((kind) => {
      const error = makeFailure(kind, {
        message: `${refusals[status]?.title ?? titleOf(kind)}.`,
        ...(catalogue[kind].retryable && { retryAfterMs: 8_000 }),
        ...(catalogue[kind].http !== status && refusals[status] === undefined && { upstream: { status: catalogue[kind].http } }),
      });
      return [kind, { summary: titleOf(kind), value: write({ status: 'error', error, meta: exampleMeta }) }];
    }),
  );
}

function statusesOf(kind: FailureKind): number[] {
  const { http, httpUpstream } = catalogue[kind];
  return httpUpstream === undefined ? [http] : [http, httpUpstream];
}

function titleOf(kind: FailureKind): string {
  return problem.encode({ status: 'error', error: makeFailure(kind, { message: kind }), meta: exampleMeta }).title;
}
