import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createToolbox, defineTool, fail } from 'toolpact';
import { repeatBreaker } from 'toolpact/guards';
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from '../create-server.ts';
import { serveStdio } from '../stdio.ts';

/** A toolbox with one tool that always fails in the same way. */
function failing() {
  const find = defineTool({ name: 'find', description: 'Finds.', effects: 'none', run: () => fail('not_found', 'No such thing.') });
  return createToolbox([find], { use: [repeatBreaker()], report: () => undefined });
}

const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Gives the first words of the text that the model reads. */
function textOf(message: unknown): string {
  const { result } = message as { readonly result: { readonly content: readonly { readonly text: string }[] } };
  return /^\[.*?\]/.exec(result.content[0]?.text ?? '')?.[0] ?? '';
}

test.each([
  ['with a handshake', {}],
  ['without one', { _meta: envelope }],
])('over stdio a client %s is one run', async (_, params) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(failing(), { stdin, stdout, signals: [], drainMs: 60_000 });
  onTestFinished(async () => {
    stdin.end();
    await serving.closed;
  });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, more: object): Promise<unknown> => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...more, ...params } })}\n`);
    const { value } = await lines.next();
    return JSON.parse(String(value));
  };
  if (!('_meta' in params)) await ask(0, 'initialize', handshake);
  const texts: string[] = [];
  for (let id = 1; id <= 4; id += 1) texts.push(textOf(await ask(id, 'tools/call', { name: 'find', arguments: {} })));
  expect(texts).toEqual([...Array<string>(3).fill('[error: not_found]'), '[error: denied/repeat_refused]']);
});

test('over HTTP each session is a run; calls outside of one are not counted, unless they name their run', async () => {
  const server = createServer(failing());
  onTestFinished(() => server.close());
  const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      }),
    );
  const open = async (): Promise<Record<string, string>> => {
    const response = await post({ method: 'initialize', params: handshake });
    await response.text();
    return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  };
  const call = async (headers: Record<string, string>): Promise<string> => {
    const text = await (await post({ method: 'tools/call', params: { name: 'find', arguments: {} } }, headers)).text();
    return textOf(JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text));
  };
  const four = async (headers: Record<string, string>): Promise<string | undefined> => {
    const texts: string[] = [];
    for (let made = 0; made < 4; made += 1) texts.push(await call(headers));
    return texts.at(-1);
  };
  const [ann, ben] = [await open(), await open()];
  expect(await four(ann)).toBe('[error: denied/repeat_refused]');
  expect(await call(ben)).toBe('[error: not_found]');
  expect(await four({})).toBe('[error: not_found]');
  expect(await four({ 'x-run-id': 'run_1' })).toBe('[error: denied/repeat_refused]');
  expect(await call({ 'x-run-id': 'run_2' })).toBe('[error: not_found]');
});
