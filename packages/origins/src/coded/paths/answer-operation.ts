import type { GivenRoute, RouteRequest, RouteServer } from '@toolpact/server';
import type { CallContext, FailureKind, JsonObject, Meta, Outcome } from 'toolpact';
import { elapsedMs, isRecord, makeFailure } from 'toolpact/internal';
import { errorCodes } from '../error-codes.ts';
import { selectNumber } from '../select-number.ts';

/** The answer of a route. */
export type RouteAnswer = Awaited<ReturnType<NonNullable<GivenRoute['run']>>>;

/** The end of an operation of a server with the coded envelope: data, or a failure with the HTTP status that the origin sends. */
export interface Ended {
  readonly data: JsonObject;
  readonly sessionId?: string | undefined;
  readonly failure?: {
    readonly status: number;
    /** The name of a documented number, in lower case. */
    readonly code: string;
    readonly message: string;
  };
}

/** The request for an operation. */
export interface OperationCall {
  readonly body: Readonly<Record<string, unknown>>;
  readonly context: CallContext;
  readonly server: RouteServer;
}

/** Returns the HTTP status that the origin sends: 200 for code 0, 400 for 4xxx, 500 for everything else. */
export function codedStatus(outcome: Outcome): number {
  if (outcome.status === 'error') return errorCodes[selectNumber(outcome.error)].number < 5000 ? 400 : 500;
  return outcome.status === 'partial' ? 500 : 200;
}

/** Runs an operation that is no tool call, and writes its end in the envelope. */
export async function answerOperation(
  { value: body = {} }: RouteRequest,
  server: RouteServer,
  tool: string,
  run: (call: OperationCall) => Promise<Ended | Outcome> | Ended,
): Promise<RouteAnswer> {
  const startedAt = performance.now();
  if (!isRecord(body)) return server.refuse('invalid_input', 'The body must be a JSON object.');
  const done = await server.work(async (context) => run({ body, context, server }), body);
  if (!('result' in done)) return done;
  const { result, traceId, echo } = done;
  if ('meta' in result) return server.answer(result, { echo, status: codedStatus(result) });
  return answerEnded(server, result, { tool, traceId, echo, startedAt, resourceType: 'session' });
}

/** Writes the end of an operation in the envelope. */
export function answerEnded(
  server: RouteServer,
  ended: Ended,
  {
    tool,
    traceId,
    echo,
    startedAt,
    resourceType,
  }: {
    readonly tool: string;
    readonly traceId: string;
    readonly echo: Readonly<Record<string, string>>;
    readonly startedAt: number;
    readonly resourceType?: string;
  },
): RouteAnswer {
  const meta: Meta = {
    tool,
    traceId,
    tookMs: elapsedMs(startedAt, performance.now()),
    attempts: 1,
    ...(resourceType !== undefined && { resourceType }),
    ...(ended.sessionId !== undefined && { sessionId: ended.sessionId }),
  };
  return server.answer(toOutcome(ended, meta), { echo, status: ended.failure?.status ?? 200 });
}

const kinds: Readonly<Record<string, FailureKind>> = {
  invalid_request_format: 'invalid_input',
  resource_not_initialized: 'not_ready',
  all_requests_failed: 'all_failed',
  partial_failure: 'upstream',
};

function toOutcome({ data, failure }: Ended, meta: Meta): Outcome {
  if (failure === undefined) return { status: 'ok', data, meta };
  const { code, message } = failure;
  return { status: 'error', error: makeFailure(kinds[code] ?? 'internal', { code, message, effect: 'none' }), data, meta };
}

/** Refuses a request that lacks a field, in the words of the origin. */
export function lacks(body: Readonly<Record<string, unknown>>, ...fields: readonly string[]): Ended | undefined {
  if (fields.every((field) => typeof body[field] === 'string' && body[field] !== '')) return undefined;
  const data = Object.fromEntries(fields.map((field) => [field, typeof body[field] === 'string' ? body[field] : null]));
  return { data, failure: { status: 400, code: 'invalid_request_format', message: `${fields.join(' and ')} required` } };
}
