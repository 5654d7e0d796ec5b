import type { DocParts, RouteDocs } from '@toolpact/server';
import type { JsonObject, JsonValue } from 'toolpact';
import { executionSchema } from './execution.ts';

type Describe = (parts: DocParts) => RouteDocs;

const group = { name: 'Paths of the coded envelope', description: 'The paths of the system that the `coded` envelope comes from.' };
const text: JsonObject = { type: 'string', minLength: 1 };
const flag: JsonObject = { type: 'boolean' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const free: JsonObject = { type: 'object' };
const worker: JsonObject = { worker_id: text };
const resource: JsonObject = { ...worker, resource_type: text };
const own = { worker_id: 'worker-1' };
const vm = { ...own, resource_type: 'vm' };

/** Says what each path of that system does, by its path. */
export const codedDocs: Readonly<Record<string, Describe>> = {
  '/api/v1/execute': inEnvelope(
    'codedExecute',
    'Call a tool',
    'The call did what was asked; `code` is 0.',
    [executionSchema, { ...own, action: 'add', params: { a: 1, b: 2 } }],
    ({ callParameters, formParameters }) => [...callParameters, ...formParameters],
  ),
  '/api/v1/execute/batch': inEnvelope(
    'codedExecuteBatch',
    'Call several tools',
    'All calls succeeded; `data.results` holds their envelopes.',
    [
      object({ ...worker, actions: { type: 'array', minItems: 1, items: executionSchema }, parallel: flag, stop_on_error: flag }, [
        'actions',
      ]),
      { ...own, actions: [{ action: 'add', params: { a: 1, b: 2 } }], stop_on_error: false },
    ],
    ({ callParameters, formParameters }) => [...callParameters, ...formParameters],
  ),
  '/api/v1/session/create': inEnvelope(
    'codedCreateSession',
    'Open a session, or give the one that the worker has',
    'The session is in `data`.',
    [object({ ...resource, session_config: free, custom_name: text }, ['worker_id', 'resource_type']), vm],
  ),
  '/api/v1/session/destroy': inEnvelope('codedDestroySession', 'End a session', 'The session has ended.', [object(resource), vm]),
  '/api/v1/session/list': inEnvelope('codedListSessions', 'List the sessions of a worker', 'They are in `data.sessions`.', [
    object(worker),
    own,
  ]),
  '/api/v1/session/refresh': inEnvelope('codedRefreshSessions', 'Refresh sessions', 'Until when is in `data`.', [
    object(resource, ['worker_id']),
    vm,
  ]),
  '/api/v1/lifecycle/heartbeat': inEnvelope('codedHeartbeat', 'Keep the sessions of a worker alive', 'Their types are in `data`.', [
    object(worker),
    own,
  ]),
  '/api/v1/lifecycle/status': inEnvelope('codedStatus', 'Tell what a worker has open', 'It is in `data`.', [object(worker), own]),
  '/api/v1/worker/disconnect': inEnvelope('codedDisconnect', 'End all sessions of a worker', 'How many is in `data`.', [
    object(worker),
    own,
  ]),
  '/api/v1/init/resource': inEnvelope('codedInitResource', 'Open a session before its first call', 'The session is in `data`.', [
    object({ ...resource, init_config: free }, ['worker_id', 'resource_type']),
    vm,
  ]),
  '/api/v1/init/batch': inEnvelope('codedInitBatch', 'Open several sessions', 'Each is in `data.results`, by its type.', [
    object({ ...worker, resource_configs: { type: 'object', additionalProperties: free } }, ['worker_id']),
    { ...own, resource_configs: { vm: {} } },
  ]),
  '/api/v1/init/from-config': inEnvelope(
    'codedInitFromConfig',
    'Read a configuration that the operator has named',
    'It is in `data.config`.',
    [
      object({ ...worker, config_path: text, override_params: free }, ['worker_id', 'config_path']),
      { ...own, config_path: 'configs/vm.json' },
    ],
  ),
  '/api/v1/tools': plain(
    'codedTools',
    'List the tools',
    object({ tools: { type: 'array', items: free }, count }),
    ({ queryParameter }) => ({
      parameters: [
        queryParameter('include_hidden', 'Lists those too whose description begins with `[HIDDEN]`.', { type: 'string' }, 'true'),
      ],
    }),
  ),
  '/api/v1/tools/{name}/schema': plain('codedTool', 'Read one tool', free, ({ pathParameter }) => ({
    parameters: [pathParameter('name', 'The name of the tool.', 'add')],
  })),
  '/api/v1/warmup': plain(
    'codedWarmUp',
    'Prepare backends',
    object({ status: text, results: free, summary: free, errors: free }, ['status']),
    ({ body }) => ({
      requestBody: body('Which ones; all where none is named.', object({ backends: { type: 'array', items: text } }, []), {}),
    }),
  ),
  '/api/v1/warmup/status': plain('codedWarmUpStatus', 'Read the state of the backends', object({ backends: free, summary: free })),
  '/api/v1/server/shutdown': plain(
    'codedShutDown',
    'Let the server finish and end it',
    object({ status: text, message: text, sessions_cleaned: count }),
    ({ body }) => ({ requestBody: body('How.', object({ force: flag, cleanup_sessions: flag }, []), {}) }),
  ),
  '/health': plain('codedHealth', 'Tell that the server lives', object({ status: { const: 'healthy' }, timestamp: text }), () => ({
    security: [],
  })),
};

function inEnvelope(
  operationId: string,
  summary: string,
  done: string,
  [schema, example]: readonly [schema: JsonObject, example: JsonValue],
  parametersOf: (parts: DocParts) => readonly JsonObject[] = () => [],
): Describe {
  return (parts) => ({
    group,
    operation: parts.operation(operationId, summary, 'Answers in the `coded` envelope.', {
      parameters: parametersOf(parts),
      requestBody: parts.body('What is asked for.', schema, example),
      responses: parts.usualAnswers(done),
    }),
  });
}

function plain(
  operationId: string,
  summary: string,
  schema: JsonObject,
  restOf: (parts: DocParts) => Readonly<Record<string, unknown>> = () => ({}),
): Describe {
  return (parts) => ({
    group,
    operation: parts.operation(operationId, summary, 'Answers with plain JSON.', {
      ...restOf(parts),
      responses: { 200: parts.answer('The answer.', schema), ...parts.refusals },
    }),
  });
}

function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
