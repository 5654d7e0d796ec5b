import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { install } from './install.ts';
import { folderWith, helloFile, post, type Running, run, start, toolpact } from './run-toolpact.ts';
import { serveForDev } from './serve-for-dev.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const getJson = async (url: string): Promise<Record<string, never>> => (await fetch(url)).json() as Promise<Record<string, never>>;
const urlOf = async ({ until }: Running): Promise<string> => {
  await until(/Ctrl-C stops/, 'stdout');
  return (await until(/Local +(\S+)/, 'stdout'))[1] ?? '';
};
const failing = `import { defineTool, fail } from ${JSON.stringify(toolpact)};
export const broken = defineTool({
  name: 'broken',
  description: 'Breaks.',
  effects: 'none',
  run() {
    throw new Error('here it breaks');
  },
});
export const tools = [broken];
`;

test('dev serves the page, shows the source line of a cause, breaks calls, checks tools and knows the lock file', async () => {
  const cwd = folderWith({ 'tools.ts': failing });
  await run(['lock', 'tools.ts'], { cwd });
  const url = await urlOf(serveForDev(['tools.ts', '--port', '0', '--store', 'memory', '--retry-attempts', '1'], { cwd }));
  expect((await fetch(url)).url).toBe(`${url}/inspector/`);
  expect(await getJson(`${url}/v1/inspector`)).toMatchObject({ dev: true, causes: true, store: true });

  const { body } = await post(url, 'broken', {});
  const { invocationId: id } = (body as { meta: { invocationId: string } }).meta;
  expect(await getJson(`${url}/v1/calls/${id}/cause`)).toMatchObject({
    message: 'here it breaks',
    source: { file: 'tools.ts', line: 7, lines: expect.arrayContaining(["    throw new Error('here it breaks');"]) },
  });
  expect(await getJson(`${url}/v1/inspector/tools/broken`)).toMatchObject({ lock: { state: 'same', changes: [] } });

  const ask = async (path: string, given: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(given) })).json();
  };
  const { faults } = (await getJson(`${url}/v1/inspector`)) as unknown as { faults: { name: string }[] };
  for (const { name } of faults.filter((fault) => fault.name !== 'slow'))
    expect(await ask('/v1/inspector/break', { tool: 'broken', arguments: {}, fault: name })).toMatchObject({
      outcome: { status: 'error' },
    });
  expect(await ask('/v1/inspector/check', { tools: ['broken'] })).toMatchObject({ tools: [{ tool: 'broken' }] });
});

test('serve shows the page only where it is asked for, and never does what is a developer’s', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('Hello') });
  const listening = async (words: readonly string[]): Promise<string> => {
    const served = start(['serve', 'tools.ts', '--port', '0', '--store', 'memory', '--log', 'pretty', ...words], { cwd });
    return (await served.until(/listening on (\S+)/))[1] ?? '';
  };
  const [plain, shown] = await Promise.all([listening([]), listening(['--inspector', '--trace-url', 'https://t.example.com/{traceId}'])]);
  expect([(await fetch(`${plain}/inspector/`)).status, (await fetch(`${shown}/inspector/`)).status]).toEqual([404, 200]);
  expect(await getJson(`${shown}/v1/inspector`)).toMatchObject({ dev: false, faults: [], traceUrl: 'https://t.example.com/{traceId}' });
});

test('inspect shows the page for a server that runs, and says what is no address', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('Hello') });
  const served = start(['serve', 'tools.ts', '--port', '0', '--store', 'memory', '--log', 'pretty'], { cwd });
  const [, url = ''] = await served.until(/listening on (\S+)/);
  const inspecting = start(['inspect', url, '--port', '0']);
  const [, page = ''] = await inspecting.until(/Open +(\S+)/, 'stdout');
  expect((await fetch(page)).headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await getJson(new URL('../v1/tools', page).href)).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'hello' })]),
  });
  inspecting.kill('SIGINT');
  expect((await inspecting.ended).code).toBe(0);
  expect(await run(['inspect', 'file:///etc/passwd'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is not the address') });
});

test('a call that is kept as a test is a test that passes, and fails when the outcome is another one', async () => {
  const cwd = folderWith({ 'tools.ts': failing.replace(toolpact, 'toolpact') });
  const url = await urlOf(start(['dev', '--sample', '--port', '0', '--store', 'memory']));
  const { body } = await post(url, 'stock_quote', { symbol: 'ACME' });
  const { invocationId: id } = (body as { meta: { invocationId: string } }).meta;
  const { test: text } = (await getJson(`${url}/v1/calls/${id}/kept`)) as unknown as { test: string };
  install(cwd, ['toolpact', '@toolpact/testing', 'vitest']);
  writeFileSync(join(cwd, 'tools.ts'), failing.replace(toolpact, 'toolpact').replaceAll('broken', 'stock_quote'));
  writeFileSync(join(cwd, 'kept.test.ts'), text);
  writeFileSync(join(cwd, 'other.test.ts'), text.replaceAll('"kind":"rate_limited"', '"kind":"timeout"'));
  const ran = await promisify(execFile)(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', cwd], {
    cwd,
  }).catch((error: { stdout: string; stderr: string }) => error);
  expect(`${ran.stdout}${ran.stderr}`).toMatch(/1 failed[\s\S]*1 passed/);
});

test('inspect says of a server that does not answer that the page waits for it', async () => {
  const inspecting = start(['inspect', 'http://127.0.0.1:1', '--port', '0']);
  await inspecting.until(/Open +http/, 'stdout');
  await inspecting.until(/warn The server at 127\.0\.0\.1:1 does not answer yet\. The page connects as soon as it does\.\n/, 'stderr');
  inspecting.kill('SIGINT');
  expect((await inspecting.ended).code).toBe(0);
});
