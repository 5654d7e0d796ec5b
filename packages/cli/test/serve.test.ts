import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createToolbox, defineTool } from 'toolpact';
import { defineNotifier } from 'toolpact/notify';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startGate, waitingFile } from './gate.ts';
import { folderWith, helloFile, post, type Running, run, start, toolpact } from './run-toolpact.ts';
import { startProcess } from './start-process.ts';

const urlOf = async ({ until }: Running): Promise<string> => (await until(/"url":"([^"]+)"/))[1] ?? '';
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('logs one JSON object a line, and nothing to stdout', async () => {
  const serve = startProcess(['serve', '--port', '0', '--store', 'memory'], { cwd: folderWith({ 'tools.ts': helloFile('hi') }) });
  const url = await urlOf(serve);
  await post(url, 'hello', {}, { 'x-trace-id': 'f'.repeat(32) });
  await post(url, 'helo', {});
  await fetch(`${url}/v1/tools`, { headers: { origin: 'https://evil.example' } });
  await serve.until(/"event":"denied"/);
  serve.kill('SIGTERM');
  const { code, stdout, stderr } = await serve.ended;
  expect([code, stdout]).toEqual([0, '']);
  expect(linesOf(stderr)).toMatchObject([
    { level: 'info', event: 'listening', url, store: 'memory' },
    { level: 'info', event: 'call', tool: 'hello', status: 'ok', attempts: 1, traceId: 'f'.repeat(32) },
    { level: 'warn', event: 'call', tool: 'helo', status: 'error', kind: 'unknown_tool', effect: 'none' },
    { level: 'warn', event: 'denied', reason: 'origin' },
    { level: 'info', event: 'stopping', signal: 'SIGTERM', drainMs: 10_000 },
    { level: 'info', event: 'stopped' },
  ]);
});

test('a SIGTERM that comes as soon as it listens stops it in order', async () => {
  const cwd = folderWith({
    'tools.ts': helloFile('hi'),
    'impatient.mjs': `const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (text, ...rest) => {
  if (String(text).includes('"event":"listening"')) process.kill(process.pid, 'SIGTERM');
  return write(text, ...rest);
};`,
  });
  const { ended } = startProcess(['serve', '--port', '0', '--store', 'memory'], {
    cwd,
    nodeArguments: ['--import', `${cwd}/impatient.mjs`],
  });
  const { code, stderr } = await ended;
  expect([code, linesOf(stderr).map(({ event }) => event)]).toEqual([0, ['listening', 'stopping', 'stopped']]);
});

test('a promise that a tool forgot does not end the server', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
export const forget = defineTool({ name: 'forget', description: 'x', run: () => { void Promise.reject(new Error('lost')); return 'done'; } });`,
  });
  const serve = startProcess(['serve', '--port', '0', '--store', 'memory'], { cwd });
  const url = await urlOf(serve);
  expect((await post(url, 'forget', {})).body.data).toBe('done');
  await serve.until(/warning a promise without a handler was rejected: Error: lost\n/);
  expect((await post(url, 'forget', {})).body.data).toBe('done');
});

test('a toolbox without a store is served with a warning that its calls are not remembered', async () => {
  const file = `import { createToolbox, defineTool } from ${JSON.stringify(toolpact)};
export const toolbox = createToolbox([defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: () => 'hi' })]);`;
  const serve = start(['serve', '--port', '0'], { cwd: folderWith({ 'tools.ts': file }) });
  await urlOf(serve);
  expect(
    await serve.until(/"level":"warn","event":"store".*calls are not recorded: the toolbox that your file exports has no store/),
  ).toBeTruthy();
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a call in flight finish, then ends with 0', async (signal) => {
  const gate = await startGate();
  const serve = start(['serve', '--port', '0'], { cwd: folderWith({ 'tools.ts': waitingFile(gate.url, 'late ') }) });
  const call = post(await urlOf(serve), 'wait', {});
  await gate.entered;
  serve.kill(signal);
  await serve.until(/"event":"stopping"/);
  gate.open('but there');
  expect((await call).body).toMatchObject({ status: 'ok', data: 'late but there' });
  expect((await serve.ended).code).toBe(0);
});

test('a call that does not finish in time is stopped, and still answered', async () => {
  const gate = await startGate();
  const serve = start(['serve', '--port', '0', '--drain-ms', '0'], { cwd: folderWith({ 'tools.ts': waitingFile(gate.url, '') }) });
  const call = post(await urlOf(serve), 'wait', {});
  await gate.entered;
  serve.kill('SIGTERM');
  expect((await call).body).toMatchObject({ status: 'error', error: { kind: expect.stringMatching(/^(cancelled|interrupted)$/) } });
  expect((await serve.ended).code).toBe(0);
});

test('--dialect coded keeps that contract: its paths, its text of errors, and a shutdown that ends the command', async () => {
  const file = `import { defineTool } from ${JSON.stringify(toolpact)};
export const fails = defineTool({ name: 'fails', description: 'Fails.', run: () => { throw new Error('no template found\\nsecond line'); } });`;
  const serve = start(['serve', '--port', '0', '--store', 'memory', '--dialect', 'coded'], { cwd: folderWith({ 'tools.ts': file }) });
  const url = await urlOf(serve);
  const ask = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return [response.status, await response.json()];
  };
  expect(await ask('/api/v1/execute', { worker_id: 'w', action: 'fails', params: {} })).toMatchObject([
    500,
    { code: 5004, message: 'no template found\nsecond line', data: null, meta: { tool: 'fails' } },
  ]);
  expect(await ask('/v1/tools/fails', {})).toMatchObject([500, { code: 5004 }]);
  expect(await ask('/api/v1/server/shutdown', {})).toMatchObject([200, { status: 'success' }]);
  expect((await serve.ended).code).toBe(0);
});

test('a taken port ends the command', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const cwd = folderWith({ 'tools.ts': helloFile('hi') });
  expect(await run(['serve', '--store', 'memory', '--port', String(port)], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: `error Port ${port} is taken.\nfix   Stop the program that uses it, or choose another port with --port.\n`,
  });
});

test.each([
  [
    'without credentials',
    ['--host', '0.0.0.0'],
    {},
    1,
    'error 0.0.0.0 can be reached by others, so callers need credentials.\nfix   Create a key (toolpact key my-tenant) and set TOOLPACT_API_KEYS, or listen on 127.0.0.1.\n',
  ],
  [
    'without its names',
    ['--host', '0.0.0.0'],
    { TOOLPACT_API_KEYS: 'acme:hunter2hunter2hunter2hunter2' },
    1,
    'error 0.0.0.0 can be reached under other host names, which must be allowed.\nfix   Name them with --hosts, for example --hosts tools.example.com; * for any.\n',
  ],
  [
    'with half of the token settings',
    ['--jwt-issuer', 'https://id.example'],
    {},
    2,
    'error Tokens need jwtJwks, jwtIssuer and jwtAudience together.\n',
  ],
  [
    'with a key that can be guessed',
    [],
    { TOOLPACT_API_KEYS: 'acme:hunter2' },
    2,
    'error The authentication settings are not valid: an API key needs at least 24 characters; createApiKey() makes one.\n',
  ],
  [
    'with a key for nobody',
    [],
    { TOOLPACT_API_KEYS: 'hunter2hunter2hunter2hunter2' },
    2,
    'error apiKeys has an entry (number 1) that is not tenant:key or tenant:sha256:….\nfix   toolpact key <tenant> creates one.\n',
  ],
  [
    'with an address this machine does not have',
    ['--host', '203.0.113.7', '--hosts', '*'],
    { TOOLPACT_API_KEYS: 'acme:hunter2hunter2hunter2hunter2' },
    1,
    'error This machine has no address 203.0.113.7.\nfix   Use 127.0.0.1, or 0.0.0.0 for all addresses.\n',
  ],
] as const)('a server %s does not start', async (_, words, env, code, stderr) => {
  const ran = await run(['serve', '--port', '0', '--store', 'memory', ...words], { cwd: folderWith({ 'tools.ts': helloFile('hi') }), env });
  expect(ran).toEqual({ code, stdout: '', stderr });
  expect(ran.stderr).not.toContain('hunter2');
});

test('keys let callers in, name their tenant, and are never printed', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('hi') });
  const { key, entry } = JSON.parse((await run(['key', 'acme', '--json'])).stdout) as { key: string; entry: string };
  const serve = start(['serve', '--port', '0', '--store', 'memory', '--host', '0.0.0.0', '--hosts', '*'], {
    cwd,
    env: { TOOLPACT_API_KEYS: entry },
  });
  const url = `http://127.0.0.1:${new URL(await urlOf(serve)).port}`;
  expect((await post(url, 'hello', {})).status).toBe(401);
  expect((await post(url, 'hello', {}, { authorization: `Bearer ${key}` })).body).toMatchObject({
    status: 'ok',
    meta: { tenantId: 'acme' },
  });
  const called = await run(['call', 'hello', '{}', '--url', url], { env: { TOOLPACT_API_KEY: key } });
  expect(called).toEqual({ code: 0, stdout: 'hi\n', stderr: '' });
  expect(await run(['call', 'hello', '{}', '--url', url])).toEqual({
    code: 13,
    stdout: '',
    stderr: expect.stringMatching(/^\[error: unauthenticated\] A valid credential is needed\./),
  });
  serve.kill('SIGTERM');
  const { stderr } = await serve.ended;
  expect(stderr).not.toContain(key);
  expect(stderr).not.toContain(entry.split(':')[2]);
  expect(linesOf(stderr).filter(({ event }) => event === 'call')).toMatchObject([{ tenantId: 'acme' }, { tenantId: 'acme' }]);
});

test.each([
  [['--host', '0.0.0.0', '--expose', 'full'], [{ level: 'warn', expose: 'full', host: '0.0.0.0' }]],
  [['--host', '0.0.0.0', '--expose', 'redacted'], [{ level: 'warn', expose: 'redacted', host: '0.0.0.0' }]],
  [['--host', '0.0.0.0', '--expose', 'authored'], []],
  [['--host', '0.0.0.0'], []],
  [['--expose', 'full'], []],
])('a stated expose counts on a public address, with a warning: %j', async (words, warnings) => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
export const broken = defineTool({ name: 'broken', description: 'Breaks.', effects: 'none', run() { throw new Error('the first line' + String.fromCharCode(10) + 'x '.repeat(3000) + 'the end'); } });`,
  });
  const { key, entry } = JSON.parse((await run(['key', 'acme', '--json'])).stdout) as { key: string; entry: string };
  const serve = start(['serve', '--port', '0', '--store', 'memory', '--hosts', '*', ...words], { cwd, env: { TOOLPACT_API_KEYS: entry } });
  const url = `http://127.0.0.1:${new URL(await urlOf(serve)).port}`;
  const { body } = await post(url, 'broken', {}, { authorization: `Bearer ${key}` });
  serve.kill('SIGTERM');
  expect(linesOf((await serve.ended).stderr).filter(({ event }) => event === 'expose')).toMatchObject(warnings);
  const { message } = (body as { error: { message: string } }).error;
  const isFull = words.includes('full');
  const isRead = isFull || words.includes('redacted');
  expect([message.includes('the first line'), message.includes('the end')]).toEqual([isRead, isFull]);
});

test('call --url says what became of a call that reached no tool server', async () => {
  let asked = 0;
  const ways: Readonly<Record<string, RequestListener>> = {
    html: (_, response) => response.end('<html>'),
    elsewhere: (_, response) => response.writeHead(307, { location: '/html/v1/tools/add' }).end(),
    broken: (_, response) => response.destroy(),
  };
  const other = createServer((request, response) => {
    asked += 1;
    ways[request.url?.split('/')[1] ?? '']?.(request, response);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const call = (way: string) => run(['call', 'add', '{}', '--url', `http://127.0.0.1:${port}/${way}`]);
  const mayHaveHappened = (message: string) => ({ code: 12, stdout: '', stderr: expect.stringContaining(message) });
  expect(await call('html')).toEqual(mayHaveHappened(`http://127.0.0.1:${port} did not answer like a tool server.`));
  expect(await call('elsewhere')).toEqual(mayHaveHappened('The server answered with a redirect, which is not followed (HTTP 307).'));
  expect(await call('broken')).toEqual(mayHaveHappened('It may have taken effect; check before repeating it.'));
  expect(asked).toBe(3);
  await new Promise((resolve) => other.close(resolve));
  expect(await call('html')).toEqual({ code: 11, stdout: '', stderr: expect.stringMatching(/^\[error: unreachable\]/) });
  expect(await run(['call', 'add', '{a}', '--url', 'http://127.0.0.1:1'])).toMatchObject({ code: 10, stdout: '' });
});

test('a file that exports a toolbox is served as it is', async () => {
  const file = helloFile('own')
    .replace('export const hello', 'const hello')
    .replace('import { defineTool }', 'import { createToolbox, defineTool }');
  const cwd = folderWith({ 'tools.ts': `${file}export default createToolbox([hello]);\n` });
  const serve = start(['serve', '--port', '0'], { cwd });
  const url = await urlOf(serve);
  expect((await post(url, 'hello', {})).body.data).toBe('own');
  await serve.until(/"event":"call","tool":"hello","status":"ok"/);
  expect((await post(url, 'read_result', {})).status).toBe(404);
  expect(await run(['serve', '--rate-limit', '5'], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error --rate-limit cannot be used: your file exports a toolbox/),
  });
});

test('tells webhooks of the question that a process before it has left', async () => {
  const told = Promise.withResolvers<string>();
  const receiver = createServer((request, response) => {
    told.resolve(String(request.headers['webhook-id']));
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void receiver.close());
  await once(receiver, 'listening');
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const cwd = folderWith({ 'tools.ts': helloFile('hi') });
  const store = sqliteStore({ path: join(cwd, 'left.db') });
  const wipe = defineTool({ name: 'wipe', description: 'Wipes.', approval: true, run: () => 'gone' });
  // It writes the question, and sends nothing.
  const calls = { ...(store.calls as NonNullable<typeof store.calls>), takeNotices: async () => ({ notices: [], areLeft: false }) };
  const notifier = defineNotifier({ name: host, send: async () => undefined });
  await createToolbox([wipe], { store: { ...store, calls }, notify: [notifier] }).call('wipe', {});
  await store.close();
  const env = { TOOLPACT_WEBHOOK_SECRET: `whsec_${'A'.repeat(43)}=` };
  const serve = start(['serve', '--port', '0', '--store', 'left.db', '--webhooks', `http://${host}/`], { cwd, env });
  expect(await told.promise).toMatch(/^notice_[0-9a-f]{32}$/);
  serve.kill('SIGTERM');
  expect((await serve.ended).code).toBe(0);
});
