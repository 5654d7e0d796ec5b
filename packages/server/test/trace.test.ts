import { createToolbox, defineTool } from 'toolpact';
import { openTelemetry } from 'toolpact/telemetry';
import { beforeAll, expect, test } from 'vitest';
import { startSdk } from '../../toolpact/test/telemetry/sdk.ts';
import { serve, ways } from './serve-ways.ts';

const fails = defineTool({ name: 'fails', description: 'Fails.', effects: 'none', run: () => Promise.reject(new Error('no')) });
const works = defineTool({ name: 'works', description: 'Works.', effects: 'none', run: async () => 1 });
let sdk: Awaited<ReturnType<typeof startSdk>>;
beforeAll(async () => {
  sdk = await startSdk('3.1');
});

test.each(ways)('header, envelope, span and log of a call have one trace id, brought along or not (%s)', async (way) => {
  const reported: string[] = [];
  const toolbox = createToolbox([fails, works], {
    report: () => {},
    telemetry: openTelemetry(),
  });
  toolbox.subscribe((event) => event.type === 'call-end' && reported.push(event.traceId));
  const served = await serve(way, toolbox, { telemetry: openTelemetry() });
  const brought = '4bf92f3577b34da6a3ce929d0e0e4736';
  for (const [tool, headers] of [
    ['works', {}],
    ['fails', {}],
    ['works', { traceparent: `00-${brought}-00f067aa0ba902b7-01` }],
    ['fails', { traceparent: `00-${brought}-00f067aa0ba902b7-01` }],
  ] as const) {
    reported.length = 0;
    await sdk.take();
    const answer = await served.send('POST', `/v1/tools/${tool}`, { headers, body: {} });
    const { spans } = await sdk.take();
    const ids = [answer.headers['x-trace-id'], answer.json.meta.traceId, reported[0], spans[0]?.traceId];
    expect(new Set(ids).size).toBe(1);
    if ('traceparent' in headers) expect([ids[0], spans[0]?.parentSpanId]).toEqual([brought, '00f067aa0ba902b7']);
  }
  await sdk.take();
  const batch = await served.send('POST', '/v1/batch', {
    headers: { traceparent: `00-${brought}-00f067aa0ba902b7-01` },
    body: { calls: [{ tool: 'works' }, { tool: 'fails' }] },
  });
  const { spans } = await sdk.take();
  expect([batch.headers['x-trace-id'], batch.json.meta.traceId, ...spans.map(({ traceId }) => traceId)]).toEqual([
    brought,
    brought,
    brought,
    brought,
  ]);
  await served.close();
});
