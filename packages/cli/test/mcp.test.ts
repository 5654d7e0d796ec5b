import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, main, run, toolpact } from './run-toolpact.ts';
import { startProcess } from './start-process.ts';

const noisy = `import { defineTool } from ${JSON.stringify(toolpact)};
console.log('loading');
export const loud = defineTool({ name: 'loud', description: 'Prints.', effects: 'none', run: () => { console.log('noise'); process.stdout.write('noise'); return 'quiet'; } });`;

test('serves the official client, whatever the tools print', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', '--store', 'memory'],
    cwd: folderWith({ 'tools.ts': noisy }),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  expect(client.getServerVersion()).toEqual({ name: expect.stringMatching(/^toolpact-cli-/), version: '0.0.0' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['loud', 'read_result']);
  expect(await client.callTool({ name: 'loud', arguments: {} })).toMatchObject({ content: [{ type: 'text', text: 'quiet' }] });
  expect(await client.callTool({ name: 'lod', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Did you mean "loud"?') }],
  });
});

test('prints messages alone to stdout, and ends when its client hangs up', async () => {
  const mcp = startProcess(['mcp', '--store', 'memory'], { cwd: folderWith({ 'tools.ts': noisy }) });
  const send = (message: object): unknown => mcp.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  await mcp.until(/"id":1/, 'stdout');
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'loud', arguments: {} } });
  await mcp.until(/"id":2/, 'stdout');
  mcp.stdin.end();
  const { code, stdout, stderr } = await mcp.ended;
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1, 2]);
  expect(stderr).toBe('loading\nnoise\nnoise');
});

test('a file that does not load is said on stderr, and stdout stays empty', async () => {
  const ran = await run(['mcp'], { cwd: folderWith({ 'tools.ts': 'throw new Error("no");\nexport {};' }) });
  expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error tools.ts did not load. no\n  at tools.ts:1\n' });
});
