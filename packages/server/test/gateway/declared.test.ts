import { expect, test } from 'vitest';
import { connectMcp } from '../mcp-clients.ts';
import { bad, notes, openGateway, serveGateway } from './open-gateway.ts';

const secret = 'sk-live-51H8abcdefghijklmnopqrstuv';

test('secrets in the results of a server are hidden where a rule says so', async () => {
  const { toolbox } = await openGateway({ servers: { notes }, rules: [{ tool: 'read_*', redact: { results: true } }] });
  await toolbox.answer({ name: 'write_note', args: { title: 'key', text: `the key is ${secret}` } });
  const hidden = await toolbox.answer({ name: 'read_note', args: { title: 'key' } });
  expect(hidden).toMatchObject({ status: 'ok' });
  expect(JSON.stringify(hidden)).not.toContain(secret);
  const plain = await openGateway({ servers: { notes } });
  await plain.toolbox.answer({ name: 'write_note', args: { title: 'key', text: `the key is ${secret}` } });
  expect(JSON.stringify(await plain.toolbox.answer({ name: 'read_note', args: { title: 'key' } }))).toContain(secret);
});

test.each(['v2', 'v2, 2026-07-28'] as const)('clients search where the servers list many tools: client %s', async (kind) => {
  const lines: string[] = [];
  const gateway = await openGateway({
    servers: { notes, bad: bad() },
    search: { always: ['notes:count_notes', 'notes:gone'], above: 5 },
    log: (line) => lines.push(line),
  });
  expect(lines).toContain('(search.always names notes:gone, which no server lists now)');
  const client = await connectMcp(kind, await serveGateway(gateway));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['notes_count_notes', 'search_tools', 'call_tool']);
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'write down a note', limit: 1 } });
  expect(JSON.stringify(found)).toContain('notes_write_note');
  const call = { name: 'notes_write_note', arguments: { title: 'a', text: 'b' } };
  expect(await client.callTool({ name: 'call_tool', arguments: call })).toMatchObject({ content: [{ text: 'written' }] });
  await client.close();
});
