import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterEach, expect, test, vi } from 'vitest';
import { createServer } from '../create-server.ts';

afterEach(() => vi.restoreAllMocks());

const heartbeatMs = 77_777;

interface Message {
  readonly result?: { readonly tools?: readonly { readonly name: string; readonly execution?: { readonly taskSupport: string } }[] };
  readonly error?: { readonly code: number };
}

/** A server whose tools `crawl` and `rag:crawl` are served as tasks only, and `look` without a task too. */
function serve(requireTasks: readonly string[] = ['crawl', 'rag:crawl']) {
  const tool = (name: string) => defineTool({ name, description: 'Crawls.', effects: 'none', run: () => 'done' });
  const store = memoryStore();
  const toolbox = createToolbox([tool('crawl'), tool('rag:crawl'), tool('look')], { store });
  const server = createServer(toolbox, { auditLog: false, mcp: { requireTasks, heartbeatMs } });
  async function post(method: string, params: object = {}, headers: object = {}): Promise<Message> {
    const response = await server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }),
    );
    const text = await response.text();
    return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as Message;
  }
  return { post };
}

test.each([['crawl'], ['Crawl'], ['rag:crawl'], ['rag_crawl']])(
  '%s is a task in every spelling of the list and of the call',
  async (name) => {
    const { post } = serve([name]);
    const own = name.toLowerCase().replace(':', '_');
    const listed = (await post('tools/list')).result?.tools?.filter(({ execution }) => execution?.taskSupport === 'required');
    expect(listed?.map((tool) => tool.name)).toEqual([own]);
    for (const asked of [own, own.toUpperCase(), own.replace('_', ':')]) {
      expect((await post('tools/call', { name: asked, arguments: {} })).error?.code).toBe(-32601);
    }
    expect(await post('tools/call', { name: 'look', arguments: {} })).toMatchObject({ result: { content: [{ text: 'done' }] } });
  },
);

test('a client of 2026-07-28 without the extension is asked to announce it', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'rag:crawl' };
  const { error } = await serve().post('tools/call', { name: 'rag:crawl', arguments: {}, _meta }, headers);
  expect(error).toMatchObject({ code: -32021 });
});

test('a refused call leaves no heartbeat behind', async () => {
  const { post } = serve();
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  const beats = (): number => setTimer.mock.calls.filter(([, ms]) => ms === heartbeatMs).length;
  await post('tools/call', { name: 'crawl', arguments: {}, _meta: { progressToken: 1 } });
  expect(beats()).toBe(0);
  await post('tools/call', { name: 'look', arguments: {}, _meta: { progressToken: 1 } });
  expect(beats()).toBe(1);
});

test('what is no tool is refused when the server is made', () => {
  expect(() => serve(['crawler'])).toThrow('mcp.requireTasks: "crawler" is not the name of a tool');
});
