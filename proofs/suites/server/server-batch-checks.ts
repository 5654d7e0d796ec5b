import { type Check, defineCheck, type Problem } from '../../../packages/testing/src/define-check.ts';
import { gather, shown } from './server-call-checks.ts';
import { caseTools } from './server-cases.ts';
import type { ServerAnswer, ServerSubject } from './server-subject.ts';

/** How batches of cases end, and the HTTP status of the answer. */
const batches: readonly (readonly [cases: readonly string[], status: number])[] = [
  [['ok', 'ok'], 200],
  [['ok', 'timeout', 'ok'], 207],
  [['timeout', 'timeout'], 502],
];

/** The promises of a server about many calls. */
export const serverBatchChecks: readonly Check<ServerSubject>[] = [
  defineCheck({
    id: 'server/batch',
    requirement:
      'POST /v1/batch answers every call in order under its id: 200 when all succeeded, 207 when some did, 502 when none did; 400 for what is no batch.',
    level: 'must',
    run: (server) => gather(batchProblems(server)),
  }),
  defineCheck({
    id: 'server/concurrent',
    requirement: 'Calls that come at once each get their own answer.',
    level: 'must',
    async run(server) {
      if (!(await server.hasCases())) return [];
      const names = Array.from({ length: 32 }, (_, index) => `own-${index}`);
      const answers = await Promise.all(names.map((how) => server.call(caseTools.conclude, { how })));
      const strange = answers.filter(({ json }, index) => (json?.data as { how?: unknown } | undefined)?.how !== names[index]);
      return strange.length === 0
        ? []
        : [{ message: `${strange.length} of 32 calls got another answer`, evidence: strange.slice(0, 2).map(shown) }];
    },
  }),
];

async function* batchProblems(server: ServerSubject): AsyncGenerator<Problem> {
  for (const body of [{}, { calls: [] }, { calls: [{}] }, []]) {
    const answer = await server.send('POST', '/v1/batch', { body });
    if (answer.status !== 400) yield { message: `${JSON.stringify(body)} is not refused with 400`, evidence: shown(answer) };
  }
  if (!(await server.hasCases())) return;
  for (const [cases, status] of batches) {
    const calls = cases.map((how, index) => ({ id: `call-${index}`, tool: caseTools.conclude, args: { how } }));
    const answer = await server.send('POST', '/v1/batch', { body: { calls } });
    if (answer.status !== status)
      yield { message: `${cases.join(', ')}: the status is ${answer.status}, not ${status}`, evidence: shown(answer) };
    const statuses = resultsOf(answer).map(({ id, outcome }) => `${id} ${outcome?.status}`);
    const wanted = calls.map(({ id, args: { how } }) => `${id} ${how === 'ok' ? 'ok' : 'error'}`);
    if (statuses.join() !== wanted.join())
      yield { message: `${cases.join(', ')}: the answers are ${statuses.join(', ') || 'missing'}`, evidence: shown(answer) };
  }
}

function resultsOf({ json }: ServerAnswer): readonly { readonly id?: string; readonly outcome?: { readonly status?: string } }[] {
  const { results } = (json?.data ?? {}) as { readonly results?: unknown };
  return Array.isArray(results) ? results : [];
}
