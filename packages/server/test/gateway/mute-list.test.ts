import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { openGateway } from './open-gateway.ts';

skipTime();

/** A server that says hello, and lists its tools if there are any. */
function connect(tools?: readonly object[]): InMemoryTransport {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  theirs.onmessage = (message) => {
    const { id, method } = message as { readonly id?: number; readonly method?: string };
    const results: Readonly<Record<string, object | undefined>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1.0.0' } },
      ping: {},
      'tools/list': tools && { tools },
    };
    const result = results[method ?? ''];
    if (id !== undefined && result !== undefined) void theirs.send({ jsonrpc: '2.0', id, result } as never);
  };
  void theirs.start();
  return ours;
}

test('a server that never lists its tools holds up the others for half a minute, and no longer', async () => {
  const lines: string[] = [];
  const began = performance.now();
  const { toolbox } = await openGateway({
    servers: { mute: { connect: () => connect() }, fine: { connect: () => connect([{ name: 'look', inputSchema: { type: 'object' } }]) } },
    log: (line) => lines.push(line),
  });
  expect(performance.now() - began).toBeLessThan(40_000);
  expect(toolbox.list().map(({ name }) => name)).toEqual(['fine:look']);
  expect(lines).toEqual(['(the tools of mute cannot be read: Request timed out)']);
});

test('a server that never answers is given up after half a minute, and the error says so', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  void theirs.start();
  await expect(openGateway({ servers: { mute: { connect: () => ours } } })).rejects.toThrow(
    'The server "mute" could not be started: it did not answer within 30 s',
  );
});
