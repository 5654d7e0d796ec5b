import { type Check, defineCheck, type Problem } from '../../../packages/testing/src/define-check.ts';
import { gather, shown } from './server-call-checks.ts';
import { caseTools, secretToken } from './server-cases.ts';
import type { ServerAnswer, ServerSubject } from './server-subject.ts';

/** Contents that no answer may have: frames of a stack, and the words of the tool that blurts things out. */
const leaks: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack', /\n?\s+at [\w.<>[\] ]+ ?\(?(?:file:|node:|\/|[A-Z]:\\)|"stack"\s*:/],
  ['a secret', new RegExp(secretToken)],
];

const evil = 'https://evil.example';

/** The things that a server must not do for any caller. */
export const serverSafetyChecks: readonly Check<ServerSubject>[] = [
  defineCheck({
    id: 'server/no-leaks',
    requirement: 'No answer shows a stack or a secret, in any dialect.',
    level: 'must',
    run: (server) => gather(leakProblems(server)),
  }),
  defineCheck({
    id: 'server/host',
    requirement: 'A request that names a foreign host is refused, so that no page reaches the server under a name of its own.',
    level: 'must',
    async run(server) {
      const found: Problem[] = [];
      for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80']) {
        const answer = await server.send('GET', '/v1/tools', { headers: { host } });
        if (answer.status !== 421 && answer.status !== 403)
          found.push({ message: `Host: ${host} is answered with ${answer.status}`, evidence: shown(answer) });
      }
      return found;
    },
  }),
  defineCheck({
    id: 'server/origin',
    requirement: 'A request of a foreign page is refused, and its origin is never allowed.',
    level: 'must',
    async run(server) {
      const found: Problem[] = [];
      const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
      const asked: readonly (readonly [string, ServerAnswer])[] = [
        ['a list', await server.send('GET', '/v1/tools', { headers: { origin: evil } })],
        ['a call', await server.call('x', {}, { origin: evil })],
        ['a page without an origin', await server.call('x', {}, { origin: 'null' })],
        ['a preflight', await server.send('OPTIONS', '/v1/tools/x', { headers: { origin: evil, ...preflight } })],
      ];
      for (const [title, answer] of asked) {
        const allowed = answer.headers['access-control-allow-origin'];
        if (answer.status !== 403) found.push({ message: `${title}: the status is ${answer.status}, not 403`, evidence: shown(answer) });
        if (allowed !== undefined) found.push({ message: `${title}: the origin ${allowed} is allowed`, evidence: shown(answer) });
      }
      return found;
    },
  }),
  defineCheck({
    id: 'server/headers',
    requirement: 'Answers are not guessed at and not kept: X-Content-Type-Options: nosniff, Cache-Control: no-store, and no X-Powered-By.',
    level: 'should',
    async run(server) {
      const found: Problem[] = [];
      for (const path of ['/v1/tools', '/v1/nowhere']) {
        const { headers } = await server.send('GET', path);
        if (headers['x-content-type-options'] !== 'nosniff') found.push({ message: `${path}: X-Content-Type-Options is not nosniff` });
        if (headers['cache-control']?.includes('no-store') !== true) found.push({ message: `${path}: Cache-Control is not no-store` });
        if (headers['x-powered-by'] !== undefined) found.push({ message: `${path}: X-Powered-By discloses what it runs on` });
      }
      return found;
    },
  }),
];

async function* leakProblems(server: ServerSubject): AsyncGenerator<Problem> {
  const answers: (readonly [string, ServerAnswer])[] = [
    ['a body that is no JSON', await server.send('POST', '/v1/tools/x', { body: '{"a":' })],
    ['a path that cannot be read', await server.send('POST', '/v1/tools/%E0%A4%A', { body: {} })],
    ['a batch that is none', await server.send('POST', '/v1/batch', { body: { calls: [null] } })],
  ];
  if (await server.hasCases()) {
    for (const query of ['', '?dialect=flat', '?dialect=coded', '?dialect=value', '?dialect=status', '?dialect=problem']) {
      answers.push([`an error thrown by a tool${query}`, await server.call(caseTools.blurt, {}, {}, query)]);
    }
  }
  for (const [title, answer] of answers) {
    const whole = `${answer.text}\n${JSON.stringify(answer.headers)}`;
    for (const [what, pattern] of leaks)
      if (pattern.test(whole)) yield { message: `${title}: the answer shows ${what}`, evidence: shown(answer) };
    if (answer.status >= 500 && !title.startsWith('an error thrown'))
      yield { message: `${title}: the status is ${answer.status}`, evidence: shown(answer) };
  }
}
