import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, helloFile, post, run, start } from './run-toolpact.ts';

const { resolve } = createRequire(new URL('../../../package.json', import.meta.url));
const from = (name: string): string => JSON.stringify(pathToFileURL(resolve(name)).href);
/** An SDK as applications set it up before anything else. It keeps spans until it is told to send them. */
const sdk = `
import otel from ${from('@opentelemetry/api')};
import { TracerProvider } from ${from('@opentelemetry/sdk-trace')};
import { AsyncLocalStorageContextManager } from ${from('@opentelemetry/context-async-hooks')};
const kept = [];
export const sent = [];
const keeper = {
  onStart: () => undefined,
  onEnd: ({ name, kind }) => kept.push(\`span \${kind} \${name}\`),
  async forceFlush() {
    sent.push(...kept.splice(0));
  },
  shutdown: async () => undefined,
};
export const stop = () => {
  otel.trace.disable();
  otel.context.disable();
};
stop();
otel.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [keeper] }));
otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
`;
/** Sets the SDK up in this process for one test; gives the list of spans that it has sent. */
function setUpSdk(): readonly string[] {
  const { sent, stop } = createRequire(import.meta.url)(join(folderWith({ 'sdk.mjs': sdk }), 'sdk.mjs'));
  onTestFinished(stop);
  return sent;
}
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello', arguments: {} } };

test.each([
  ['with --telemetry', ['--telemetry'], ['span 0 execute_tool hello', 'span 1 tools/call hello']],
  ['without it', [], []],
])('what serve answers over HTTP and MCP is recorded %s', async (_, flags, expected) => {
  const sent = setUpSdk();
  const serve = start(['serve', '--port', '0', '--store', 'memory', ...flags], { cwd: folderWith({ 'tools.ts': helloFile('hi') }) });
  const [, url = ''] = await serve.until(/"url":"([^"]+)"/);
  await post(url, 'hello', {});
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  await (await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })).text();
  serve.kill('SIGTERM');
  await serve.ended;
  expect(sent).toEqual(expected);
});

test('what mcp answers is recorded with TOOLPACT_TELEMETRY', async () => {
  const sent = setUpSdk();
  const { code } = await run(['mcp', '--store', 'memory'], {
    cwd: folderWith({ 'tools.ts': helloFile('hi') }),
    env: { TOOLPACT_TELEMETRY: 'on' },
    input: `${JSON.stringify(call)}\n`,
  });
  expect([code, sent]).toEqual([0, ['span 1 tools/call hello']]);
});
