import { Agent, request as httpRequest } from 'node:http';
import { createToolbox, defineTool } from 'toolpact';
import { afterAll, expect, test } from 'vitest';
import { createServer } from '../create-server.ts';
import { listen } from './listen.ts';

const signals: AbortSignal[] = [];
const begun = Promise.withResolvers<void>();
const note = defineTool({
  name: 'note',
  description: 'Notes its signal.',
  run(_, { signal }) {
    signals.push(signal);
    return 'noted';
  },
});
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is stopped.',
  run: (_, { signal }) =>
    new Promise<string>((resolve) => {
      signals.push(signal);
      begun.resolve();
      signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    }),
});
const listening = await listen(createServer(createToolbox([note, wait], { report: () => undefined })), { port: 0 });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => listening.close());

function send(tool: string) {
  return httpRequest(`${listening.url}/v1/tools/${tool}`, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }).end(
    '{}',
  );
}

test('a client that goes away stops the call that it waits for, and none that was answered on the same connection before', async () => {
  await new Promise<void>((resolve) => send('note').on('response', (incoming) => incoming.resume().on('end', resolve)));
  const left = send('wait').on('error', () => undefined);
  await begun.promise;
  const stopped = new Promise((resolve) => signals[1]?.addEventListener('abort', resolve, { once: true }));
  left.destroy();
  await stopped;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
