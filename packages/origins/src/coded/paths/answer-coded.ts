import type { CallContext, FailureKind, JsonObject, Meta, Outcome } from 'toolpact';
import { elapsedMs, isRecord, makeFailure } from 'toolpact/internal';
import { encodeOutcome } from '../../../../server/src/request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../../../../server/src/request/http-answer.ts';
import { callerContext } from '../../../../server/src/request/read-context.ts';
import { traceOf } from '../../../../server/src/request/refusal.ts';
import type { RouteRequest } from '../../../../server/src/request/route.ts';
import type { ServerState } from '../../../../server/src/request/server-state.ts';
import { errorCodes } from '../error-codes.ts';
import { selectNumber } from '../select-number.ts';

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
  readonly server: ServerState;
}

/** Gives the HTTP status that the origin sends: 200 for code 0, 400 for 4xxx, 500 for everything else. */
export function codedStatus(outcome: Outcome): number {
  if (outcome.status === 'error') return errorCodes[selectNumber(outcome.error)].number < 5000 ? 400 : 500;
  return outcome.status === 'partial' ? 500 : 200;
}

/** Runs an operation that is no tool call, and writes its end in the envelope. */
export async function answerOperation(
  request: RouteRequest,
  server: ServerState,
  tool: string,
  run: (call: OperationCall) => Promise<Ended | Outcome> | Ended,
): Promise<HttpAnswer> {
  const startedAt = performance.now();
  const { head, identity, format, value: body = {} } = request;
  if (!isRecord(body)) return server.refuse(request, 'invalid_input', 'The body must be a JSON object.');
  const read = server.contextOf(request, body);
  if (isAnswer(read)) return read;
  const context = { ...read.context, ...callerContext(identity) };
  const ended = await server.inFlight.run(head.client(), async () => run({ body, context, server }));
  if ('meta' in ended) return encodeOutcome(ended, format, read.echo, codedStatus(ended));
  const meta: Meta = {
    tool,
    traceId: context.traceId ?? traceOf(head),
    tookMs: elapsedMs(startedAt, performance.now()),
    attempts: 1,
    ...(tool.startsWith('batch:') ? {} : { resourceType: 'session' }),
    ...(ended.sessionId !== undefined && { sessionId: ended.sessionId }),
  };
  return encodeOutcome(toOutcome(ended, meta), format, read.echo, ended.failure?.status ?? 200);
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
