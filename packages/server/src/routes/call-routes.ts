import type { JsonObject } from 'toolpact';
import { isRecord, peek } from 'toolpact/internal';
import { body, codedAnswer, operation } from '../openapi/operation.ts';
import { callParameters, formParameters, keyParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { encodeOutcome } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { type CallFacts, makeCall, prepareCall } from '../request/make-call.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { streamCall } from '../request/stream-call.ts';
import { checkExecution, type Execution, readExecution } from './execution.ts';

const calling = { method: 'POST', selectsFormat: true, startsWork: true, read: 'json' } as const;
const text: JsonObject = { type: 'string' };

/** The JSON Schema of one action in the request form of older agents. */
export const executionSchema = object(
  {
    action: text,
    params: { type: 'object' },
    timeout: { type: 'number', exclusiveMinimum: 0, description: 'Seconds for the call, at most what the server allows.' },
    message_id: text,
    worker_id: text,
    session_id: text,
    trace_id: text,
  },
  ['action'],
);

/** The routes that make one call. The document describes the first once per tool. */
export const callRoutes: readonly Route[] = [
  {
    ...calling,
    path: '/v1/tools/{name}',
    format: 'outcome',
    run(request, server) {
      const { value: args = {}, param: name } = request;
      if (isRecord(args)) return answerCall(request, server, { name, args });
      return server.refuse(request, 'invalid_input', 'The body must be a JSON object with the arguments of the tool.');
    },
  },
  {
    ...calling,
    path: '/v1/execute',
    format: 'coded',
    run(request, server) {
      return refuseExecution(request, server) ?? answerCall(request, server, readExecution(request.value as Execution, server.toolbox));
    },
    docs: {
      group: 'More ways to call',
      operation: operation(
        'execute',
        'Call a tool in the request form of older agents',
        'Answers in the `coded` envelope unless another dialect is selected.',
        {
          parameters: [keyParameter, ...callParameters, ...formParameters],
          requestBody: body('The action and its parameters.', executionSchema, { action: 'add', params: { a: 1, b: 2 } }),
          responses: codedAnswer('The call did what was asked; `code` is 0.'),
        },
      ),
    },
  },
];

/** Refuses a request that is no action. */
export function refuseExecution(request: RouteRequest, server: ServerState): HttpAnswer | undefined {
  const issues = checkExecution(request.value);
  if (issues.length === 0) return undefined;
  const message = `The request is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
  const malformed = issues.some(({ path: [field], problem }) => field === undefined || (field === 'action' && problem !== 'missing'));
  return server.refuse(request, 'invalid_input', message, { issues, malformed, ...factsOf(request.value) });
}

/** Reads the tool and the trace id of a request that is refused. */
function factsOf(value: unknown): { readonly tool?: string; readonly traceId?: string } {
  if (!isRecord(value)) return {};
  const { action, trace_id = peek(value.params, 'trace_id') } = value;
  return {
    ...(typeof action === 'string' && { tool: action.slice(0, 64) }),
    ...(typeof trace_id === 'string' && trace_id !== '' && { traceId: trace_id.slice(0, 512) }),
  };
}

async function answerCall(request: RouteRequest, server: ServerState, facts: CallFacts): Promise<HttpAnswer> {
  const { format } = request;
  const call = prepareCall(server, request, facts);
  if (isAnswer(call)) return call;
  if (wantsStream(request.head)) return streamCall(server, call, format);
  return encodeOutcome(await makeCall(server, call), format, call.echo);
}

/** Finds a stream that a client says it does not take. */
const noStream = /text\/event-stream\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

function wantsStream({ header }: RequestHead): boolean {
  const accept = header('accept');
  return accept?.includes('text/event-stream') === true && !noStream.test(accept);
}
