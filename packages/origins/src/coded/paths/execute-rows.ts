import type { GivenRoute } from '@toolpact/server';
import type { JsonValue } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { coded } from '../coded.ts';
import { readActions, refuseActions } from './action-batch.ts';
import { answerEnded, codedStatus, type Ended } from './answer-operation.ts';
import { type Execution, readExecution, refuseExecution } from './execution.ts';
import { inOriginWords } from './origin-words.ts';

const executing = { method: 'POST', format: coded, selectsFormat: true, startsWork: true, read: 'json' } as const;

/** The rows that make calls. */
export const executeRows: readonly GivenRoute[] = [
  {
    ...executing,
    path: '/api/v1/execute',
    async run(request, server) {
      const refused = refuseExecution(request, server);
      if (refused !== undefined) return refused;
      const made = await server.call(readExecution(request.value as Execution, server.toolbox));
      if (!('outcome' in made)) return made;
      const outcome = inOriginWords(made.outcome, server);
      return server.answer(outcome, { echo: made.echo, status: codedStatus(outcome) });
    },
  },
  {
    ...executing,
    path: '/api/v1/execute/batch',
    async run(request, server) {
      const startedAt = performance.now();
      const { value } = request;
      if (isRecord(value) && value.actions === undefined) {
        const issues = [{ path: ['actions'], problem: 'missing', message: 'actions is missing' }] as const;
        return server.refuse('invalid_input', 'The batch is wrong: actions is missing.', { issues });
      }
      const refused = refuseActions(request, server);
      if (refused !== undefined) return refused;
      const made = await server.batch(readActions(value, server));
      if (!('answers' in made)) return made;
      const { answers, echo } = made;
      // The origin lists only what was executed.
      const executed = answers.filter(({ outcome }) => !(outcome.status === 'error' && outcome.error.code === 'skipped'));
      const success_count = executed.filter(({ outcome }) => outcome.status === 'ok' || outcome.status === 'pending').length;
      const results = executed.map(({ outcome }) => server.encode(inOriginWords(outcome, server))) as unknown as JsonValue;
      const data = { results, total: answers.length, executed: executed.length, success_count };
      const ended = { data, ...failureOf(success_count, executed.length) };
      return answerEnded(server, ended, { tool: 'batch:execute', traceId: made.outcome.meta.traceId ?? '', echo, startedAt });
    },
  },
];

function failureOf(succeeded: number, executed: number): Pick<Ended, 'failure'> {
  if (succeeded === executed) return {};
  if (succeeded === 0) return { failure: { status: 500, code: 'all_requests_failed', message: 'All items failed' } };
  const message = `${executed - succeeded} out of ${executed} items failed`;
  return { failure: { status: 207, code: 'partial_failure', message } };
}
