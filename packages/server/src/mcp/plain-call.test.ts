import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createClient } from '../request/client.ts';
import { createMcpApproval } from './approval.ts';
import { createReadPlainCall } from './plain-call.ts';
import { createMcpServers } from './servers.ts';

const add = defineTool({ name: 'math:add', description: 'Adds.', effects: 'none', run: () => 3 });
const header = defineTool({
  name: 'header',
  description: 'Takes a header.',
  input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  effects: 'none',
  run: () => 'eu',
});
const toolbox = createToolbox([add, header]);
const fastCall = createReadPlainCall(toolbox, createMcpServers(toolbox, createMcpApproval({}), {}));
const alone = createToolbox([add]);

const params = { name: 'math_add', arguments: {} };
const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const old = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
const recent = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'math_add',
};

function takes(body: unknown, headers: Readonly<Record<string, string | undefined>>): boolean {
  const asked = { header: (name: string) => headers[name], client: () => createClient() };
  return fastCall(asked, body) !== undefined;
}

describe('a plain call is taken, and anything else left to the SDK', () => {
  test.each<[string, object, Record<string, string | undefined>, boolean]>([
    ['a call of an older client', {}, old, true],
    ['one without a version', {}, { ...old, 'mcp-protocol-version': undefined }, true],
    ['one with a session', {}, { ...old, 'mcp-session-id': 's' }, false],
    ['one in an unknown version', {}, { ...old, 'mcp-protocol-version': '1999-01-01' }, false],
    ['one that takes no streams', {}, { ...old, accept: 'application/json' }, false],
    ['one that wants progress', { params: { ...params, _meta: { progressToken: 1 } } }, old, false],
    ['a call of a newer client', { params: { ...params, _meta: modern } }, recent, true],
    ['one with another name in its header', { params: { ...params, _meta: modern } }, { ...recent, 'mcp-name': 'add' }, false],
    ['one in the newer version alone by its header', {}, { ...recent, accept: old.accept }, false],
    ['one with an answer', { params: { ...params, _meta: modern, inputResponses: {} } }, recent, false],
    [
      'one with an envelope that is none',
      { params: { ...params, _meta: { ...modern, 'io.modelcontextprotocol/clientInfo': 5 } } },
      recent,
      false,
    ],
    ['a tool of a header', { params: { name: 'header', _meta: modern } }, { ...recent, 'mcp-name': 'header' }, false],
    ['a tool that does not exist, where the SDK may have others', { params: { name: 'nothing' } }, old, false],
    ['another method', { method: 'tools/list' }, old, false],
    ['a notification', { id: undefined }, old, false],
  ])('%s: %4$s', (_, extra, headers, taken) => {
    expect(takes({ jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...extra }, headers)).toBe(taken);
  });
});

test('where all tools are those of the toolbox, one that does not exist is taken too', () => {
  const take = createReadPlainCall(alone, createMcpServers(alone, createMcpApproval({}), {}));
  const asked = { header: (name: string) => (old as Readonly<Record<string, string>>)[name], client: () => createClient() };
  expect(take(asked, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nothing' } })).toBeTypeOf('function');
});

test('what clients say about themselves is remembered once their credential was checked, and only if it is short', () => {
  const set = vi.spyOn(Set.prototype, 'add');
  const take = createReadPlainCall(toolbox, createMcpServers(toolbox, createMcpApproval({}), {}));
  const asked = { header: (name: string) => (recent as Readonly<Record<string, string>>)[name], client: () => createClient() };
  const call = (name: string) => {
    const meta = { ...modern, [CLIENT_INFO_META_KEY]: { name, version: '1' } };
    return take(asked, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } });
  };
  const kept = (name: string) => set.mock.calls.filter(([value]) => typeof value === 'string' && value.includes(name)).length;
  const caller = { key: 'ann', mayDecide: false, mayCall: () => true, call: () => new Promise<never>(() => undefined) };
  try {
    const [short, long] = [call('short-name'), call(`long-name${'x'.repeat(100_000)}`)];
    expect([kept('short-name'), kept('long-name')]).toEqual([0, 0]);
    void short?.(caller);
    void long?.(caller);
    expect([kept('short-name'), kept('long-name')]).toEqual([1, 0]);
    for (let index = 0; index < 1_500; index += 1) void call(`many-${index}`)?.(caller);
    const envelopes = set.mock.contexts.find((_, index) => String(set.mock.calls[index]?.[0]).includes('many-1')) as Set<string>;
    expect(envelopes.size).toBe(501);
  } finally {
    set.mockRestore();
  }
});
