import { unlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGate, waitingFile } from './gate.ts';
import { folderWith, helloFile, post, type Running, start, toolpact } from './run-toolpact.ts';
import { serveForDev } from './serve-for-dev.ts';
import { startProcess } from './start-process.ts';

const urlOf = async ({ until }: Running): Promise<string> => {
  await until(/Ctrl-C stops/, 'stdout');
  const [, url = ''] = await until(/Local +(\S+)/, 'stdout');
  return url;
};

test('the block says all that is needed: both addresses, a client configuration and a curl line that work', async () => {
  const dev = start(['dev', '--sample', '--port', '0']);
  const url = await urlOf(dev);
  expect((await dev.until(/MCP +(\S+)/, 'stdout'))[1]).toBe(`${url}/mcp`);
  const [config = ''] = await dev.until(/\{ "mcpServers".*\}/, 'stdout');
  expect(JSON.parse(config)).toEqual({ mcpServers: { toolpact: { type: 'http', url: `${url}/mcp` } } });

  await dev.until(/History .* \(starts with calls of imaginary agents\)\n/, 'stdout');
  const [, target = '', header = '', body = ''] = await dev.until(/curl -s (\S+) -H 'content-type: (\S+)' -d '(.*)'/, 'stdout');
  const response = await fetch(target, { method: 'POST', headers: { 'content-type': header }, body });
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'ok', data: { sum: 5 } }]);
  await dev.until(/add +ok +[\d.]+ ms/);

  const listed = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  });
  expect([listed.status, await listed.text()]).toEqual([
    200,
    expect.stringMatching(/"serverInfo":\{"name":"toolpact-cli-\w+","version":"0\.0\.0"\}/),
  ]);

  dev.kill('SIGINT');
  expect(await dev.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/ {2}stopping\n$/) });
});

test('each call is one line with its outcome, time and tenant', async () => {
  const dev = start(['dev', '--sample', '--port', '0', '--store', 'memory']);
  const url = await urlOf(dev);
  await post(url, 'stock_quote', { symbol: 'ACME' }, { 'x-tenant-id': '0b8f7f86-3d4b-4c41-9a86-1f6a0f2b7f11' });
  const [line] = await dev.until(/^.*stock_quote.*$/m);
  expect(line).toMatch(
    /^\d\d:\d\d:\d\d {2}stock_quote {10}rate_limited +[\d.]+ ms {2}slow down · tenant 0b8f7f86-3d4b-4c41-9a86-1f6a0f2b7f11$/,
  );
});

test('a call that waits for a person says how to allow it, and that works', async () => {
  const dev = start(['dev', '--sample', '--port', '0', '--store', 'memory']);
  const url = await urlOf(dev);
  const tenant = { 'x-tenant-id': '0b8f7f86-3d4b-4c41-9a86-1f6a0f2b7f11' };
  const invoice = { invoice: 'INV-1', amount: 500 };
  expect((await post(url, 'pay_invoice', invoice, tenant)).body).toMatchObject({ status: 'pending' });
  const [, command = '', page] = await dev.until(
    /to allow it: with `npx @toolpact\/cli (approvals approve .*)` or at (\S+)\n +and then make the same call again\n/,
  );
  expect(page).toBe(`${url}/inspector/#/approvals`);
  expect(await start(command.split(' ')).ended).toMatchObject({ code: 0 });
  expect((await post(url, 'pay_invoice', invoice, tenant)).body).toMatchObject({ status: 'ok', data: { invoice: 'INV-1' } });
});

test('a changed import is loaded anew; a broken one leaves the last good tools; a mended one counts again', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
import { greeting } from './greeting.ts';
export const hello = defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: () => greeting });`,
    'greeting.ts': "export const greeting: string = 'one';",
  });
  const dev = startProcess(['dev', '--port', '0'], { cwd });
  const url = await urlOf(dev);
  const says = async (): Promise<unknown> => (await post(url, 'hello', {})).body.data;
  const change = async (text: string, said: RegExp): Promise<void> => {
    writeFileSync(join(cwd, 'greeting.ts'), text);
    await dev.until(said);
  };
  expect(await says()).toBe('one');
  await change("export const greeting: string = 'two';", /greeting\.ts changed: 1 tool loaded/);
  expect(await says()).toBe('two');
  await change(
    'export const greeting: string = ;',
    /greeting\.ts changed, and the last working tools stay\. tools\.ts did not load\. SyntaxError: Expression expected\n {2}at greeting\.ts:1\n/,
  );
  expect(await says()).toBe('two');
  await change("export const greeting: string = 'three';", /loaded[\s\S]*last working[\s\S]*greeting\.ts changed: 1 tool loaded/);
  expect(await says()).toBe('three');
});

test('tools that load but do not fit together leave the last good ones too, tools can be added, and a file that is gone is missed', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('one') });
  const dev = startProcess(['dev', '--port', '0', '--store', 'memory'], { cwd });
  const url = await urlOf(dev);
  writeFileSync(
    join(cwd, 'tools.ts'),
    `${helloFile('two')}export const again = defineTool({ name: 'hello', description: 'x', run: () => 1 });\n`,
  );
  await dev.until(/the last working tools stay\. Could not create the toolbox: two tools are named "hello"\./);
  expect((await post(url, 'hello', {})).body.data).toBe('one');
  writeFileSync(
    join(cwd, 'tools.ts'),
    `${helloFile('two')}export const more = defineTool({ name: 'more', description: 'x', run: () => 'more' });\n`,
  );
  await dev.until(/2 tools loaded/);
  expect([(await post(url, 'hello', {})).body.data, (await post(url, 'more', {})).body.data]).toEqual(['two', 'more']);
  unlinkSync(join(cwd, 'tools.ts'));
  await dev.until(/tools\.ts changed, and the last working tools stay\. No file with tools was found here\./);
  expect((await post(url, 'hello', {})).body.data).toBe('two');
});

test('history outlives a reload and a restart', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('one') });
  const first = startProcess(['dev', '--port', '0'], { cwd });
  const url = await urlOf(first);
  const { invocationId } = (await post(url, 'hello', {})).body.meta as { invocationId: string };
  const recall = async (from: string): Promise<unknown> => (await fetch(`${from}/v1/calls/${invocationId}`)).json();
  const known = JSON.stringify(await recall(url));
  expect(known).toContain('"one"');
  writeFileSync(join(cwd, 'tools.ts'), helloFile('two'));
  await first.until(/1 tool loaded/);
  expect(JSON.stringify(await recall(url))).toBe(known);
  first.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
  const second = serveForDev(['--port', '0'], { cwd });
  expect(JSON.stringify(await recall(await urlOf(second)))).toBe(known);
});

test('a call that runs while tools are exchanged ends with those it began with', async () => {
  const gate = await startGate();
  const cwd = folderWith({ 'tools.ts': waitingFile(gate.url, 'old ') });
  const dev = startProcess(['dev', '--port', '0', '--store', 'memory'], { cwd });
  const url = await urlOf(dev);
  const call = post(url, 'wait', {});
  await gate.entered;
  writeFileSync(join(cwd, 'tools.ts'), waitingFile(gate.url, 'new '));
  await dev.until(/2 tools loaded/);
  expect((await post(url, 'hello', {})).body.data).toBe('new ');
  gate.open('answer');
  expect((await call).body).toMatchObject({ status: 'ok', data: 'old answer' });
});

test('a port that is taken makes way for the next free one, and that is said', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const dev = start(['dev', '--sample', '--store', 'memory', '--port', String(port)]);
  const url = await urlOf(dev);
  const taken = new URL(url).port;
  expect(Number(taken)).toBeGreaterThan(port);
  await dev.until(new RegExp(`port ${port} is taken; using port ${taken}`));
  expect((await post(url, 'add', { a: 1, b: 2 })).body.data).toEqual({ sum: 3 });
});

test('a changed configuration asks for a new start', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('one'), 'toolpact.config.ts': "export default { port: 0, store: 'memory' };" });
  const dev = startProcess(['dev'], { cwd });
  await urlOf(dev);
  writeFileSync(join(cwd, 'toolpact.config.ts'), 'export default { port: 1 };');
  await dev.until(/toolpact\.config\.ts has changed; restart to use it/);
});

test('a process that a tool ended is started again by the next change; the port stays', async () => {
  const exits = helloFile('one').replace('run: (): string =>', 'run: (): string => process.exit(3) ||');
  const cwd = folderWith({ 'tools.ts': exits });
  const dev = startProcess(['dev', '--port', '0', '--store', 'memory'], { cwd });
  const url = await urlOf(dev);
  await post(url, 'hello', {}).catch(() => undefined);
  await dev.until(/the server process exited; save a file to restart it/);
  writeFileSync(join(cwd, 'tools.ts'), helloFile('two'));
  await dev.until(/tools\.ts changed: 1 tool loaded/);
  dev.kill('SIGTERM');
  expect((await dev.ended).code).toBe(0);
});

test('a bug in a tool shows its file, line and column', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
function deep(): never { throw new RangeError('too deep'); }
export const bug = defineTool({ name: 'bug', description: 'x', effects: 'none', run: () => deep() });
`,
  });
  const dev = serveForDev(['--port', '0', '--store', 'memory'], { cwd });
  const url = await urlOf(dev);
  await post(url, 'bug', {});
  await dev.until(/ bug .* too deep\n.* {4}at deep \(tools\.ts:2:32\)\n/);
});

const boxFile = `import { createToolbox, defineTool } from ${JSON.stringify(toolpact)};
const hello = defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: () => 'hello' });
export const toolbox = createToolbox([hello]);`;

test('an exported toolbox without a store gets one, and the block says so', async () => {
  const dev = serveForDev(['tools.mjs', '--port', '0'], { cwd: folderWith({ 'tools.mjs': boxFile }) });
  const url = await urlOf(dev);
  await dev.until(/History +\.toolpact\/toolpact\.db/, 'stdout');
  await post(url, 'hello', {});
  expect(await (await fetch(`${url}/v1/calls`)).text()).toContain('"tool":"hello"');
});
