import { createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { withOrigins } from '../../test/with-origins.ts';
import { createServer } from '../create-server.ts';

const talk = defineTool({
  name: 'talk',
  description: 'Tells of progress all the time.',
  effects: 'none',
  run(_, { progress }) {
    for (let done = 0; done < 5_000; done += 1) progress({ done, message: 'x'.repeat(1_000) });
    return 'said';
  },
});

test('progress without a reader is not kept, and the outcome still comes', async () => {
  const server = createServer(createToolbox([talk]));
  const headers = { host: 'localhost', accept: 'text/event-stream', 'content-type': 'application/json' };
  const response = await server.fetch(new Request('http://localhost/v1/tools/talk', { method: 'POST', headers, body: '{}' }));
  // Closing waits for the call, so it has ended before anything is read.
  await server.close();
  const text = await response.text();
  expect(text).toContain('event: progress\ndata: {"done":0,');
  expect(text.length).toBeLessThan(300_000);
  expect(text).toMatch(/event: outcome\ndata: \{"status":"ok","data":"said",.*\n\n$/);
});

test('a trace id that no header can hold is sent in one that can', async () => {
  const add = defineTool({ name: 'add', description: 'Adds.', run: () => 3 });
  const server = createServer(createToolbox([add]), withOrigins);
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const response = await server.fetch(
    new Request('http://localhost/v1/execute', { method: 'POST', headers, body: '{"action":"add","trace_id":"\u20ac1"}' }),
  );
  expect([response.status, response.headers.get('x-trace-id')]).toEqual([200, '%E2%82%AC1']);
  expect(await response.text()).toContain('"trace_id":"\u20ac1"');
});
