import type { JsonObject } from '../../../core/outcome/index.ts';
import type { ServedToolbox } from '../server-options.ts';
import { failureRefs, failureStatuses } from './failures.ts';
import { answer, body, codedAnswer, formHeaders as headers, operation, type PathGroup, refused } from './operation.ts';
import { callParameters, formParameters, keyParameter, pageParameters, pathParameter } from './parameters.ts';
import { schemaRef } from './schema.ts';
import { object } from './schemas.ts';
import { sessionGroup } from './session-paths.ts';
import { laterGroups } from './stored-call-paths.ts';

const text: JsonObject = { type: 'string' };
const calling = [...callParameters, ...formParameters];
const seconds: JsonObject = { type: 'number', exclusiveMinimum: 0, description: 'Seconds for the call.' };

const batchNote =
  'No call can harm another. Calls that were skipped are reported as such. With an `Idempotency-Key` every call has a key of its own, made of that and its `id` (its place where it has none): ' +
  'a batch that is sent again runs only what has not run, and `Idempotency-Replayed` is `true` when nothing has.';

const execution = object(
  { action: text, params: { type: 'object' }, timeout: seconds, message_id: text, worker_id: text, session_id: text, trace_id: text },
  ['action'],
);

/** Describes everything a server does besides calling one tool, as far as this toolbox can. */
export function describePaths(toolbox: ServedToolbox): PathGroup[] {
  const { resources } = toolbox;
  return [
    catalogueGroup(),
    manyCallsGroup(),
    ...laterGroups(toolbox),
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
  const call = {
    ...object({ id: text, tool: text, args: { type: 'object' }, timeoutMs: { type: 'number', exclusiveMinimum: 0 }, idempotencyKey: key }, [
      'tool',
    ]),
    additionalProperties: false,
  };
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
