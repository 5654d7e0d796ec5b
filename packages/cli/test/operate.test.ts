import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, main, run, toolpact } from './run-toolpact.ts';
import { startProcess } from './start-process.ts';

const tools = `import { defineTool } from ${JSON.stringify(toolpact)};
export const broken = defineTool({
  name: 'broken',
  description: 'Fails.',
  effects: 'none',
  run() {
    throw new TypeError('list is not iterable');
  },
});`;

test('a coding agent finds out why a call failed, from the server of a developer and through a command', { timeout: 90_000 }, async () => {
  const dev = startProcess(['dev', '--port', '0', '--store', 'memory'], { cwd: folderWith({ 'tools.ts': tools }) });
  onTestFinished(async () => {
    dev.kill('SIGTERM');
    await dev.ended;
  });
  const [, url = ''] = await dev.until(/Operator +(http:\S+)\/operator\/mcp for coding agents/, 'stdout');
  const answer = (await (await fetch(`${url}/v1/tools/broken`, { method: 'POST' })).json()) as { meta: { invocationId: string } };
  const id = answer.meta.invocationId;
  const why = `broken (${id}): internal, effect none`;

  const overHttp = new Client({ name: 'test', version: '1' });
  onTestFinished(() => overHttp.close());
  await overHttp.connect(new StreamableHTTPClientTransport(new URL(`${url}/operator/mcp`)));
  const { tools: offered } = await overHttp.listTools();
  expect(offered.map(({ name }) => name)).toEqual([
    'list_calls',
    'why',
    'readings',
    'break_tool',
    'rerun_safe',
    'keep_as_test',
    'diff_calls',
    'check_tools',
    'health',
    'list_approvals',
  ]);
  const explained = textOf(await overHttp.callTool({ name: 'why', arguments: { id } }));
  expect(explained).toContain(why);
  expect(explained).toMatch(/cause: TypeError: list is not iterable\n {4}at .*tools\.ts:7/);
  expect(textOf(await overHttp.callTool({ name: 'break_tool', arguments: {} }))).toContain('rate_limited');
  expect(textOf(await overHttp.callTool({ name: 'check_tools', arguments: {} }))).toContain('broken');

  const overStdio = new Client({ name: 'test', version: '1' });
  onTestFinished(() => overStdio.close());
  await overStdio.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'operate', url], stderr: 'ignore' }));
  expect(textOf(await overStdio.callTool({ name: 'why', arguments: { id } }))).toBe(explained);
});

test('says which server cannot be reached', async () => {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'operate', 'http://127.0.0.1:9'], stderr: 'ignore' }),
  );
  expect(textOf(await client.callTool({ name: 'health', arguments: {} }))).toMatch(/^\[error: unreachable\]/);
  const { code, stderr } = await run(['operate', 'http://127.0.0.1:1'], { input: '' });
  expect([code, stderr]).toEqual([0, 'warn The server at 127.0.0.1:1 does not answer yet. Its tools work as soon as it does.\n']);
});

test('refuses what is not an address', async () => {
  expect(await run(['operate', 'localhost:8787'])).toMatchObject({ code: 2, stderr: expect.stringContaining('http://127.0.0.1:8787') });
});

function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}
