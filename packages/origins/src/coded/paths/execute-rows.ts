import type { JsonValue } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { encodeOutcome } from '../../../../server/src/request/encode-outcome.ts';
import { isAnswer } from '../../../../server/src/request/http-answer.ts';
import { makeCall, prepareCall } from '../../../../server/src/request/make-call.ts';
import { encodeFormat } from '../../../../server/src/request/response-format.ts';
import type { Route } from '../../../../server/src/request/route.ts';
import { isSkipped, prepareBatch, runBatch } from '../../../../server/src/routes/batch-routes.ts';
import { refuseExecution } from '../../../../server/src/routes/call-routes.ts';
import { type Execution, readExecution } from '../../../../server/src/routes/execution.ts';
import { answerOperation, codedStatus, type Ended } from './answer-coded.ts';
import { inOriginWords } from './origin-words.ts';

const executing = { method: 'POST', origin: 'coded', selectsFormat: true, startsWork: true, read: 'json' } as const;

/** The rows that make calls. */
export const executeRows: readonly Route[] = [
  {
    ...executing,
    path: '/api/v1/execute',
    async run(request, server) {
      const refused = refuseExecution(request, server);
      if (refused !== undefined) return refused;
      const call = prepareCall(server, request, readExecution(request.value as Execution, server.toolbox));
      if (isAnswer(call)) return call;
      const outcome = inOriginWords(await makeCall(server, call), server.toolbox, request.identity);
      return encodeOutcome(outcome, request.format, call.echo, codedStatus(outcome));
    },
  },
  {
    ...executing,
    path: '/api/v1/execute/batch',
    async run(request, server) {
      const { value, format } = request;
      if (isRecord(value) && value.actions === undefined) {
        const issues = [{ path: ['actions'], problem: 'missing', message: 'actions is missing' }] as const;
        return server.refuse(request, 'invalid_input', 'The batch is wrong: actions is missing.', { issues });
      }
      const batch = await prepareBatch(server, request);
      if (isAnswer(batch)) return batch;
      return answerOperation(request, server, 'batch:execute', async () => {
        const answers = await runBatch(server, batch);
        // The origin lists only what was executed.
        const executed = answers.filter((one) => !isSkipped(one));
        const success_count = executed.filter(({ outcome }) => outcome.status === 'ok' || outcome.status === 'pending').length;
        const results = executed.map(({ outcome }) =>
          encodeFormat(inOriginWords(outcome, server.toolbox, request.identity), format),
        ) as unknown as JsonValue;
        const data = { results, total: answers.length, executed: executed.length, success_count };
        return { data, ...failureOf(success_count, executed.length) };
      });
    },
  },
];

function failureOf(succeeded: number, executed: number): Pick<Ended, 'failure'> {
  if (succeeded === executed) return {};
  if (succeeded === 0) return { failure: { status: 500, code: 'all_requests_failed', message: 'All items failed' } };
  const message = `${executed - succeeded} out of ${executed} items failed`;
  return { failure: { status: 207, code: 'partial_failure', message } };
}
