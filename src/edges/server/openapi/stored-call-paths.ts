import type { JsonObject } from '../../../core/outcome/index.ts';
import type { ServedToolbox } from '../server-options.ts';
import { failureRefs, failureStatuses } from './failures.ts';
import { answer, body, formHeaders as headers, operation, type PathGroup, refused } from './operation.ts';
import { formParameters, pageParameters, pathParameter } from './parameters.ts';
import { schemaRef } from './schema.ts';
import { guardSchemas, object, outcomeArm } from './schemas.ts';
import { pendingResponse } from './tool.ts';

const text: JsonObject = { type: 'string' };
const handle = pathParameter('handle', 'The handle of the pending call.', 'call_0b1f5d0e-3c53-4a4e-9d8e-8e1f8c9f2a11');

/** Describes what can be asked about a call after it was made, as far as the guards of this toolbox remember it. */
export function laterGroups(toolbox: ServedToolbox): PathGroup[] {
  const { findCall, readResult, wait, settle, decide } = toolbox;
  const remembers = [findCall, readResult, wait, settle].some((method) => method !== undefined);
  return [...(remembers ? [laterGroup(toolbox)] : []), ...(decide === undefined ? [] : [approvalGroup()])];
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
            'The `resultRef` of an outcome names the result. It is for those who may call the tool that made it.',
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
        get: operation('listApprovals', 'List the calls that wait for a decision', 'Those of the own tenant, oldest first.', {
          parameters: [
            {
              name: 'after',
              in: 'query',
              required: false,
              description: 'Where to go on: the `next` of the page before.',
              schema: text,
              example: 'approval_0b1f5d0e-3c53-4a4e-9d8e-8e1f8c9f2a11',
            },
            ...pageParameters.slice(1),
          ],
          responses: {
            200: answer(
              'One page of approvals. `next` is there when more follow.',
              object({ approvals: { type: 'array', items: schemaRef('Approval') }, next: text }, ['approvals']),
            ),
            ...failureRefs([400, ...refused]),
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
