// The application registers its SDK through API 1.9 while the library resolves 1.10. Prints how many spans each way of setting up gives.
import process from 'node:process';
import * as applicationApi from 'otel-api-1.9';
import { createToolbox, defineTool } from '../../src/index.ts';
import { type OpenTelemetryOptions, openTelemetry } from '../../src/telemetry/index.ts';

const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
const exporter = new InMemorySpanExporter();
applicationApi.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

const tool = defineTool({ name: 'act', description: 'Acts.', run: () => 1 });
const counts: Record<string, number> = {};
for (const [name, telemetry] of [
  ['library 1.10, application 1.9', openTelemetry()],
  [
    'library 1.10, given the application’s 1.9',
    openTelemetry({ api: applicationApi as unknown as NonNullable<OpenTelemetryOptions['api']> }),
  ],
] as const) {
  await createToolbox([tool], { telemetry }).call('act', {});
  counts[name] = exporter.getFinishedSpans().length;
  exporter.reset();
}
process.stdout.write(JSON.stringify(counts));
