import { InMemoryTransport } from '@modelcontextprotocol/client';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test, vi } from 'vitest';
import { openGateway } from './open-gateway.ts';

const { compile } = vi.hoisted(() => ({ compile: vi.fn() }));
vi.mock('@toolpact/openapi', async (load) => {
  const whole = await load<typeof import('@toolpact/openapi')>();
  return { ...whole, fromJsonSchema: compile.mockImplementation(whole.fromJsonSchema) };
});

/** A server whose list of tools can be changed. */
function listing(names: readonly unknown[]) {
  let [tools, say] = [names, (): void => undefined];
  const connect = (): InMemoryTransport => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const results = (name: unknown): Readonly<Record<string, object>> => ({
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'x', version: '1.0.0' },
      },
      'tools/list': { tools: tools.map((tool) => (typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool)) },
      'tools/call': { content: [{ type: 'text', text: `called ${String(name)}` }] },
    });
    theirs.onmessage = (message) => {
      const { id, method = '', params } = message as { id?: number; method?: string; params?: { readonly name?: unknown } };
      if (id !== undefined) void theirs.send({ jsonrpc: '2.0', id, result: results(params?.name)[method] ?? {} } as never);
    };
    say = () => void theirs.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    void theirs.start();
    return ours;
  };
  const change = (next: readonly unknown[]): void => {
    tools = next;
    say();
  };
  return { target: { connect }, change };
}

test('tools of two servers that a model cannot tell apart are left out, and the others are served', async () => {
  const lines: string[] = [];
  const [git, github] = [listing(['log']), listing(['issues', 'read'])];
  const gateway = await openGateway({ servers: { git: git.target, github: github.target }, log: (line) => lines.push(line) });
  const names = (): string[] => gateway.toolbox.list().map(({ name }) => name);
  expect(names()).toEqual(['git:log', 'github:issues', 'github:read']);
  // A server that takes the place of another one's tool gets none of its calls.
  git.change(['log', 'hub_issues']);
  await expect.poll(names).toEqual(['git:log', 'github:read']);
  expect(lines).toEqual([
    '(the tool git:hub_issues is left out: a model cannot tell it from github:issues; `rename` in a rule gives it another name)',
    '(the tool github:issues is left out: a model cannot tell it from git:hub_issues; `rename` in a rule gives it another name)',
  ]);
  expect(gateway.servers()[1]?.tools).toMatchObject([{ name: 'github:issues', leftOut: expect.stringContaining('git:hub_issues') }, {}]);
  git.change(['log', 'status']);
  await expect.poll(names).toEqual(['git:log', 'git:status', 'github:issues', 'github:read']);
});

test('a tool with the name of one of our own is left out, and so is what is no tool', async () => {
  const { target } = listing(['search_tools', 'wait_for_result', 'look', null, 5]);
  const { toolbox } = await openGateway({ servers: { x: target }, store: memoryStore(), search: { above: 0 } });
  expect(toolbox.list().map(({ name }) => name)).toEqual(['look', 'search_tools', 'call_tool']);
});

test('a list that cannot be offered keeps nobody from seeing the lists of others', async () => {
  const lines: string[] = [];
  const [good, odd] = [listing(['look']), listing(['first', 'second'])];
  const gateway = await openGateway({
    servers: { good: good.target, odd: odd.target },
    declare: (tool) => (tool.name === 'odd:third' ? { timeoutMs: -1 } : {}),
    log: (line) => lines.push(line),
  });
  const names = (): string[] => gateway.toolbox.list().map(({ name }) => name);
  odd.change(['third']);
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('(the tools of odd cannot be read: '));
  good.change(['look', 'listen']);
  await expect.poll(names).toEqual(['good:look', 'good:listen', 'odd:first', 'odd:second']);
});

test('of a list that is read again only the schemas that are new are compiled, within the limits for those of others', async () => {
  const tool = (name: string, argument: string) => ({
    name,
    inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } } },
  });
  const { target, change } = listing([tool('a', 'x'), tool('b', 'y')]);
  compile.mockClear();
  const { toolbox } = await openGateway({ servers: { x: target } });
  expect(compile).toHaveBeenCalledTimes(2);
  change([tool('a', 'x'), tool('b', 'z'), tool('c', 'x')]);
  await expect.poll(() => toolbox.list()).toHaveLength(3);
  expect(compile.mock.calls.slice(2)).toEqual([[expect.objectContaining({ properties: { z: { type: 'string' } } }), { maxParts: 1_000 }]]);
});
