import { fail, type JsonObject, type Outcome } from 'toolpact';
import { isFailureKind, isObject } from 'toolpact/internal';
import { mayCall, namedBy } from '../auth/identity.ts';
import { answer, describe, formHeaders, outcomeAnswers, queryParameter } from '../openapi/operation.ts';
import { formParameters, pageParameters, pathParameter } from '../openapi/parameters.ts';
import { guardSchemas, object, outcomeArm } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { checkResultRef } from '../request/authorize-result-read.ts';
import { encodeOutcome } from '../request/encode-outcome.ts';
import type { HttpAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { refuseWithoutStore } from './ask-store.ts';
import { readCount, readQuery } from './read-query.ts';
import { exampleId } from './visible-calls.ts';

const text: JsonObject = { type: 'string' };
const handleParameter = pathParameter('handle', 'The handle of the pending call: its id, or that of one of its questions.', exampleId);
const outcomes = outcomeAnswers('The outcome of the call');
const settlementError = object({ kind: schemaRef('Failure/properties/kind'), message: text, code: text }, ['kind', 'message']);
const maxResultPage = 100_000;
/** The longest time that a request waits for a pending call. */
const maxWaitMs = 30_000;

/** The routes of results that are kept by reference, and of calls that have not ended. All are those of the caller's tenant. */
export const storedCallRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/results/{ref}',
    outcomes: 'outcome',
    selectsFormat: true,
    needs: 'results',
    async run(request, server) {
      const { head, identity, param: ref } = request;
      const offset = readCount(head, 'offset', 0, 0);
      const limit = readCount(head, 'limit', 0, 1);
      if (offset === undefined || limit === undefined) {
        return server.refuse(request, 'invalid_input', 'offset must be a whole number from 0, limit one from 1.');
      }
      const unread = await checkResultRef(server.toolbox, identity, ref);
      if (unread !== undefined) {
        const { kind, message, maker } = unread;
        return server.refuse(request, kind, message, maker === undefined ? {} : { denied: 'forbidden', identity, meant: maker });
      }
      const path = readQuery(head, 'path');
      const page = { offset, ...(limit > 0 && { limit: Math.min(limit, maxResultPage) }), ...(path !== undefined && { path }) };
      const outcome = await server.toolboxOf(identity).readResult?.(ref, page);
      return respond(server, request, outcome && withTrace(outcome, traceOf(head)));
    },
    docs: describe(
      'Stored calls',
      'readResult',
      'Read more of a large result',
      'The `resultRef` of an outcome names the result. It is for those who may call the tool that made it.',
      {
        parameters: [
          pathParameter('ref', 'The `resultRef` of the outcome.', 'result_0b1f5d0e-3c53-4a4e-9d8e-8e1f8c9f2a11'),
          queryParameter('path', 'Keys and positions from the top, dotted.', text, 'results.0.name'),
          ...pageParameters,
          ...formParameters,
        ],
        gives: {
          200: answer('A part of the result.', outcomeArm('A part of a result', 'ok', { data: schemaRef('ResultPage') }), formHeaders),
        },
        fails: [400, 404],
        schemas: { ResultPage: guardSchemas.ResultPage },
      },
    ),
  },
  {
    method: 'GET',
    path: '/v1/pending/{handle}',
    outcomes: 'outcome',
    selectsFormat: true,
    needs: 'store',
    async run(request, server) {
      const { head, identity, param: handle } = request;
      const seconds = Number(readQuery(head, 'wait') ?? 0);
      if (!(Number.isFinite(seconds) && seconds >= 0)) return server.refuse(request, 'invalid_input', 'wait must be seconds from 0.');
      const timeoutMs = Math.min(seconds * 1000, maxWaitMs);
      const outcome = await server.inFlight.wait(head.client(), async (signal) =>
        server.toolboxOf(identity).calls?.wait(handle, { timeoutMs, signal }),
      );
      const tool = outcome?.meta.tool;
      if (tool !== undefined && !mayCall(identity, tool)) return server.refuse(request, 'not_found', 'There is no such pending call.');
      return respond(server, request, outcome);
    },
    docs: describe(
      'Stored calls',
      'waitForCall',
      'Wait for the outcome of a pending call',
      'Answers as soon as there is one, or `pending` again when the time is over.',
      {
        parameters: [
          handleParameter,
          queryParameter('wait', 'How many seconds to wait.', { type: 'number', minimum: 0 }, 20),
          ...formParameters,
        ],
        gives: outcomes,
      },
    ),
  },
  {
    method: 'POST',
    path: '/v1/pending/{handle}',
    scope: 'pending:settle',
    outcomes: 'outcome',
    selectsFormat: true,
    needs: 'store',
    read: 'json',
    async run(request, server) {
      const settlement = readSettlement(request.value);
      if (settlement === undefined) {
        return server.refuse(request, 'invalid_input', 'The body must be { "data": … } or { "error": { "kind", "message" } }.');
      }
      const { identity, param: handle } = request;
      return respond(server, request, await server.toolboxOf(identity).calls?.settle(handle, settlement.given, namedBy(identity)));
    },
    docs: describe(
      'Stored calls',
      'settleCall',
      'Give a pending call its outcome',
      'Only the first one counts; later ones get the first one back. Needs the scope `pending:settle`. Decide a call that waits for approval with `/v1/approvals`.',
      {
        parameters: [handleParameter, ...formParameters],
        body: ['Data, or a failure.', { oneOf: [object({ data: {} }), object({ error: settlementError })] }, { data: { done: true } }],
        gives: outcomes,
      },
    ),
  },
];

/** Reads how a pending call ends. A whole outcome is not taken: what is in it is for the runtime to say. */
function readSettlement(value: unknown): { readonly given: unknown } | undefined {
  if (!isObject(value)) return undefined;
  const { data, error } = value as {
    readonly data?: unknown;
    readonly error?: { readonly kind?: unknown; readonly message?: unknown; readonly code?: unknown };
  };
  if (error === undefined) return data === undefined ? undefined : { given: data };
  const { kind, message, code } = error ?? {};
  if (data !== undefined || !isFailureKind(kind) || typeof message !== 'string') return undefined;
  return { given: fail(kind, message, typeof code === 'string' ? { code } : {}) };
}

/** An outcome without the trace of a call gets that of its request. */
function respond(server: ServerState, request: RouteRequest, outcome: Outcome | undefined): HttpAnswer {
  if (outcome === undefined) return refuseWithoutStore(server, request);
  return encodeOutcome(withTrace(outcome, outcome.meta.traceId ?? traceOf(request.head)), request.format);
}

function withTrace(outcome: Outcome, traceId: string): Outcome {
  return outcome.meta.traceId === traceId ? outcome : { ...outcome, meta: { ...outcome.meta, traceId } };
}
