import { createContext, toCallContext } from '@toolpact/origins/status';
import { createToolbox, defineTool, type ToolpactEvent } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { openTelemetry } from 'toolpact/telemetry';
import { beforeAll, expect, test } from 'vitest';
import { startSdk } from '../../toolpact/test/telemetry/sdk.ts';
import { quietBox } from './start-box.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
beforeAll(async () => {
  sdk = await startSdk('3.1');
});

const upload = defineTool({ name: 'upload', description: 'x', effects: 'none', run: () => ({ stored: true }) });
const tenant_id = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
const runs = [
  ['run_1', createContext({ tenant_id, run_id: 'run_1' }), 'run:run_1'],
  ['ingest_1', createContext({ tenant_id, ingestion_run_id: 'ingest_1' }), 'ingest:ingest_1'],
] as const;

test.each(runs)('004-22 %s is in the tags of Langfuse', async (_, context, tag) => {
  const telemetry = openTelemetry({
    enrich: ({ context: { runId, ids } }) => ({
      'langfuse.trace.tags': runId === undefined ? [`ingest:${ids?.ingestionRunId}`] : [`run:${runId}`],
    }),
  });
  const toolbox = quietBox([upload], { telemetry });
  await sdk.take();
  await toolbox.call('upload', {}, toCallContext(context));
  expect((await sdk.take()).spans[0]?.attributes['langfuse.trace.tags']).toEqual([tag]);
});

test.each(runs)('004-07 004-23 %s is in the events and in the list of calls, and can be resumed', async (run, context) => {
  const events: ToolpactEvent[] = [];
  const toolbox = createToolbox([upload], {
    store: memoryStore(),
    events: { emit: (event) => events.push(event) },
    report: () => undefined,
  });
  await toolbox.call('upload', {}, toCallContext(context));
  const ends = events.filter(({ type }) => type === 'call-start' || type === 'call-end');
  const named = run === 'run_1' ? { runId: run } : { ids: { ingestionRunId: run } };
  expect(ends).toEqual([expect.objectContaining(named), expect.objectContaining(named)]);
  const resumed = await toolbox.calls.resume(run, { tenantId: tenant_id });
  expect(resumed).toMatchObject([{ tool: 'upload', how: 'recorded', outcome: { status: 'ok', meta: named } }]);
  expect(await toolbox.calls.resume('another', { tenantId: tenant_id })).toEqual([]);
});
