import { coded } from '../../../packages/origins/src/coded/index.ts';
import { flat } from '../../../packages/origins/src/flat/index.ts';
import { status } from '../../../packages/origins/src/status/index.ts';
import { value } from '../../../packages/origins/src/value/index.ts';
import { type Check, defineCheck, type Problem } from '../../../packages/testing/src/define-check.ts';
import { type Dialect, problem } from '../../../packages/toolpact/src/dialects/index.ts';
import type { Outcome } from '../../../packages/toolpact/src/outcome/index.ts';
import { caseTools, type ServerCase, serverCases } from './server-cases.ts';
import type { ServerAnswer, ServerSubject } from './server-subject.ts';

/** The dialects that travel over HTTP. */
const spoken: readonly Dialect[] = [flat, coded, value, status, problem];

/** Calls every case and lets each answer be judged; nothing without the tools that make the cases. */
async function* eachCase(
  server: ServerSubject,
  judge: (answer: ServerAnswer, what: ServerCase) => string | undefined,
  query = '',
): AsyncGenerator<Problem> {
  if (!(await server.hasCases())) return;
  for (const what of serverCases) {
    const answer = await server.call(caseTools.conclude, { how: what.title }, {}, query);
    const message = judge(answer, what);
    if (message !== undefined) yield { message: `${what.title}: ${message}`, evidence: shown(answer) };
  }
}

/** Gathers what a generator finds, for `run` of a check. */
export async function gather(problems: AsyncIterable<Problem>): Promise<Problem[]> {
  const found: Problem[] = [];
  for await (const problem of problems) found.push(problem);
  return found;
}

/** Returns the part of an answer that a finding shows. */
export function shown({ status, headers, text }: ServerAnswer): object {
  return { status, headers, text: text.slice(0, 500) };
}

/** The promises of a server about one call. */
export const serverCallChecks: readonly Check<ServerSubject>[] = [
  defineCheck({
    id: 'server/cases',
    requirement: 'The tools of `serverCaseTools` are served, so that outcomes can be judged.',
    level: 'should',
    run: async (server) =>
      (await server.hasCases())
        ? []
        : [
            {
              message: `outcomes were not judged: it does not serve ${Object.values(caseTools).join(', ')}`,
              fix: 'Serve serverCaseTools() in the test.',
            },
          ],
  }),
  defineCheck({
    id: 'server/lists-tools',
    requirement: 'GET /v1/tools lists names, descriptions and JSON Schemas; /v1/tools/{name}/schema gives one of them.',
    level: 'must',
    async run(server) {
      const listed = await server.send('GET', '/v1/tools');
      const tools = listed.json?.tools as readonly Readonly<Record<string, unknown>>[] | undefined;
      if (listed.status !== 200 || !Array.isArray(tools)) return [{ message: 'it lists no tools', evidence: shown(listed) }];
      const [first] = tools;
      const unsound = tools.find(({ name, inputSchema }) => typeof name !== 'string' || typeof inputSchema !== 'object');
      if (unsound !== undefined) return [{ message: 'a tool has no name or no inputSchema', evidence: unsound }];
      if (first === undefined) return [];
      const one = await server.send('GET', `/v1/tools/${encodeURIComponent(String(first.name))}/schema`);
      const isSame = one.status === 200 && one.json?.name === first.name;
      return isSame ? [] : [{ message: `it lists ${String(first.name)} and does not give its schema`, evidence: shown(one) }];
    },
  }),
  defineCheck({
    id: 'server/statuses',
    requirement: 'The HTTP status of an answer is that of its kind in the catalogue; 200 for ok, 207 for partial, 202 for pending.',
    level: 'must',
    run: (server) =>
      gather(eachCase(server, ({ status }, { http }) => (status === http ? undefined : `the status is ${status}, not ${http}`))),
  }),
  defineCheck({
    id: 'server/outcomes',
    requirement: 'A call is answered with its outcome as JSON: status, kind, and a meta block with tool, ids and time.',
    level: 'must',
    run: (server) =>
      gather(
        eachCase(server, ({ json, headers }, { outcome: wanted, kind }) => {
          const { status, meta, error } = (json ?? {}) as unknown as Extract<Outcome, { status: 'error' }> & { status: string };
          if (status !== wanted) return `the outcome is ${String(status)}, not ${wanted}`;
          if (kind !== undefined && error?.kind !== kind) return `the kind is ${String(error?.kind)}`;
          if (typeof meta?.tookMs !== 'number' || meta.tool !== caseTools.conclude) return 'its meta block lacks the tool or the time';
          if (headers['x-invocation-id'] !== meta.invocationId) return 'X-Invocation-Id is not the id in its meta block';
          return headers['content-type']?.startsWith('application/json') === true ? undefined : 'its type is not application/json';
        }),
      ),
  }),
  defineCheck({
    id: 'server/retry-after',
    requirement: 'Retry-After says in whole seconds, rounded up, when to come back, and is absent when that is unknown.',
    level: 'must',
    run: (server) =>
      gather(
        eachCase(server, ({ headers }, { retryAfter }) =>
          headers['retry-after'] === retryAfter
            ? undefined
            : `Retry-After is ${headers['retry-after'] ?? 'absent'}, not ${retryAfter ?? 'absent'}`,
        ),
      ),
  }),
  defineCheck({
    id: 'server/dialects',
    requirement:
      'A dialect is selected by ?dialect= or by the profile of Accept, and named in Toolpact-Dialect; one that does not exist is refused with 400.',
    level: 'must',
    run: (server) => gather(dialectProblems(server)),
  }),
  defineCheck({
    id: 'server/unknown-tool',
    requirement: 'A call of a tool that is not there is answered with 404 and the kind unknown_tool.',
    level: 'must',
    async run(server) {
      const answer = await server.call('no_such_tool_anywhere', {});
      return answer.status === 404 && kindOf(answer) === 'unknown_tool'
        ? []
        : [{ message: 'it is not refused as unknown', evidence: shown(answer) }];
    },
  }),
  defineCheck({
    id: 'server/bad-arguments',
    requirement: 'Arguments that break the schema are answered with 400, and the issues name the place.',
    level: 'must',
    async run(server) {
      if (!(await server.hasCases())) return [];
      const answer = await server.call(caseTools.conclude, { how: 7 });
      const issues = (answer.json?.error as { readonly issues?: readonly { readonly path?: readonly unknown[] }[] } | undefined)?.issues;
      if (answer.status !== 400 || kindOf(answer) !== 'invalid_input')
        return [{ message: 'they are not refused', evidence: shown(answer) }];
      return issues?.[0]?.path?.[0] === 'how' ? [] : [{ message: 'no issue names the field', evidence: shown(answer) }];
    },
  }),
  defineCheck({
    id: 'server/idempotency',
    requirement:
      'A call with an Idempotency-Key runs once; Idempotency-Replayed marks an answer that is a repetition; the key with other arguments is a conflict.',
    level: 'must',
    run: (server) => gather(idempotencyProblems(server)),
  }),
];

/** Reads the kind of a failure off an outcome or a problem document. */
export function kindOf({ json }: ServerAnswer): unknown {
  return (json?.error as { readonly kind?: unknown } | undefined)?.kind ?? json?.kind;
}

async function* dialectProblems(server: ServerSubject): AsyncGenerator<Problem> {
  const unknown = await server.send('POST', '/v1/tools/x?dialect=klingon', { body: {} });
  if (unknown.status !== 400) yield { message: 'a dialect that does not exist is not refused with 400', evidence: shown(unknown) };
  if (!(await server.hasCases())) return;
  const args = { how: 'not_found' };
  for (const dialect of spoken) {
    const { name } = dialect;
    const asked = [
      ['?dialect=', await server.call(caseTools.conclude, args, {}, `?dialect=${name}`)],
      ['Accept', await server.call(caseTools.conclude, args, { accept: `application/json;profile="${name}"` })],
    ] as const;
    for (const [how, answer] of asked) {
      if (answer.headers['toolpact-dialect'] !== name) {
        yield {
          message: `${name} by ${how}: Toolpact-Dialect says ${answer.headers['toolpact-dialect'] ?? 'nothing'}`,
          evidence: shown(answer),
        };
      }
      const decoded = dialect.decode(answer.json);
      const isFailure = decoded.ok && decoded.outcome.status === 'error';
      if (!isFailure || answer.status !== 404)
        yield { message: `${name} by ${how}: the answer is not a failure in that dialect`, evidence: shown(answer) };
    }
  }
  const details = await server.call(caseTools.conclude, args, {}, '?dialect=problem');
  if (details.headers['content-type']?.startsWith('application/problem+json') !== true || details.json?.status !== 404) {
    yield { message: 'problem details are not sent as application/problem+json with their status', evidence: shown(details) };
  }
}

async function* idempotencyProblems(server: ServerSubject): AsyncGenerator<Problem> {
  if (!(await server.hasCases())) return;
  const key = { 'idempotency-key': `check-${Math.random().toString(36).slice(2)}` };
  const first = await server.call(caseTools.count, { what: 'a' }, key);
  const again = await server.call(caseTools.count, { what: 'a' }, key);
  const other = await server.call(caseTools.count, { what: 'b' }, key);
  const runs = ({ json }: ServerAnswer): unknown => (json?.data as { readonly runs?: unknown } | undefined)?.runs;
  if (first.headers['idempotency-replayed'] !== 'false')
    yield { message: 'the first call does not say Idempotency-Replayed: false', evidence: shown(first) };
  if (again.headers['idempotency-replayed'] !== 'true')
    yield { message: 'the second call does not say Idempotency-Replayed: true', evidence: shown(again) };
  if (runs(first) !== runs(again)) yield { message: 'the tool ran twice for one key', evidence: [shown(first), shown(again)] };
  if (other.status !== 409) yield { message: 'the key with other arguments is not a conflict (409)', evidence: shown(other) };
  if (first.headers['idempotency-key'] !== key['idempotency-key']) yield { message: 'the key is not sent back', evidence: shown(first) };
}
