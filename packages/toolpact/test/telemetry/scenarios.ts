import { setTimeout as wait } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { z } from 'zod';
import type { Guard } from '../../src/extend.ts';
import { createToolbox, defineTool, fail, ok, partial, pending, ToolFailure } from '../../src/index.ts';
import { defineGuard } from '../../src/runtime/index.ts';
import { continueTrace, type OpenTelemetryOptions, openTelemetry, propagateTrace } from '../../src/telemetry/index.ts';

/** The actions of one scenario; its return value is kept as `notes`. */
export type Scenario = () => Promise<unknown>;

class HttpError extends Error {
  readonly status = 503;
  override readonly name = 'HttpError';
}
class ValueError extends Error {}
class TypedError extends ToolFailure {
  override readonly name = 'TypedError';
}

const secret = 'sk-live-abcdefghijklmnop1234';
const system = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.1:443`), { code });

/** Ways in which a handler can end, by name. */
const ways: Record<string, () => unknown> = {
  ok: () => ({ celsius: 21 }),
  'http error': () => raise(new HttpError('upstream said no')),
  'value error': () => raise(new ValueError('bad value')),
  'typed error 500': () => raise(new TypedError('upstream', 'broken', { errorType: '500' })),
  'typed error timeout': () => raise(new TypedError('timeout', 'slow', { errorType: 'timeout' })),
  'returned error': () => new HttpError('upstream said no'),
  'returned fail': () => fail('not_found', 'There is no such city.'),
  'thrown fail': () => raise(fail('not_found', 'There is no such city.')),
  'fail with cause': () => raise(fail('upstream', 'The service is down.', { cause: new ValueError('inner') })),
  'declared code': () => raise(fail('budget_exhausted', 'No money.', { code: 'insufficient_funds' })),
  'system code': () => raise(system('ECONNREFUSED')),
  text: () => raise('just a text'),
  proxy: () =>
    raise(
      new Proxy(
        {},
        { get: () => raise(new Error('get')), has: () => raise(new Error('has')), getPrototypeOf: () => raise(new Error('proto')) },
      ),
    ),
  secret: () => raise(new Error(`401 with Authorization: Bearer ${secret}`)),
  wrong: () => 'no object',
  bigint: () => ({ celsius: 21, big: 1n }),
  huge: () => ({ celsius: 21, text: 'x'.repeat(10_000_000) }),
  hang: () => new Promise(() => undefined),
  partial: () => partial({ celsius: 21 }, [{ index: 1, error: new Error('one') }], { total: 2 }),
  pending: () => pending({ handle: 'h', reason: 'running' }),
  list: () => ok({ celsius: 21, token: secret }),
};

function raise(thrown: unknown): never {
  throw thrown;
}

const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather.',
  input: z.object({ how: z.string(), password: z.string().optional() }),
  output: z.looseObject({ celsius: z.number() }),
  effects: 'none',
  timeoutMs: 30,
  maxResultChars: 50_000_000,
  failures: { insufficient_funds: 'budget_exhausted' },
  run: async ({ how }) => ways[how]?.() as { celsius: number },
});

const listing = defineTool({ name: 'listing', description: 'Lists.', effects: 'none', run: () => [1, 2] });
const deny: Guard = defineGuard({ name: 'deny', phase: 'policy', around: (call) => call.refuse('denied', 'The user said no.') });
const retry: Guard = defineGuard({
  name: 'retry',
  phase: 'retry',
  async around(_call, next) {
    const first = await next();
    return first.status === 'error' ? next() : first;
  },
});

function toolboxWith(options: OpenTelemetryOptions = {}, use: readonly Guard[] = []) {
  return createToolbox([forecast, listing], { telemetry: openTelemetry(options), use, report: () => {} });
}

const call = (how: string, options?: OpenTelemetryOptions, use?: readonly Guard[]) => () =>
  toolboxWith(options, use).call('forecast', { how });

let flaky = 0;
ways.flaky = () => {
  flaky += 1;
  return flaky === 1 ? raise(new HttpError('not yet')) : { celsius: 21 };
};

/** Every way a call can go, and everything that can be asked of its record. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  success: () =>
    toolboxWith().call('forecast', { how: 'ok' }, { callId: 'call_1', agentName: 'Weather Agent', conversationId: 'conv_1', userId: 'u' }),
  'http error': call('http error'),
  'value error': call('value error'),
  'typed error 500': call('typed error 500'),
  'typed error timeout': call('typed error timeout'),
  'returned error': call('returned error'),
  'returned fail': call('returned fail'),
  'thrown fail': call('thrown fail'),
  'fail with cause': call('fail with cause'),
  'declared code': call('declared code'),
  'system code': call('system code'),
  text: call('text'),
  'hostile proxy': call('proxy'),
  secret: call('secret', { spanEvents: true }),
  wrong: call('wrong'),
  bigint: call('bigint'),
  hang: call('hang'),
  partial: call('partial'),
  pending: call('pending'),
  denied: call('ok', {}, [deny]),
  cancelled: async () => {
    const controller = new AbortController();
    const outcome = toolboxWith().call('forecast', { how: 'hang' }, { signal: controller.signal });
    controller.abort();
    return outcome;
  },
  'invalid arguments': () => toolboxWith().answer({ name: 'forecast', args: { how: 1 } }),
  'arguments cut off': () => toolboxWith().answer({ name: 'forecast', args: '{"how":' }),
  'unknown tool': () => toolboxWith().answer({ name: 'drop_all_tables', args: {} }),
  retried: call('flaky', {}, [retry]),
  'retried in vain': call('http error', { attemptSpans: true }, [retry]),
  'twice the same call id': async () => {
    const toolbox = toolboxWith().with({ callId: 'call_1' });
    await toolbox.call('forecast', { how: 'ok' });
    await toolbox.call('forecast', { how: 'ok' });
  },
  'types of the application': call('http error', { errorType: ({ kind }) => `own.${kind}` }),
  'capture on span': () => toolboxWith({ capture: 'span' }).call('forecast', { how: 'list', password: secret }),
  'capture of a list': () => toolboxWith({ capture: 'span' }).call('listing', {}),
  'capture of a failure': call('http error', { capture: 'span' }),
  'capture with a redaction of its own': () =>
    toolboxWith({ capture: 'span', redact: (_content, what) => ({ what }) }).call('forecast', { how: 'ok' }),
  'capture with a broken redaction': () =>
    toolboxWith({ capture: 'span', redact: () => raise(new Error('redact')) }).call('forecast', { how: 'ok' }),
  'capture on event': () => toolboxWith({ capture: 'event' }).call('forecast', { how: 'list', password: secret }),
  'huge result': call('huge'),
  'huge result captured': call('huge', { capture: 'both' }),
  'server side': call('value error', { isServer: true }),
  'many codes': async () => {
    let count = 0;
    const wild = defineTool({
      name: 'wild',
      description: 'Fails in ever new ways.',
      run: () => {
        count += 1;
        throw fail('internal', 'No.', { code: `code_${count}` });
      },
    });
    const toolbox = createToolbox([wild], { telemetry: openTelemetry(), report: () => {} });
    for (let index = 0; index < 70; index += 1) await toolbox.call('wild', {});
  },
  'child span': async () => {
    const parent = defineTool({
      name: 'parent',
      description: 'Has a child.',
      async run() {
        await wait(0);
        trace.getTracer('app').startSpan('db query').end();
        return 1;
      },
    });
    return createToolbox([parent], { telemetry: openTelemetry() }).call('parent', {});
  },
  'trace from headers': () =>
    trace.getTracer('http').startActiveSpan('POST /tools', async (http) => {
      const headers = new Headers({ Traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
      const outcome = await continueTrace(headers, call('ok'));
      http.end();
      return { outcome, http: http.spanContext().spanId };
    }),
  'trace from and into MCP': () =>
    continueTrace({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, other: 1 }, async () => {
      let sent: unknown;
      const remote = defineTool({
        name: 'remote',
        description: 'Calls on.',
        run: () => {
          sent = propagateTrace({ progressToken: 7 });
          return 1;
        },
      });
      await createToolbox([remote], { telemetry: openTelemetry() }).call('remote', {});
      return sent;
    }),
  'no trace in the carrier': () => continueTrace({ nothing: true }, call('ok')),
  langfuse: () =>
    toolboxWith({
      // The lines of docs/telemetry.md.
      enrich: ({ context: { sessionId, userId, runId } }) => ({
        'langfuse.session.id': sessionId,
        'langfuse.user.id': userId,
        ...(runId !== undefined && { 'langfuse.trace.tags': [`run:${runId}`] }),
      }),
    }).call('forecast', { how: 'http error' }, { runId: 'run_1', sessionId: 's', userId: 'u' }),
  'enriched by outcome': call('ok', {
    enrich: (_, outcome) => ({ 'app.phase': outcome?.status ?? 'begun', [`app.${outcome?.status ?? 'begun'}`]: true }),
  }),
  'broken enricher': call('ok', { enrich: () => raise(new Error('enrich')) }),
};
