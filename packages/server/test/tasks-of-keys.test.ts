import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { createServer } from '../src/index.ts';

const tools = [
  defineTool({ name: 'report', description: 'Reports.', effects: 'none', deferAfterMs: 10_000, run: () => 'the report' }),
  defineTool({ name: 'payroll', description: 'Pays.', effects: 'none', deferAfterMs: 10_000, run: () => 'the payroll' }),
];

/** A client of 2025-11-25 with a credential of the user Ann that may call the named tools. */
async function connect(server: ReturnType<typeof createServer>, scopes: string) {
  const post = (body: object, session?: string): Promise<Response> => {
    const headers = { host: 'localhost', authorization: scopes, 'content-type': 'application/json' };
    const accept = { accept: 'application/json, text/event-stream' };
    const own = session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const init = { method: 'POST', headers: { ...headers, ...accept, ...own }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) };
    return server.fetch(new Request('http://localhost/mcp', init));
  };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
  const opened = await post({ method: 'initialize', params });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') ?? '';
  return async (method: string, given: object = {}): Promise<string> => (await post({ method, params: given }, session)).text();
}

test('a credential that may call few tools sees no task of the others, nor what another credential of its user has searched', async () => {
  const server = createServer(createToolbox(tools, { store: memoryStore(), report: () => undefined, search: { above: 1 } }), {
    auditLog: false,
    auth: ({ headers }) => ({ tenantId: 'acme', subject: 'ann', scopes: (headers.get('authorization') ?? '').split(' ') }),
  });
  const [all, few] = [await connect(server, '*'), await connect(server, 'tools:call:report')];
  const make = (name: string, args: object): Promise<string> => all('tools/call', { name, arguments: args, task: { ttl: 60_000 } });
  const idOf = (text: string): string => /"taskId":"([^"]+)"/.exec(text)?.[1] ?? '';
  const [report, payroll] = [idOf(await make('report', {})), idOf(await make('payroll', {}))];
  expect(await make('search_tools', { query: 'payroll' })).toContain('This tool cannot be called as a task');
  await all('tools/call', { name: 'search_tools', arguments: { query: 'payroll' } });
  const { calls = [] } = JSON.parse(
    await (await server.fetch(new Request('http://localhost/v1/calls', { headers: { host: 'localhost', authorization: '*' } }))).text(),
  ) as { calls?: { readonly id: string; readonly tool: string }[] };
  const search = calls.find(({ tool }) => tool === 'search_tools')?.id ?? '';
  for (const taskId of [payroll, search]) {
    expect(await all('tasks/result', { taskId })).toContain('payroll');
    expect(await few('tasks/result', { taskId })).toContain('There is no such task');
  }
  expect(await few('tasks/result', { taskId: report })).toContain('the report');
  const listed = await few('tasks/list');
  expect([listed.includes(report), listed.includes(payroll), listed.includes(search)]).toEqual([true, false, false]);
});
