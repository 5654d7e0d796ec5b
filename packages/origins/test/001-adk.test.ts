import { preset, ToolErrorType, ToolExecutionError } from '@toolpact/origins/error-type';
import { createToolbox, defineTool } from 'toolpact';
import { toTools } from 'toolpact/adapters/adk';
import { openTelemetry } from 'toolpact/telemetry';
import { beforeAll, expect, test } from 'vitest';
import { startSdk } from '../../toolpact/test/telemetry/sdk.ts';
import { raise } from './start-box.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
beforeAll(async () => {
  sdk = await startSdk('2.12');
});

test("001-11 ADK's own `execute_tool` span has the `error.type`, and there is no second span of that name", async () => {
  // ADK has a copy of the API of its own: it must be loaded after the SDK is registered.
  const { runAdk } = await import('./run-adk.ts');
  const tool = defineTool({
    name: 'example_tool',
    description: 'x',
    effects: 'none',
    run: () => raise(new ToolExecutionError('no', { errorType: ToolErrorType.INTERNAL_SERVER_ERROR })),
  });
  const telemetry = openTelemetry();
  const toolbox = createToolbox([tool], { preset, telemetry, report: () => undefined });
  await sdk.take();
  await runAdk(toTools(toolbox), [['example_tool', {}]]);
  const spans = (await sdk.take()).spans.filter(({ name }) => name === 'execute_tool example_tool');
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['500']);
});
