import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Evaluation, LoopOptions } from '../../../src/adapters/providers/evaluate-loop.ts';
import { PromptEvaluationError } from '../../../src/adapters/providers/prompt-evaluation-error.ts';
import type { ToolpactEvent } from '../../../src/events/index.ts';
import type { Guard } from '../../../src/extend.ts';
import { repeatBreaker } from '../../../src/guards/public.ts';
import { createToolbox, defineTool, type Outcome, toModelText } from '../../../src/index.ts';
import { defineGuard } from '../../../src/runtime/index.ts';
import { type Reply, type ScriptedServer, serveScript } from './scripted-server.ts';
import type { Told, Wire, WireCall } from './wire.ts';

/** One API of one provider, called through its official client. */
export interface ProviderApi {
  readonly adapter: string;
  readonly wire: Wire;
  /** Runs `evaluate` with the official client, without retries of its own, from a question or from an earlier history. */
  readonly evaluate: (origin: string, options: LoopOptions, history?: readonly unknown[]) => Promise<Evaluation<unknown, unknown>>;
}

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), days: z.number().int().optional() }),
  effects: 'none',
  async run({ city, days }, { fail, tenantId, signal }) {
    if (city === 'Atlantis') throw fail('not_found', 'There is no city named Atlantis.');
    if (city === 'Oslo') throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
    if (city === 'Limbo') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return { city, celsius: 21, ...(days !== undefined && { days }), ...(city === 'Rome' && { tenantId }) };
  },
});
const transfer = defineTool({
  name: 'transfer',
  description: 'Moves money.',
  input: z.object({ amount: z.number() }),
  run: ({ amount }) => `moved ${amount}`,
});
const newToolbox = (options = {}) => createToolbox([forecast, transfer], { report: () => undefined, ...options });

const call = (args: unknown, id = 'call_1', name = 'weather_forecast'): WireCall => ({
  id,
  name,
  json: typeof args === 'string' ? args : JSON.stringify(args),
});
const paris = call({ city: 'Paris' });
const done: Reply = { text: 'It is 21 degrees.' };
const notFound = '[error: not_found] There is no city named Atlantis.\nNext: Check the name or id before trying again.';

/** The behaviour that all providers share, streamed and not. */
export function checkProvider(title: string, api: ProviderApi): void {
  describe.each([
    [title, false],
    [`${title}, streamed`, true],
  ])('%s', (_title, stream) => {
    let server: ScriptedServer | undefined;
    afterEach(async () => {
      await server?.close();
      server = undefined;
    });

    async function run(replies: readonly Reply[], options: Partial<LoopOptions> = {}, history?: readonly unknown[]) {
      server = await serveScript(api.wire, replies);
      return api.evaluate(server.origin, { toolbox: newToolbox(), stream, ...options }, history);
    }
    /** Returns the tool results of the last request, by call id. */
    const told = (): Record<string, Told> => ({ ...api.wire.told(server?.requests.at(-1) as never) });
    const failureOf = (failing: Promise<unknown>) =>
      failing.then(
        () => expect.fail('it did not reject'),
        (error: unknown) => {
          expect(error).toBeInstanceOf(PromptEvaluationError);
          return error as PromptEvaluationError;
        },
      );

    test('answers a call and returns the final text', async () => {
      const evaluation = await run([{ text: 'Let me see.', calls: [paris] }, done]);
      expect(evaluation).toMatchObject({
        text: 'It is 21 degrees.',
        rounds: 2,
        usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
        outcomes: [{ status: 'ok', data: { city: 'Paris', celsius: 21 }, meta: { callId: 'call_1' } }],
      });
      expect(evaluation).not.toHaveProperty('stopped');
      expect(told().call_1?.text).toBe('{"city":"Paris","celsius":21}');
      expect(told().call_1?.failed ?? false).toBe(false);
    });

    test('returns a history that the provider accepts again', async () => {
      const { messages } = await run([{ calls: [paris, call({ city: 'Atlantis' }, 'call_2')] }, done]);
      await server?.close();
      // The id is one that the history has already.
      expect(await run([{ calls: [call({ amount: 5 }, 'call_1', 'transfer')] }, done], {}, messages)).toMatchObject({ rounds: 2 });
      expect(Object.keys(told())).toEqual(['call_1', 'call_2', 'call_1_2']);
    });

    test('keeps the siblings of calls that fail, in order, and tells each failure', async () => {
      const calls = [call({ city: 'Atlantis' }, 'a'), call({ city: 'Oslo' }, 'b'), call({ city: 'Paris' }, 'c')];
      const { outcomes } = await run([{ calls }, done]);
      expect(Object.keys(told())).toEqual(['a', 'b', 'c']);
      expect(told().a?.text).toBe(notFound);
      expect(told().b?.text).toMatch(/^\[error: rate_limited\] .*\nNext: Wait 3 s/);
      expect(told().c?.text).toBe('{"city":"Paris","celsius":21}');
      expect(Object.values(told()).map(({ failed }) => failed)).toEqual(
        api.adapter === 'openai' ? [undefined, undefined, undefined] : [true, true, false],
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['error', 'error', 'ok']);
    });

    test.each([
      ['an unknown tool', call({}, 'x', 'refund'), /^\[error: unknown_tool\] There is no tool named "refund"/],
      ['a tool that is nearly there', call({}, 'x', 'weather_forcast'), /Did you mean "weather_forecast"\?/],
      ['a name no provider takes back', call({}, 'x', 'look it up!'), /^\[error: unknown_tool\]/],
      ['a name in another spelling', call({ city: 'Paris' }, 'x', 'Weather-Forecast'), /"celsius":21/],
      ['a missing field', call({}, 'x'), /^\[error: invalid_input\] .*city/],
      ['arguments that are null', call('null', 'x'), /^\[error: invalid_input\] .*null was sent/],
      ['arguments that are a list', call('[1]', 'x'), /^\[error: invalid_input\] .*an array was sent/],
    ])('tells the model of %s and goes on', async (_what, sent, text) => {
      expect(await run([{ calls: [sent] }, done])).toMatchObject({ text: 'It is 21 degrees.', rounds: 2 });
      expect(told().x?.text).toMatch(text);
    });

    test('runs a call that was sent twice once, and tells two calls under one id apart', async () => {
      const calls = [paris, paris, call({ city: 'Rome' })];
      const { outcomes } = await run([{ calls }, done]);
      expect(outcomes.map((outcome) => outcome.input)).toEqual([{ city: 'Paris' }, { city: 'Rome' }]);
      expect(Object.keys(told())).toEqual(['call_1', 'call_1_2']);
    });

    test('tells ids apart that a server uses again in a later turn', async () => {
      expect(await run([{ calls: [paris] }, { calls: [paris] }, done])).toMatchObject({ rounds: 3, text: 'It is 21 degrees.' });
      expect(Object.keys(told())).toEqual(['call_1', 'call_1_2']);
    });

    test('stops after the last round, with every call answered', async () => {
      const evaluation = await run([{ calls: [paris] }, { text: 'Once more.', calls: [call({ city: 'Rome' }, 'call_2')] }], {
        maxRounds: 2,
      });
      expect(evaluation).toMatchObject({ stopped: 'max_rounds', rounds: 2, text: 'Once more.', outcomes: [{}, {}] });
      await server?.close();
      expect(await run([done], {}, evaluation.messages)).toMatchObject({ text: 'It is 21 degrees.' });
    });

    test('ends when the same failing call comes too often, with every call answered', async () => {
      const toolbox = newToolbox({ use: [repeatBreaker({ refuseAfter: 1, stopAfter: 3 })] });
      const turn = (id: string) => ({ calls: [call({ city: 'Atlantis' }, `a${id}`), call({ city: 'Paris' }, `b${id}`)] });
      const evaluation = await run([turn('1'), turn('2'), turn('3'), done], { toolbox });
      expect(evaluation).toMatchObject({ stopped: 'repeat', rounds: 3 });
      expect(
        evaluation.outcomes.map((outcome) => (outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status)),
      ).toEqual(['not_found', 'ok', 'repeat_refused', 'ok', 'repeat_refused', 'ok']);
      await server?.close();
      expect(await run([done], {}, evaluation.messages)).toMatchObject({ text: 'It is 21 degrees.' });
      expect(Object.keys(told())).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    });

    test.each([
      ['500', { status: 500 }, { kind: 'upstream', retryable: true }],
      ['429', { status: 429, headers: { 'retry-after': '7' } }, { kind: 'rate_limited', retryable: true, retryAfterMs: 7000 }],
      ['a web page', { body: '<!doctype html><title>Sign in</title>', type: 'text/html' }, { kind: 'bad_response' }],
      ['broken JSON', { body: '{"id": "x", "cho', type: stream ? 'text/event-stream' : 'application/json' }, { kind: 'bad_response' }],
      ['an empty object', { body: '{}', type: 'application/json' }, { kind: 'bad_response' }],
    ] as [string, Reply, object][])('raises when the provider answers with %s, and loses nothing', async (_what, reply, failure) => {
      const error = await failureOf(run([{ calls: [paris] }, reply]));
      expect(error.failure).toMatchObject(failure);
      expect(error.cause).toBeDefined();
      expect(error).toMatchObject({ rounds: 1, outcomes: [{ status: 'ok' }], usage: { totalTokens: 15 } });
      await server?.close();
      expect(await run([done], {}, error.messages)).toMatchObject({ text: 'It is 21 degrees.' });
    });

    test('raises when nobody listens', async () => {
      const { failure } = await failureOf(api.evaluate('http://127.0.0.1:2', { toolbox: newToolbox(), stream }));
      expect(failure).toMatchObject({ kind: 'unreachable', retryable: true });
    });

    test('raises nothing of a secret that the provider repeats', async () => {
      const body = JSON.stringify(api.wire.toError(401, 'Incorrect API key provided: sk-live-4f9a8b7c6d5e4f3a2b1c'));
      server = await serveScript(api.wire, [{ body, type: 'application/json' }]);
      const error = await failureOf(api.evaluate(server.origin, { toolbox: newToolbox(), stream }));
      expect(error.message).not.toContain('sk-live');
    });

    if (stream) {
      test.each(['end', 'reset'] as const)('raises when the stream breaks off in the middle (%s)', async (breaks) => {
        const error = await failureOf(run([{ calls: [paris] }, { breaks, turn: { text: 'It is 21 degrees.' }, after: 2 }]));
        expect(['bad_response', 'unreachable']).toContain(error.failure.kind);
        expect(error).toMatchObject({ rounds: 1, outcomes: [{ status: 'ok' }] });
      });

      test('never runs a call whose stream broke off', async () => {
        const { outcomes } = await failureOf(run([{ breaks: 'end', turn: { calls: [call({ amount: 5 }, 'x', 'transfer')] }, after: 1 }]));
        expect(outcomes).toEqual([]);
      });
    }

    test('tells the text as it comes', async () => {
      const pieces: string[] = [];
      const { text } = await run([{ text: 'One. ', calls: [paris] }, done], { onText: (piece) => pieces.push(piece) });
      expect(pieces.join('')).toBe('One. It is 21 degrees.');
      expect(pieces.length > 2).toBe(stream);
      expect(text).toBe('It is 21 degrees.');
    });

    test('runs no call before its siblings have passed their gates', async () => {
      const gate: Guard = defineGuard({
        name: 'gate',
        phase: 'approval',
        async around({ input, pending }, next) {
          await new Promise((resolve) => setImmediate(resolve));
          return (input as { city?: string }).city === 'Rome' ? pending({ handle: 'h', reason: 'approval' }) : next();
        },
      });
      const order: string[] = [];
      const note: Guard = defineGuard({
        name: 'note',
        phase: 'run',
        around: (_call, next) => {
          order.push('run');
          return next();
        },
      });
      const toolbox = newToolbox({ use: [gate, note] });
      toolbox.subscribe((event) => event.type === 'call-end' && order.push(`${event.callId} ends`));
      await run([{ calls: [paris, call({ city: 'Rome' }, 'call_2')] }, done], { toolbox });
      expect(order).toEqual(['call_2 ends', 'run', 'call_1 ends']);
      expect(told().call_2?.text).toMatch(/^\[pending: approval\]/);
    });

    test('is not broken by listeners that throw', async () => {
      const throws = () => {
        throw new Error('listener');
      };
      const toolbox = newToolbox({});
      toolbox.subscribe(throws);
      expect(await run([{ calls: [paris] }, done], { toolbox, onText: throws })).toMatchObject({ rounds: 2 });
    });

    test('ends with what there is when the caller stops it while the model thinks', async () => {
      const stop = new AbortController();
      const evaluation = await run([{ calls: [paris] }, { silent: () => stop.abort() }], { context: { signal: stop.signal } });
      expect(evaluation).toMatchObject({ stopped: 'aborted', rounds: 1, outcomes: [{ status: 'ok' }] });
      await server?.close();
      expect(await run([done], {}, evaluation.messages)).toMatchObject({ text: 'It is 21 degrees.' });
    });

    test('ends with every call answered when the caller stops it while tools run', async () => {
      const stop = new AbortController();
      const calls = [call({ city: 'Limbo' }, 'a'), call({ city: 'Paris' }, 'b')];
      const toolbox = newToolbox({});
      toolbox.subscribe((event) => event.type === 'call-end' && stop.abort());
      const evaluation = await run([{ calls }], { toolbox, maxRounds: 1, context: { signal: stop.signal } });
      expect(evaluation).toMatchObject({ stopped: 'aborted', outcomes: [{ error: { kind: 'cancelled' } }, { status: 'ok' }] });
      await server?.close();
      expect(await run([done], {}, evaluation.messages)).toMatchObject({ text: 'It is 21 degrees.' });
    });

    test('asks nothing when it was stopped before it began', async () => {
      expect(await run([], { context: { signal: AbortSignal.abort() } })).toMatchObject({ stopped: 'aborted', rounds: 0, outcomes: [] });
    });

    test('tells the toolbox of the prompt and of every call', async () => {
      const events: ToolpactEvent[] = [];
      const toolbox = newToolbox({ events: { emit: (event: ToolpactEvent) => events.push(event) } });
      await run([{ calls: [paris, call({ city: 'Atlantis' }, 'call_2')] }, done], {
        toolbox,
        context: { promptName: 'weather', sessionId: 's-1', conversationId: 'c-1' },
      });
      const facts = { adapter: api.adapter, promptName: 'weather', sessionId: 's-1', conversationId: 'c-1' };
      expect([events[0]?.type, events[1]?.type, events.at(-1)?.type]).toEqual(['tools-offered', 'prompt-start', 'prompt-end']);
      // The two calls run side by side, so only the order within each is promised.
      const byCall = Map.groupBy(events.slice(2, -1), (event) => ('invocationId' in event ? event.invocationId : ''));
      expect([...byCall.values()].map((ofCall) => ofCall.map(({ type }) => type))).toEqual([
        ['call-start', 'attempt-end', 'call-end'],
        ['call-start', 'attempt-end', 'call-end'],
      ]);
      expect(events[1]).toMatchObject(facts);
      expect(events.at(-1)).toMatchObject({ ...facts, rounds: 2, usage: { totalTokens: 30 } });
      const [first, second] = events.filter((event) => event.type === 'call-end');
      expect(first).toMatchObject({ promptName: 'weather', adapter: api.adapter, callId: 'call_1', outcome: { status: 'ok' } });
      expect(second).toMatchObject({
        callId: 'call_2',
        outcome: { status: 'error', error: { message: 'There is no city named Atlantis.' } },
      });
      expect(second && toModelText(second.outcome)).toBe(notFound);
    });

    test('tells the session of its context too', async () => {
      const types: string[] = [];
      const session = { id: 's-2', emit: ({ type }: ToolpactEvent) => types.push(type), forCall: () => undefined as never };
      await run([{ calls: [paris] }, done], { context: { session } });
      expect(types).toEqual(['tools-offered', 'prompt-start', 'call-start', 'attempt-end', 'call-end', 'prompt-end']);
    });

    test('tells the toolbox when the provider failed', async () => {
      const events: ToolpactEvent[] = [];
      await failureOf(run([{ status: 500 }], { toolbox: newToolbox({ events: { emit: (event: ToolpactEvent) => events.push(event) } }) }));
      expect(events.at(-1)).toMatchObject({ type: 'prompt-end', rounds: 0, error: { kind: 'upstream' } });
    });

    test('gives tools their context, and a few of them at a time', async () => {
      let [running, most] = [0, 0];
      const count: Guard = defineGuard({
        name: 'count',
        phase: 'run',
        async around(_call, next) {
          running += 1;
          most = Math.max(most, running);
          const outcome = await next();
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return outcome;
        },
      });
      const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => call({ city: 'Rome' }, id));
      const seen: Outcome[] = [];
      const toolbox = newToolbox({ use: [count] });
      toolbox.subscribe((event) => event.type === 'call-end' && seen.push(event.outcome));
      await run([{ calls }, done], { toolbox, concurrency: 2, context: { tenantId: 'acme' } });
      expect(most).toBe(2);
      expect(seen).toHaveLength(5);
      expect(told().e?.text).toBe('{"city":"Rome","celsius":21,"tenantId":"acme"}');
    });
  });
}
