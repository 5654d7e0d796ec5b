import { type Check, defineCheck, type Problem } from '../../../packages/testing/src/define-check.ts';
import { gather, kindOf, shown } from './server-call-checks.ts';
import { caseTools } from './server-cases.ts';
import type { Sending, ServerSubject } from './server-subject.ts';

type Asking = readonly [
  title: string,
  method: string,
  path: string,
  sending: (server: ServerSubject) => Sending,
  statuses: readonly number[],
];

const nothing = (): Sending => ({});

/** Requests that no server can answer, and what they are refused with. */
const refusals: readonly Asking[] = [
  ['a path that is not there', 'GET', '/v1/nowhere', nothing, [404]],
  ['a path outside of the interface', 'GET', '/nowhere/at/all', nothing, [404]],
  ['a method that a path does not have', 'DELETE', '/v1/tools', nothing, [404, 405]],
  ['a body that is no JSON', 'POST', '/v1/tools/x', () => ({ body: '{"a":' }), [400]],
  ['a body that is no object', 'POST', '/v1/tools/x', () => ({ body: '[1]' }), [400]],
  ['a body that is nested too deeply', 'POST', '/v1/tools/x', () => ({ body: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}` }), [400]],
  ['a body of another type', 'POST', '/v1/tools/x', () => ({ body: 'a=1', headers: { 'content-type': 'text/plain' } }), [415]],
  ['a compressed body', 'POST', '/v1/tools/x', () => ({ body: '{}', headers: { 'content-encoding': 'gzip' } }), [415]],
  ['a body that is too large', 'POST', '/v1/tools/x', ({ maxBodyBytes }) => ({ body: `{"a":"${'x'.repeat(maxBodyBytes)}"}` }), [413]],
  ['a call that does not exist', 'GET', '/v1/calls/none', nothing, [404, 501]],
];

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Requests whose answers all have to carry the trace of the caller. */
const traced: readonly (readonly [title: string, method: string, path: string, sending: Sending])[] = [
  ['a list', 'GET', '/v1/tools', {}],
  ['a tool that is not there', 'POST', '/v1/tools/no_such_tool_anywhere', { body: {} }],
  ['a body that is no JSON', 'POST', '/v1/tools/x', { body: '{' }],
  ['a path that is not there', 'GET', '/v1/nowhere', {}],
  ['a batch that is none', 'POST', '/v1/batch', { body: {} }],
];

/** The promises of a server about requests, before and besides any call. */
export const serverRequestChecks: readonly Check<ServerSubject>[] = [
  defineCheck({
    id: 'server/problems',
    requirement: 'What cannot be answered is refused with its own status, as problem details where they are asked for: 400, 404, 413, 415.',
    level: 'must',
    run: (server) => gather(refusalProblems(server)),
  }),
  defineCheck({
    id: 'server/methods',
    requirement: 'A path that exists refuses other methods with 405 and names its own in Allow.',
    level: 'should',
    async run(server) {
      const answer = await server.send('DELETE', '/v1/tools');
      return answer.status === 405 && answer.headers.allow !== undefined
        ? []
        : [{ message: `DELETE /v1/tools is answered with ${answer.status}`, evidence: shown(answer) }];
    },
  }),
  defineCheck({
    id: 'server/trace',
    requirement: 'Every answer carries the trace id of the request, or a new one, refusals too; the trace of traceparent counts.',
    level: 'must',
    run: (server) => gather(traceProblems(server)),
  }),
  defineCheck({
    id: 'server/context',
    requirement: 'The context headers reach the tool and come back; one that is malformed is refused with 400.',
    level: 'must',
    run: (server) => gather(contextProblems(server)),
  }),
  defineCheck({
    id: 'server/head-and-options',
    requirement: 'HEAD is answered like GET without a body, and OPTIONS without an error of the server.',
    level: 'must',
    async run(server) {
      const [get, head, options] = [
        await server.send('GET', '/v1/tools'),
        await server.send('HEAD', '/v1/tools'),
        await server.send('OPTIONS', '/v1/tools'),
      ];
      return [
        ...(head.status === get.status && head.text === '' ? [] : [{ message: 'HEAD is not answered like GET', evidence: shown(head) }]),
        ...(options.status < 500 ? [] : [{ message: `OPTIONS is answered with ${options.status}`, evidence: shown(options) }]),
      ];
    },
  }),
  defineCheck({
    id: 'server/health',
    requirement: 'GET /healthz and /readyz answer that the server is there.',
    level: 'must',
    async run(server) {
      const found: Problem[] = [];
      for (const path of ['/healthz', '/readyz']) {
        const answer = await server.send('GET', path);
        if (answer.status !== 200) found.push({ message: `${path} is answered with ${answer.status}`, evidence: shown(answer) });
      }
      return found;
    },
  }),
];

async function* refusalProblems(server: ServerSubject): AsyncGenerator<Problem> {
  for (const [title, method, path, sending, statuses] of refusals) {
    const answer = await server.send(method, `${path}?dialect=problem`, sending(server));
    const { status, json, headers } = answer;
    if (!statuses.includes(status))
      yield { message: `${title}: the status is ${status}, not ${statuses.join(' or ')}`, evidence: shown(answer) };
    else if (
      headers['content-type']?.startsWith('application/problem+json') !== true ||
      json?.status !== status ||
      typeof json.title !== 'string'
    ) {
      yield { message: `${title}: the answer is no problem document of its status`, evidence: shown(answer) };
    } else if (kindOf(answer) === undefined && (json._toolpact ?? json.kind) === undefined) {
      yield { message: `${title}: the answer does not name its kind`, evidence: shown(answer) };
    }
  }
}

async function* traceProblems(server: ServerSubject): AsyncGenerator<Problem> {
  for (const [title, method, path, { headers, ...sending }] of traced) {
    const asked = await server.send(method, path, { ...sending, headers: { ...headers, 'x-trace-id': trace } });
    if (asked.headers['x-trace-id'] !== trace) yield { message: `${title}: the trace id is not sent back`, evidence: shown(asked) };
    const parent = await server.send(method, path, { ...sending, headers: { ...headers, traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
    if (parent.headers['x-trace-id'] !== trace)
      yield { message: `${title}: the trace of traceparent does not count`, evidence: shown(parent) };
    const plain = await server.send(method, path, { ...sending, ...(headers && { headers }) });
    if (!/^[\w-]{16,}$/.test(plain.headers['x-trace-id'] ?? ''))
      yield { message: `${title}: there is no trace id`, evidence: shown(plain) };
  }
  if (!(await server.hasCases())) return;
  for (const how of ['ok', 'timeout']) {
    const answer = await server.call(caseTools.conclude, { how }, { 'x-trace-id': trace });
    const { traceId } = (answer.json?.meta ?? {}) as { readonly traceId?: unknown };
    if (answer.headers['x-trace-id'] !== trace || traceId !== trace)
      yield { message: `${how}: header and meta do not both carry the trace id`, evidence: shown(answer) };
  }
}

const sentIds = { 'x-run-id': 'run-42', 'x-case-id': 'case-7', 'x-session-id': 'session-1' } as const;

async function* contextProblems(server: ServerSubject): AsyncGenerator<Problem> {
  if (!(await server.hasCases())) return;
  const answer = await server.call(caseTools.context, {}, sentIds);
  const data = (answer.json?.data ?? {}) as Readonly<Record<string, unknown>>;
  const wanted = { runId: sentIds['x-run-id'], caseId: sentIds['x-case-id'], sessionId: sentIds['x-session-id'] };
  for (const [name, value] of Object.entries(wanted)) {
    if (data[name] !== value)
      yield { message: `the tool receives ${name} ${JSON.stringify(data[name])}, not ${JSON.stringify(value)}`, evidence: shown(answer) };
  }
  for (const name of ['x-run-id', 'x-case-id'] as const) {
    if (answer.headers[name] !== sentIds[name]) yield { message: `${name} does not come back`, evidence: shown(answer) };
  }
  const failing = await server.call(caseTools.conclude, { how: 'timeout' }, sentIds);
  if (failing.headers['x-run-id'] !== sentIds['x-run-id'])
    yield { message: 'x-run-id does not come back with a failure', evidence: shown(failing) };
  const malformed = await server.call(caseTools.context, {}, { 'x-trace-id': 'x'.repeat(5000) });
  if (malformed.status !== 400)
    yield { message: `a malformed header is answered with ${malformed.status}, not 400`, evidence: shown(malformed) };
}
