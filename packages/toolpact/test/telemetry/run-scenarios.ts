// A process of its own per SDK: registers it after the toolbox was made and used, runs every scenario and prints what was emitted as JSON.
import process from 'node:process';
import * as api from '@opentelemetry/api';
import { createToolbox, defineTool } from '../../src/index.ts';
import { openTelemetry } from '../../src/telemetry/index.ts';
import { mcpScenarios } from './mcp-scenarios.ts';
import { scenarios } from './scenarios.ts';
import { type Emitted, type Line, startSdk } from './sdk.ts';

export type Results = Readonly<Record<string, Emitted & { readonly notes: unknown }>>;

api.diag.setLogger({ error: note, warn: note, info: () => {}, debug: () => {}, verbose: () => {} }, api.DiagLogLevel.WARN);
const told: string[] = [];
function note(...words: unknown[]): void {
  told.push(words.map(String).join(' '));
}

const early = defineTool({
  name: 'early',
  description: 'Was there first.',
  run: () => {
    throw new RangeError('early');
  },
});
const toolbox = createToolbox([early], { telemetry: openTelemetry(), report: () => {} });
await toolbox.call('early', {});

const sdk = await startSdk(process.argv[2] as Line);
await toolbox.call('early', {});
const results: Record<string, unknown> = { 'registered late': { ...(await sdk.take()), notes: undefined } };
for (const [name, run] of Object.entries({ ...scenarios, ...mcpScenarios })) {
  const notes = await run();
  results[name] = { ...(await sdk.take()), notes };
}
results.diagnostics = { spans: [], points: [], logs: [], notes: told };
process.stdout.write(JSON.stringify(results, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
