import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith, helloFile, post, run, start } from './run-toolpact.ts';

const { resolve } = createRequire(new URL('../../package.json', import.meta.url));
const from = (name: string): string => JSON.stringify(pathToFileURL(resolve(name)).href);
/** An SDK as applications set it up before anything else. It keeps spans until it is told to send them, and then tells of them on stderr. */
const sdk = `
import otel from ${from('@opentelemetry/api')};
import { TracerProvider } from ${from('@opentelemetry/sdk-trace')};
import { AsyncLocalStorageContextManager } from ${from('@opentelemetry/context-async-hooks')};
const kept = [];
const keeper = {
  onStart: () => undefined,
  onEnd: ({ name, kind }) => kept.push(\`span \${kind} \${name}\`),
  async forceFlush() {
    for (const span of kept.splice(0)) console.error(span);
  },
  shutdown: async () => undefined,
};
otel.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [keeper] }));
otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
`;
const files = { 'tools.ts': helloFile('hi'), 'sdk.mjs': sdk };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello', arguments: {} } };
const spans = (text: string): string[] => text.match(/^span .*$/gm) ?? [];

test.each([
  ['with --telemetry', ['--telemetry'], ['span 0 execute_tool hello', 'span 1 tools/call hello']],
  ['without it', [], []],
])('what serve answers over HTTP and MCP is recorded %s', async (_, flags, expected) => {
  const cwd = folderWith(files);
  const serve = start(['serve', '--port', '0', '--store', 'memory', ...flags], { cwd, nodeArguments: ['--import', join(cwd, 'sdk.mjs')] });
  const [, url = ''] = await serve.until(/"url":"([^"]+)"/);
  await post(url, 'hello', {});
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  await (await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })).text();
  serve.child.kill('SIGTERM');
  expect(spans((await serve.ended).stderr)).toEqual(expected);
});

test('what mcp answers is recorded with TOOLPACT_TELEMETRY', async () => {
  const cwd = folderWith(files);
  const { code, stderr } = await run(['mcp', '--store', 'memory'], {
    cwd,
    env: { TOOLPACT_TELEMETRY: 'on' },
    input: `${JSON.stringify(call)}\n`,
    nodeArguments: ['--import', join(cwd, 'sdk.mjs')],
  });
  expect([code, spans(stderr)]).toEqual([0, ['span 1 tools/call hello']]);
});
