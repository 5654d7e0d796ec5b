import { createResources, createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { skipTime, takes } from '../../../proofs/fixtures/skip-time.ts';
import { createServer } from './create-server.ts';

skipTime();

/** A server whose only call was answered as pending and goes on until `end` is called. */
async function withDeferredCall() {
  const { promise, resolve: end } = Promise.withResolvers<string>();
  const slow = defineTool({ name: 'slow', description: 'Takes long.', deferAfterMs: 10, timeoutMs: 600_000, run: () => promise });
  const toolbox = createToolbox([slow], { store: memoryStore() });
  const server = createServer(toolbox);
  const request = new Request('http://127.0.0.1:8080/v1/tools/slow', {
    method: 'POST',
    headers: { host: '127.0.0.1:8080', 'content-type': 'application/json' },
    body: '{}',
  });
  const waits: Promise<unknown>[] = [];
  const response = await server.fetch(request, {}, { waitUntil: (work) => void waits.push(work) });
  const { pending } = (await response.json()) as { readonly pending: { readonly handle: string } };
  return { server, toolbox, end, handle: pending.handle, waits };
}

test('a server that closes waits for calls that were answered as pending, so that they end with an outcome', async () => {
  const { server, toolbox, end, handle } = await withDeferredCall();
  const order: string[] = [];
  const closed = server.close({ drainMs: 60_000 }).then(() => order.push('closed'));
  void takes(5_000).then(() => {
    order.push('ended');
    end('done');
  });
  await closed;
  expect(order).toEqual(['ended', 'closed']);
  expect(await toolbox.calls.wait(handle, { timeoutMs: 0 })).toMatchObject({ status: 'ok', data: 'done' });
});

test('a server that closes leaves calls behind that take longer than its time', async () => {
  const { server } = await withDeferredCall();
  const startedAt = Date.now();
  await server.close({ drainMs: 5_000 });
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

test('an edge platform, which ends all work with the response, is asked to wait for calls that were answered as pending', async () => {
  const { toolbox, end, handle, waits } = await withDeferredCall();
  expect(waits).toHaveLength(1);
  end('done');
  await waits[0];
  expect(await toolbox.calls.wait(handle, { timeoutMs: 0 })).toMatchObject({ status: 'ok', data: 'done' });
});

test('a server closes although what its tools keep open never does', async () => {
  const never = new Promise<never>(() => undefined);
  const toolbox = createToolbox([defineTool({ name: 'add', description: 'Adds.', effects: 'none', run: () => 3 })]);
  const resources = { ...createResources([]), close: () => never };
  await createServer({ ...toolbox, resources } as never).close({ drainMs: 0 });
});
