import type { JsonObject } from 'toolpact';
import { failureStatuses } from '../openapi/failures.ts';
import { answer, describe, formHeaders } from '../openapi/operation.ts';
import { callParameters, formParameters, keyParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeOutcome } from '../request/encode-outcome.ts';
import { isAnswer } from '../request/http-answer.ts';
import type { Route } from '../request/route.ts';
import { checkBatch, readBatch } from './batch-request.ts';
import { makeBatch } from './make-batch.ts';

const batchNote =
  'No call can harm another. Calls that were skipped are reported as such. With an `Idempotency-Key` every call has a key of its own, made of that and its `id` (its place where it has none): ' +
  'a batch that is sent again runs only what has not run, and `Idempotency-Replayed` is `true` when nothing has.';

/** The route that makes many calls at once. Its status says whether all succeeded, some (207), or none. */
export const batchRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/batch',
    format: 'outcome',
    selectsFormat: true,
    startsWork: true,
    read: 'json',
    async run(request, server) {
      const { value, format } = request;
      const issues = checkBatch(value, server.settings.maxBatch);
      if (issues.length > 0) {
        const message = `The batch is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
        const malformed = issues.some(({ path }) => path.length === 0);
        return server.refuse(request, 'invalid_input', message, { issues, malformed });
      }
      const made = await makeBatch(server, request, readBatch(value), format);
      return isAnswer(made) ? made : encodeOutcome(made.outcome, format, made.echo);
    },
    docs: describe('More ways to call', 'runBatch', 'Make many calls at once', batchNote, {
      parameters: [keyParameter, ...callParameters, ...formParameters],
      body: ['The calls.', callsSchema(), { calls: [{ id: 'a', tool: 'add', args: { a: 1, b: 2 } }] }],
      gives: {
        200: answer('All calls succeeded; `data.results` holds their outcomes.', schemaRef('OkOutcome'), formHeaders),
        207: answer('Some calls succeeded; `data.results` holds all outcomes.', schemaRef('PartialOutcome'), formHeaders),
      },
      fails: failureStatuses,
    }),
  },
];

function callsSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const key: JsonObject = { type: 'string', minLength: 1, maxLength: 512, description: 'The Idempotency-Key of this call alone.' };
  const timeoutMs: JsonObject = {
    type: 'number',
    exclusiveMinimum: 0,
    description: 'Milliseconds for the call, at most what the server allows.',
  };
  const call = {
    ...object({ id: text, tool: text, args: { type: 'object' }, timeoutMs, idempotencyKey: key }, ['tool']),
    additionalProperties: false,
  };
  return object(
    { calls: { type: 'array', minItems: 1, items: call }, concurrency: { type: 'integer', minimum: 1 }, stopOnError: { type: 'boolean' } },
    ['calls'],
  );
}
