import assert from 'node:assert/strict';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ToolErrorType, ToolExecutionError } from '@toolpact/origins/error-type';
import { createToolbox, defineTool } from 'toolpact';
import { openTelemetry } from 'toolpact/telemetry';
import { z } from 'zod';

// An agent's turn makes four calls: one works, one fails upstream, one states its error type itself, one names a tool that does not exist. All
// four leave a span that says how it went, without a line of tracing code in the tools.

const telemetry = openTelemetry();

// The application's own SDK, set up whenever it likes; here the spans stay in memory.
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const tracer = trace.getTracer('weather-app');

class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status = 503;
}

const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), apiKey: z.string() }),
  effects: 'none',
  async run({ city, apiKey }) {
    const request = tracer.startSpan('GET /forecast');
    await Promise.resolve();
    request.end();
    if (city === 'Atlantis') throw new HttpError(`no backend for ${city}, Authorization: Bearer ${apiKey}`);
    return { celsius: 21 };
  },
});

const example = defineTool({
  name: 'example_tool',
  description: 'Looks something up.',
  effects: 'none',
  run(): string {
    throw new ToolExecutionError('The lookup took too long.', { errorType: ToolErrorType.TIMEOUT });
  },
});

const toolbox = createToolbox([forecast, example], { telemetry, report: () => {} });
const apiKey = 'sk-live-abcdefghijklmnop';

await tracer.startActiveSpan('agent turn', async (turn) => {
  await toolbox.answer({ name: 'forecast', args: { city: 'Kyoto', apiKey }, callId: 'call_1' });
  await toolbox.answer({ name: 'forecast', args: { city: 'Atlantis', apiKey }, callId: 'call_2' });
  await toolbox.answer({ name: 'example_tool', args: {}, callId: 'call_3' });
  await toolbox.answer({ name: 'foresee_future', args: {}, callId: 'call_4' });
  turn.end();
});

const spans = exporter.getFinishedSpans();
console.log('\nThe span tree of one turn:\n');
print(undefined, 1);

const failed = spans.filter(({ status }) => status.code === SpanStatusCode.ERROR);
assert.deepEqual(
  failed.map(({ attributes }) => [attributes['gen_ai.tool.name'], attributes['error.type'], attributes['gen_ai.tool.call.id']]),
  [
    ['forecast', '503', 'call_2'],
    ['example_tool', 'timeout', 'call_3'],
    ['_OTHER', 'tool_not_found', 'call_4'],
  ],
);
assert.equal(failed[0]?.attributes['http.response.status_code'], 503);
assert.ok(
  !JSON.stringify(spans.map(({ attributes, status, events }) => ({ attributes, status, events }))).includes(apiKey),
  'a secret got out',
);
assert.equal(new Set(spans.map((span) => span.spanContext().traceId)).size, 1);

console.log(`
${failed.length} of 4 calls failed, and each says why: \`error.type\` is what to group by, the description what to read. The key that the error
message held is not in any of them.
`);

/** Prints the children of a span, each with what an operator looks for. */
function print(parent: string | undefined, depth: number): void {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent).sort(byStart)) {
    const { status, attributes } = span;
    const type = attributes['error.type'];
    const how = type === undefined ? '' : `   ERROR  error.type=${type}`;
    console.log(`${'  '.repeat(depth)}${span.name}${how}`);
    if (status.message !== undefined) console.log(`${'  '.repeat(depth)}  “${status.message}”`);
    print(span.spanContext().spanId, depth + 1);
  }
}

function byStart(a: ReadableSpan, b: ReadableSpan): number {
  return a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1];
}
