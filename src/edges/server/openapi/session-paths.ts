import type { JsonObject } from '../../../core/outcome/index.ts';
import { failureRefs } from './failures.ts';
import { answer, body, codedAnswer, operation, type PathGroup, refused } from './operation.ts';
import { formParameters, pathParameter } from './parameters.ts';
import { object } from './schemas.ts';

const text: JsonObject = { type: 'string', minLength: 1, maxLength: 256 };
const type: JsonObject = { type: 'string', minLength: 1, maxLength: 64 };
const id = pathParameter('id', 'The id of the session.', 'ses_dfa6435294cba8cadb257bb2fae8d823');
const listed = 'The sessions are in `data.sessions`.';

const filters: readonly JsonObject[] = [
  query('worker_id', 'Only those of this worker.', text, 'worker-1'),
  query('resource_type', 'Only those of this type.', type, 'browser'),
];
const selection = object({ worker_id: text, session_id: text, resource_type: type }, []);
const request = object(
  {
    worker_id: { ...text, description: 'Whose sessions they are; a new worker unless told.' },
    resource_type: { ...type, description: 'The type of one session.' },
    resource_types: { type: 'array', items: type, maxItems: 100, description: 'The types of several sessions.' },
    config: { type: 'object', description: 'For one type its config, for several the config of each, by type.' },
    name: { ...text, description: 'Becomes a part of the name.' },
  },
  [],
);
const warmUps = object({
  status: { enum: ['ready', 'not_ready'] },
  resources: { type: 'object', additionalProperties: { type: 'string' } },
});

/** Describes what callers do with the sessions of resources. */
export function sessionGroup(): PathGroup {
  return {
    tag: 'Sessions',
    description:
      'What tools keep open between calls, per tenant and worker. Answers come in the `coded` envelope unless another dialect is selected.',
    paths: {
      '/v1/sessions': {
        get: operation('listSessions', 'List sessions', 'Those of the own tenant.', {
          parameters: [...filters, ...formParameters],
          responses: codedAnswer(listed),
        }),
        post: operation('createSession', 'Open a session that lasts', 'Gives the one its worker has already, if there is one.', {
          parameters: formParameters,
          requestBody: body('What to open.', request, { worker_id: 'worker-1', resource_type: 'browser' }),
          responses: codedAnswer('The session is in `data`.'),
        }),
        delete: operation('endSessions', 'End the sessions of a worker', 'One that is in use is closed when its last call has ended.', {
          parameters: [...filters, ...formParameters],
          responses: codedAnswer(listed),
        }),
      },
      '/v1/sessions/{id}': {
        get: operation('readSession', 'Read one session', 'Answers with an empty list when there is none.', {
          parameters: [id, ...formParameters],
          responses: codedAnswer(listed),
        }),
        delete: operation('endSession', 'End one session', 'One that is in use is closed when its last call has ended.', {
          parameters: [id, ...formParameters],
          responses: codedAnswer(listed),
        }),
      },
      '/v1/sessions/refresh': {
        post: operation(
          'refreshSessions',
          'Let sessions live for their whole time again',
          'One, those of a worker, or all of the own tenant.',
          {
            parameters: formParameters,
            requestBody: body('Which ones.', selection, { worker_id: 'worker-1' }),
            responses: codedAnswer(listed),
          },
        ),
      },
      '/v1/sessions/{id}/refresh': {
        post: operation('refreshSession', 'Let one session live for its whole time again', 'Every use of a session does the same.', {
          parameters: [id, ...formParameters],
          responses: codedAnswer(listed),
        }),
      },
      '/v1/warmup': {
        get: operation('readWarmUp', 'Tell how far the backends are', 'By the type of their resource.', {
          parameters: [],
          responses: { 200: answer('How far each is.', warmUps), ...failureRefs(refused) },
        }),
        post: operation('warmUp', 'Prepare all backends', 'Needs the scope `sessions:admin` where callers have scopes.', {
          parameters: [],
          responses: { 200: answer('How far each is.', warmUps), ...failureRefs(refused) },
        }),
      },
    },
  };
}

function query(name: string, description: string, schema: JsonObject, example: string): JsonObject {
  return { name, in: 'query', required: false, description, schema, example };
}
