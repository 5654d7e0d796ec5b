import type { GivenRoute } from '@toolpact/server';
import type { JsonObject, JsonValue } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { coded } from '../coded.ts';
import { actionsSchema, readActions, refuseActions } from './action-batch.ts';
import { type Execution, executionSchema, readExecution, refuseExecution } from './execution.ts';

const moreWays = { name: 'More ways to call', description: 'Many calls at once, and calls in the request form of older agents.' };
const sessions = {
  name: 'Sessions',
  description:
    'Resources that tools keep open between calls, per tenant and worker. Answers come in the `coded` envelope unless another dialect is selected.',
};

/**
 * Routes that take requests of the origin's clients on the paths of the server: actions on `/v1/execute` and in `/v1/batch`. With them sessions
 * and actions are answered in the coded envelope unless a request selects another dialect.
 */
export const codedRequests: readonly GivenRoute[] = [
  {
    method: 'POST',
    path: '/v1/batch',
    async run(request, server, own) {
      if (!isRecord(request.value) || request.value.actions === undefined) return own();
      const refused = refuseActions(request, server);
      if (refused !== undefined) return refused;
      const format = server.formatOr(coded);
      const made = await server.batch(readActions(request.value, server), format);
      if (!('answers' in made)) return made;
      const { answers, outcome, echo } = made;
      const results = answers.map((one) => server.encode(one.outcome, format)) as unknown as JsonValue;
      const data = 'data' in outcome && isRecord(outcome.data) ? outcome.data : {};
      return server.answer({ ...outcome, data: { ...data, results } } as typeof outcome, { format, echo });
    },
    docs: (_, own) => own && { ...own, group: moreWays, operation: withActions(own.operation) },
  },
  {
    method: 'POST',
    path: '/v1/execute',
    format: coded,
    selectsFormat: true,
    startsWork: true,
    read: 'json',
    run: (request, server) =>
      refuseExecution(request, server) ?? server.answerCall(readExecution(request.value as Execution, server.toolbox)),
    docs: ({ operation, keyParameter, callParameters, formParameters, body, usualAnswers }) => ({
      group: moreWays,
      operation: operation(
        'execute',
        'Call a tool in the request form of older agents',
        'Answers in the `coded` envelope unless another dialect is selected.',
        {
          parameters: [keyParameter, ...callParameters, ...formParameters],
          requestBody: body('The action and its parameters.', executionSchema, { action: 'add', params: { a: 1, b: 2 } }),
          responses: usualAnswers('The call did what was asked; `code` is 0.'),
        },
      ),
    }),
  },
  ...(
    [
      ['GET', '/v1/sessions'],
      ['POST', '/v1/sessions'],
      ['DELETE', '/v1/sessions'],
      ['POST', '/v1/sessions/refresh'],
      ['GET', '/v1/sessions/{id}'],
      ['DELETE', '/v1/sessions/{id}'],
      ['POST', '/v1/sessions/{id}/refresh'],
      ['GET', '/v1/warmup'],
      ['POST', '/v1/warmup'],
    ] as const
  ).map(
    ([method, path]): GivenRoute => ({
      method,
      path,
      format: coded,
      docs: (_, own) => own && { ...own, group: sessions },
    }),
  ),
];

/** Describes that the body of a batch may also list actions. */
function withActions(operation: JsonObject): JsonObject {
  const { content } = operation.requestBody as { readonly content: { readonly 'application/json': JsonObject } };
  const json = content['application/json'];
  return {
    ...operation,
    requestBody: {
      ...(operation.requestBody as JsonObject),
      description: 'The calls, in either form.',
      content: { 'application/json': { ...json, schema: { oneOf: [json.schema as JsonObject, actionsSchema] } } },
    },
  };
}
