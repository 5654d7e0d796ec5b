import { type GenerateRequest, genkit, type MessageData, restartTool, ToolInterruptError } from 'genkit';
import { genkit as genkitBeta } from 'genkit/beta';
import { logger } from 'genkit/logging';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { toMiddleware, toTools } from '../../src/adapters/genkit/index.ts';
import type { GenkitCall } from '../../src/adapters/genkit/tool.ts';
import { isControlFlow } from '../../src/adapters/genkit/tool.ts';
import { createToolbox, defineTool, type Outcome } from '../../src/index.ts';
import { picture, toolbox } from './weather-tool.ts';

logger.setLogLevel('error');

type Call = readonly [name: string, input: unknown];

/** A model that makes the calls, then answers; it keeps what it was sent. */
function scripted(calls: readonly Call[], ai = genkit({})) {
  const requests: GenerateRequest[] = [];
  const model = ai.defineModel({ name: 'scripted', supports: { tools: true, multiturn: true } }, async (request: GenerateRequest) => {
    requests.push(structuredClone(request));
    const made = calls.map(([name, input], index) => ({ toolRequest: { ref: `c${index + 1}`, name, input } }));
    return { message: { role: 'model', content: requests.length === 1 ? made : [{ text: 'done' }] }, finishReason: 'stop' };
  });
  const parts = (): MessageData['content'] => requests[1]?.messages.flatMap(({ content }) => content) ?? [];
  return {
    ai,
    model,
    requests,
    told: () => parts().flatMap(({ toolResponse }) => (toolResponse === undefined ? [] : [toolResponse])),
    history: () => parts().flatMap(({ toolRequest }) => (toolRequest === undefined ? [] : [toolRequest])),
  };
}

describe('what the model reads', () => {
  test.each([
    ['a result', 'Paris', { output: { city: 'Paris', celsius: 21 } }],
    ['a failure', 'Oslo', { output: { error: expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 3 s/) } }],
    ['a refusal', 'Atlantis', { output: { error: expect.stringMatching(/^\[error: denied\] Atlantis is off limits/) } }],
    ['a pending call', 'Bergen', { output: '[pending: approval] Waiting for approval. Tell the user. (handle: job-7)' }],
    ['a partial result', 'Nordland', { output: expect.stringMatching(/^\[partial\] 1 of 2 failed.*Bodø.*Narvik: failed: .*no station/s) }],
    [
      'a picture',
      'Svolvær',
      {
        output: '{"city":"Svolvær","celsius":3}\n[resource: https://example.com/a.pdf]',
        content: [{ media: { url: `data:image/png;base64,${picture}`, contentType: 'image/png' } }],
      },
    ],
  ])('%s arrives', async (_, city, response) => {
    const { ai, model, told } = scripted([['weather_forecast', { city }]]);
    const { text } = await ai.generate({ model, prompt: '?', tools: toTools(toolbox) });
    expect(text).toBe('done');
    expect(told()).toEqual([{ name: 'weather_forecast', ref: 'c1', ...response }]);
  });

  test.each<[fault: string, call: Call, kind: string, text: RegExp]>([
    ['bad arguments', ['weather_forecast', { city: 5 }], 'invalid_input', /city expected a string/],
    ['text in place of arguments', ['weather_forecast', '{"city": "Paris" "days": 2}'], 'invalid_input', /not valid JSON at character 17/],
    ['null', ['weather_forecast', null], 'invalid_input', /null was sent/],
    ['a list', ['weather_forecast', ['Paris']], 'invalid_input', /an array was sent/],
    ['an unknown name', ['refund', { sum: 1 }], 'unknown_tool', /There is no tool named "refund"/],
    ['an unknown name with a slash', ['bank/refund', { sum: 1 }], 'unknown_tool', /There is no tool named "bank_refund"/],
    ['a name that every object has', ['toString', { sum: 1 }], 'unknown_tool', /There is no tool named "toString_"/],
    ['the name of what all objects come from', ['__proto__', { sum: 1 }], 'unknown_tool', /There is no tool named "__proto___"/],
    ['no name', ['', { sum: 1 }], 'unknown_tool', /There is no tool named "unnamed"/],
  ])('%s is reported and classified', async (_, [name, input], kind, text) => {
    const outcomes: Outcome[] = [];
    const options = {};
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const { ai, model, told, history, requests } = scripted([[name, input]]);
    const response = await ai.generate({ model, prompt: '?', tools: toTools(toolbox, options), use: [toMiddleware(toolbox, options)] });
    expect(response.text).toBe('done');
    const [plain] = /(?<=named ")\w+/.exec(text.source) ?? [name];
    expect(told()).toMatchObject([{ name: plain, ref: 'c1', output: { error: expect.stringMatching(text) } }]);
    expect(history()).toMatchObject([{ name: plain, input }]);
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind }, meta: { callId: 'c1' } }]);
    expect(requests.map(({ tools }) => tools?.map((tool) => tool.name))).toEqual([['weather_forecast'], ['weather_forecast']]);
    expect(response.messages.flatMap(({ content }) => content).find((part) => part.toolResponse)?.metadata).toMatchObject({
      toolpact: { status: 'error', kind },
    });
  });

  test('a name in another spelling finds its tool', async () => {
    const { ai, model, told } = scripted([['Weather-Forecast', { city: 'Paris' }]]);
    await ai.generate({ model, prompt: '?', tools: toTools(toolbox), use: [toMiddleware(toolbox)] });
    expect(told()).toMatchObject([{ name: 'weather_forecast', output: { city: 'Paris', celsius: 21 } }]);
  });

  test('siblings of a lost call keep their results, and tools of others are left alone', async () => {
    const { ai, model, told } = scripted([
      ['refund', {}],
      ['weather_forecast', { city: 'Paris' }],
      ['own', {}],
    ]);
    const own = ai.defineTool({ name: 'own', description: 'Own.' }, async () => 'mine');
    await ai.generate({ model, prompt: '?', tools: [own, ...toTools(toolbox)], use: [toMiddleware(toolbox)] });
    expect(told()).toEqual(
      expect.arrayContaining([
        { name: 'refund', ref: 'c1', output: { error: expect.stringContaining('[error: unknown_tool]') } },
        { name: 'weather_forecast', ref: 'c2', output: { city: 'Paris', celsius: 21 } },
        { name: 'own', ref: 'c3', output: 'mine' },
      ]),
    );
  });

  test('the same tools serve many generations without a word of complaint', async () => {
    const log = vi.spyOn(console, 'error');
    const tools = toTools(toolbox);
    const middleware = toMiddleware(toolbox);
    for (const name of ['refund', 'weather_forecast']) {
      const { ai, model } = scripted([[name, { city: 'Paris' }]]);
      expect((await ai.generate({ model, prompt: '?', tools, use: [middleware] })).text).toBe('done');
    }
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });
});

describe('what the application gets', () => {
  test('calls that it wants to answer itself are handed over as they are', async () => {
    const { ai, model } = scripted([['refund', {}]]);
    const response = await ai.generate({
      model,
      prompt: '?',
      tools: toTools(toolbox),
      use: [toMiddleware(toolbox)],
      returnToolRequests: true,
    });
    expect(response.toolRequests).toMatchObject([{ toolRequest: { name: 'refund' } }]);
  });

  test('the caller who stops the generation frees the call', async () => {
    const outcomes: Outcome[] = [];
    const controller = new AbortController();
    const options = { context: { onProgress: () => controller.abort() } };
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const { ai, model } = scripted([['weather_forecast', { city: 'Limbo' }]]);
    await ai.generate({
      model,
      prompt: '?',
      tools: toTools(toolbox, options),
      use: [toMiddleware(toolbox)],
      abortSignal: controller.signal,
    });
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test.each(['weather_forecast', 'Weather.Forecast'])(
    'a handler (%s) interrupts through its host and goes on when it is restarted',
    async (name) => {
      const outcomes: Outcome[] = [];
      const report = vi.fn();
      const reported = createToolbox(toolbox.tools, { report });
      reported.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
      const context = (host: unknown) => {
        const { resumed, interrupt } = host as GenkitCall & { resumed?: { answer: string } };
        return { app: { ask: (question: string) => resumed?.answer ?? interrupt?.({ question, of: { deep: { down: [1] } } }) } as never };
      };
      const options = { context };
      const { ai, model, told } = scripted(
        [
          [name, { city: 'Delphi' }],
          ['refund', {}],
        ],
        genkitBeta({}) as never,
      );
      const asked = { model, tools: toTools(reported, options), use: [toMiddleware(reported, options)] };
      const first = await ai.generate({ ...asked, prompt: '?' });
      expect(first).toMatchObject({ finishReason: 'interrupted' });
      expect(first.interrupts).toMatchObject([{ metadata: { interrupt: { question: 'which oracle?' } } }]);
      expect(outcomes.find(({ meta }) => meta.callId === 'c1')).toMatchObject({ status: 'pending', pending: { reason: 'host' } });
      expect(report).toHaveBeenCalledTimes(1);
      const restart = restartTool(first.interrupts[0] as never, { answer: 'the Pythia' });
      const second = await ai.generate({ ...asked, messages: first.messages, resume: { restart } });
      expect(second.text).toBe('done');
      expect(told()).toMatchObject([
        { ref: 'c2', output: { error: expect.stringContaining('unknown_tool') } },
        { ref: 'c1', output: { city: 'Delphi', answer: 'the Pythia' } },
      ]);
    },
  );

  test("a handler may throw Genkit's own interrupt", async () => {
    const stop = defineTool({
      name: 'stop',
      description: 'Stops.',
      input: z.object({}),
      run: () => {
        throw new ToolInterruptError({ why: 'asked to' });
      },
    });
    const { ai, model } = scripted([['stop', {}]]);
    const response = await ai.generate({ model, prompt: '?', tools: toTools(createToolbox([stop], { report: () => undefined })) });
    expect(response.interrupts).toMatchObject([{ metadata: { interrupt: { why: 'asked to' } } }]);
    expect(isControlFlow(new ToolInterruptError())).toBe(true);
    expect(isControlFlow(new Error('ToolInterruptError'))).toBe(false);
  });
});
