// Measures listeners and telemetry beside a call without them: node bench/telemetry.ts [--quick] (after a build)
import '../scripts/resolve-peers.ts';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSession } from '@toolpact/origins/value';
import { createToolbox, defineTool, isOk, type Outcome } from 'toolpact';
import { openTelemetry } from 'toolpact/telemetry';
import type { Contestant } from './contestant.ts';
import { args, description, input, name, output, search } from './search-stations.ts';
import { timeRounds } from './time-rounds.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const effort = options.quick ? { rounds: 10, roundMs: 10, warmUpMs: 100 } : { rounds: 60, roundMs: 20, warmUpMs: 400 };
const maxRatio = 1.05;
const maxUs = 5;

const tools = [defineTool({ name, description, input, output, effects: 'none', run: search })] as const;
const bare = createToolbox(tools);
const traced = createToolbox(tools, { telemetry: openTelemetry() });
const inSession = createToolbox(tools, { events: createSession() });

const contestant = (title: string, toolbox: typeof bare): Contestant => ({
  name: title,
  call: () => toolbox.call(name, args),
  isRight: (value) => isOk(value as Outcome),
});

const idle = await timeRounds([contestant('bare', bare), contestant('no SDK', traced)], effort, () => {});
const idleBytes = [await bytesPerCall(bare), await bytesPerCall(traced)] as const;

const { TracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace');
const { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } = await import('otel-3-sdk-metrics');
const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
const { context, metrics, trace } = await import('@opentelemetry/api');
const discard = { export: (_spans: unknown, done: (result: { code: number }) => void) => done({ code: 0 }), shutdown: async () => {} };
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter: discard as never })] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
metrics.setGlobalMeterProvider(
  new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000, exportTimeoutMillis: 1000 })],
  }),
);
const watched = await timeRounds(
  [contestant('bare', bare), contestant('recording', traced), contestant('session', inSession)],
  effort,
  () => {},
);

const timed = (from: typeof idle, title: string, what: 'best' | 'median'): number => from.get(title)?.[what] ?? Number.NaN;
const added = (title: string, what: 'best' | 'median'): number => (timed(watched, title, what) - timed(watched, 'bare', what)) / 1000;
const ratio = timed(idle, 'no SDK', 'best') / timed(idle, 'bare', 'best');
const recording = added('recording', 'best');

console.log(`Node ${process.versions.node}; best and median of ${effort.rounds} rounds
without an SDK        ${ratio.toFixed(3)} × a call without telemetry (median ${(timed(idle, 'no SDK', 'median') / timed(idle, 'bare', 'median')).toFixed(3)} ×), target ≤ ${maxRatio} ×
  a call takes        ${timed(idle, 'bare', 'best').toFixed(0)} ns without, ${timed(idle, 'no SDK', 'best').toFixed(0)} ns with
  a call allocates    ${idleBytes[0].toFixed(1)} bytes without, ${idleBytes[1].toFixed(1)} bytes with
with a recording SDK  + ${recording.toFixed(2)} µs a call (median ${added('recording', 'median').toFixed(2)} µs), target ≤ ${maxUs} µs
with a session        + ${added('session', 'best').toFixed(2)} µs a call (median ${added('session', 'median').toFixed(2)} µs)`);
const isMet = ratio <= maxRatio && recording <= maxUs && idleBytes[1] - idleBytes[0] < 1;
console.log(isMet ? 'All targets met.' : 'NOT all targets met.');
process.exit(0);

/** How much one call allocates, counted over many with no collection in between. */
async function bytesPerCall(toolbox: typeof bare): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const sample = async (calls: number): Promise<number> => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < calls; count += 1) await toolbox.call(name, args);
    return process.memoryUsage().heapUsed - before;
  };
  // Few enough calls that no collection falls into a sample; what the measuring itself allocates is taken off.
  const [few, many] = [50, 150];
  const samples: number[] = [];
  for (let round = 0; round < 101; round += 1) samples.push(((await sample(many)) - (await sample(few))) / (many - few));
  return samples.sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}
