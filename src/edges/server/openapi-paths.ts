import type { JsonObject } from '../../core/outcome/index.ts';
import { failureRefs, failureStatuses } from './openapi-failures.ts';
import { answer, body, codedAnswer, formHeaders as headers, operation, type PathGroup, refused } from './openapi-operation.ts';
import { callParameters, formParameters, keyParameter, pageParameters, pathParameter } from './openapi-parameters.ts';
import { schemaRef } from './openapi-schema.ts';
import { guardSchemas, object, outcomeArm } from './openapi-schemas.ts';
import { sessionGroup } from './openapi-session-paths.ts';
import { pendingResponse } from './openapi-tool.ts';
import type { ServedToolbox } from './server-parts.ts';

const text: JsonObject = { type: 'string' };
const calling = [...callParameters, ...formParameters];
const seconds: JsonObject = { type: 'number', exclusiveMinimum: 0, description: 'Seconds for the call.' };
const handle = pathParameter('handle', 'The handle of the pending call.', 'call_0b1f5d0e-3c53-4a4e-9d8e-8e1f8c9f2a11');

const batchNote =
  'No call can harm another. Calls that were skipped are reported as such. With an `Idempotency-Key` every call has a key of its own, made of that and its `id` (its place where it has none): ' +
  'a batch that is sent again runs only what has not run, and `Idempotency-Replayed` is `true` when nothing has.';

const execution = object(
  { action: text, params: { type: 'object' }, timeout: seconds, message_id: text, worker_id: text, session_id: text, trace_id: text },
  ['action'],
);

/** Describes everything a server does besides calling one tool, as far as this toolbox can. */
export function describePaths(toolbox: ServedToolbox): PathGroup[] {
  const { findCall, readResult, wait, settle, decide, resources } = toolbox;
  return [
    catalogueGroup(),
    manyCallsGroup(),
    ...(findCall === undefined && readResult === undefined && wait === undefined && settle === undefined ? [] : [laterGroup(toolbox)]),
    ...(decide === undefined ? [] : [approvalGroup()]),
    ...(resources !== undefined && 'create' in resources ? [sessionGroup()] : []),
    serverGroup(),
  ];
}

function catalogueGroup(): PathGroup {
  const page = object(
    {
      tools: { type: 'array', items: schemaRef('ListedTool') },
      total: { type: 'integer' },
      offset: { type: 'integer' },
      next: { type: 'integer' },
    },
    ['tools', 'total', 'offset'],
  );
  return {
    tag: 'Catalogue',
    description: 'Which tools there are, with their schemas.',
    paths: {
      '/v1/tools': {
        get: operation('listTools', 'List the tools this caller may call', 'Tools come page by page, in the order of the toolbox.', {
          parameters: pageParameters,
          responses: { 200: answer('One page of tools.', page), ...failureRefs([400, ...refused]) },
        }),
      },
      '/v1/tools/{name}/schema': {
        get: operation('readTool', 'Read the schemas of one tool', 'The name may be spelled in any way that is clear.', {
          parameters: [pathParameter('name', 'The name of the tool.', 'add')],
          responses: { 200: answer('The tool.', schemaRef('ListedTool')), ...failureRefs([404, ...refused]) },
        }),
      },
    },
  };
}

function manyCallsGroup(): PathGroup {
  const key: JsonObject = { type: 'string', minLength: 1, maxLength: 512, description: 'The Idempotency-Key of this call alone.' };
  const call = object(
    { id: text, tool: text, args: { type: 'object' }, timeoutMs: { type: 'number', exclusiveMinimum: 0 }, idempotencyKey: key },
    ['tool'],
  );
  const batch = object(
    { calls: { type: 'array', minItems: 1, items: call }, concurrency: { type: 'integer', minimum: 1 }, stopOnError: { type: 'boolean' } },
    ['calls'],
  );
  const actions = object(
    { actions: { type: 'array', minItems: 1, items: execution }, parallel: { type: 'boolean' }, stop_on_error: { type: 'boolean' } },
    ['actions'],
  );
  return {
    tag: 'More ways to call',
    description: 'Many calls at once, and calls in the request form of older agents.',
    paths: {
      '/v1/batch': {
        post: operation('runBatch', 'Make many calls at once', batchNote, {
          parameters: [keyParameter, ...calling],
          requestBody: body(
            'The calls, in either form.',
            { oneOf: [batch, actions] },
            { calls: [{ id: 'a', tool: 'add', args: { a: 1, b: 2 } }] },
          ),
          responses: {
            200: answer('All calls succeeded; `data.results` holds their outcomes.', schemaRef('OkOutcome'), headers),
            207: answer('Some calls succeeded; `data.results` holds all outcomes.', schemaRef('PartialOutcome'), headers),
            ...failureRefs(failureStatuses),
          },
        }),
      },
      '/v1/execute': {
        post: operation(
          'execute',
          'Call a tool in the request form of older agents',
          'Answers in the `coded` envelope unless another dialect is selected.',
          {
            parameters: [keyParameter, ...calling],
            requestBody: body('The action and its parameters.', execution, { action: 'add', params: { a: 1, b: 2 } }),
            responses: codedAnswer('The call did what was asked; `code` is 0.'),
          },
        ),
      },
    },
  };
}

function laterGroup({ findCall, readResult, wait, settle }: ServedToolbox): PathGroup {
  const { CallRecord, ResultPage } = guardSchemas;
  const outcomes = {
    200: answer('The outcome of the call.', schemaRef('OkOutcome'), headers),
    202: pendingResponse(headers),
    207: answer('The outcome of the call, of which some items failed.', schemaRef('PartialOutcome'), headers),
    ...failureRefs(failureStatuses),
  };
  const error = object({ kind: schemaRef('Failure/properties/kind'), message: text, code: text }, ['kind', 'message']);
  const pending = {
    ...(wait !== undefined && {
      get: operation(
        'waitForCall',
        'Wait for the outcome of a pending call',
        'Answers as soon as there is one, and `pending` again when the time is over.',
        {
          parameters: [
            handle,
            {
              name: 'wait',
              in: 'query',
              required: false,
              description: 'For how many seconds to wait.',
              schema: { type: 'number', minimum: 0 },
              example: 20,
            },
            ...formParameters,
          ],
          responses: outcomes,
        },
      ),
    }),
    ...(settle !== undefined && {
      post: operation(
        'settleCall',
        'Give a pending call its outcome',
        'Only the first counts; every further one gets the first back. Needs the scope `pending:settle`.',
        {
          parameters: [handle, ...formParameters],
          requestBody: body('Data, or a failure.', { oneOf: [object({ data: {} }), object({ error })] }, { data: { done: true } }),
          responses: outcomes,
        },
      ),
    }),
  };
  return {
    tag: 'Later',
    description: 'What became of calls: by id, results by reference, and calls that are not over yet.',
    paths: {
      ...(findCall !== undefined && {
        '/v1/calls/{id}': {
          get: operation('findCall', 'Find out what became of a call', 'Finds calls of the own tenant by their invocation id.', {
            parameters: [pathParameter('id', 'The invocation id.', '01a1df05-a9a0-78b1-8ab6-000000000007'), ...formParameters],
            responses: { 200: answer('The call.', schemaRef('CallRecord')), ...failureRefs([400, 404, ...refused]) },
          }),
        },
      }),
      ...(readResult !== undefined && {
        '/v1/results/{ref}': {
          get: operation(
            'readResult',
            'Read on in a result that was too large to send',
            'The `resultRef` of an outcome names the result.',
            {
              parameters: [
                pathParameter('ref', 'The `resultRef` of the outcome.', 'result_0b1f5d0e-3c53-4a4e-9d8e-8e1f8c9f2a11'),
                {
                  name: 'path',
                  in: 'query',
                  required: false,
                  description: 'Keys and positions from the top, dotted.',
                  schema: text,
                  example: 'results.0.name',
                },
                ...pageParameters,
                ...formParameters,
              ],
              responses: {
                200: answer('A part of the result.', outcomeArm('A part of a result', 'ok', { data: schemaRef('ResultPage') }), headers),
                ...failureRefs([400, 404, ...refused]),
              },
            },
          ),
        },
      }),
      ...(Object.keys(pending).length > 0 && { '/v1/pending/{handle}': pending }),
    },
    schemas: { ...(findCall !== undefined && { CallRecord }), ...(readResult !== undefined && { ResultPage }) },
  };
}

function approvalGroup(): PathGroup {
  const { Approval } = guardSchemas;
  const decision = object({ decision: { enum: ['approve', 'deny'] }, reason: { type: 'string', maxLength: 2_000 } }, ['decision']);
  return {
    tag: 'Approvals',
    description: 'Calls that wait until somebody allows them. Needs the scope `approvals:decide`.',
    paths: {
      '/v1/approvals': {
        get: operation('listApprovals', 'List the calls that wait for a decision', 'Those of the own tenant.', {
          parameters: [],
          responses: {
            200: answer('The approvals.', object({ approvals: { type: 'array', items: schemaRef('Approval') } })),
            ...failureRefs(refused),
          },
        }),
      },
      '/v1/approvals/{handle}': {
        post: operation('decideApproval', 'Allow or deny a call that waits', 'Only the first decision counts.', {
          parameters: [handle],
          requestBody: body('The decision.', decision, { decision: 'approve' }),
          responses: {
            200: answer('The approval.', object({ approval: schemaRef('Approval') })),
            ...failureRefs([400, 404, 409, 413, 415, ...refused]),
          },
        }),
      },
    },
    schemas: { Approval },
  };
}

function serverGroup(): PathGroup {
  const state = (states: readonly string[]): JsonObject =>
    object({ status: { enum: states }, reasons: { type: 'array', items: text } }, ['status']);
  const probe = (operationId: string, summary: string, description: string, responses: JsonObject): JsonObject => ({
    get: {
      ...operation(operationId, summary, description, { parameters: [], responses: { ...responses, ...failureRefs([403]) } }),
      security: [],
    },
  });
  return {
    tag: 'Server',
    description: 'Whether the server lives and takes calls.',
    paths: {
      '/healthz': probe('health', 'Tell whether the process lives', 'Needs no credential.', { 200: answer('It lives.', state(['ok'])) }),
      '/readyz': probe('readiness', 'Tell whether the server takes calls', 'Needs no credential.', {
        200: answer('It takes calls.', state(['ready'])),
        503: answer('It does not take calls now.', state(['draining', 'not_ready'])),
      }),
    },
  };
}
