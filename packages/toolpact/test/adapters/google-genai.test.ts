import { type Content, GoogleGenAI } from '@google/genai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerToolCalls, collectStream, evaluate, PromptEvaluationError, toTools } from '../../src/adapters/google-genai/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { geminiWire } from './providers/gemini-wire.ts';
import { checkProvider } from './providers/provider-suite.ts';
import { type Reply, type ScriptedServer, serveScript } from './providers/scripted-server.ts';
import { partialText, pendingText, weatherToolbox as toolbox } from './providers/weather-toolbox.ts';
import type { ModelTurn } from './providers/wire.ts';

const model = 'gemini-3';
const clientOf = (baseUrl: string) => new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl, retryOptions: { attempts: 1 } } });

checkProvider('generateContent', {
  adapter: 'google-genai',
  wire: geminiWire,
  evaluate: (origin, options, contents) =>
    evaluate({
      client: clientOf(origin),
      params: { model, contents: (contents as Content[] | undefined) ?? 'How is the weather?' },
      ...options,
    }),
});

let server: ScriptedServer | undefined;
afterEach(() => server?.close());
async function serve(replies: readonly Reply[]): Promise<GoogleGenAI> {
  server = await serveScript(geminiWire, replies);
  return clientOf(server.origin);
}
const call = (json: string, name = 'weather_forecast', id = 'call_1') => ({ id, name, json });
const done = { text: 'Done.' };
const answerOf = (turn: ModelTurn) => geminiWire.toJson(turn) as Parameters<typeof answerToolCalls>[0];
const told = () => geminiWire.told(server?.requests.at(-1) as never);

describe('toTools', () => {
  test('gives all functions as one tool', () => {
    const [tool, ...more] = toTools(toolbox);
    expect(more).toEqual([]);
    expect(tool?.functionDeclarations[0]).toEqual({
      name: 'weather_forecast',
      description: 'Returns the weather for a city.',
      parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
    });
    expect(toTools(createToolbox([]))).toEqual([]);
  });

  test('says at once which field of which tool Gemini does not take', () => {
    const both = defineTool({
      name: 'both',
      description: 'Takes both.',
      input: z.object({ pair: z.unknown() }),
      jsonSchema: { input: { type: 'object', properties: { pair: { allOf: [{ type: 'object' }, { type: 'string' }] } } } },
      run: () => null,
    });
    expect(() => toTools(createToolbox([both]))).toThrow(
      'tool "both": the field "pair" cannot be lowered: its allOf parts contradict each other: the type is "object" in one and "string" in another (gemini).',
    );
  });
});

describe('answerToolCalls', () => {
  test('gives one content with a response per call, in order, failures under error', async () => {
    const calls = [call('{"city":"Atlantis"}', undefined, 'a'), call('{"city":"Rome"}', undefined, '')];
    expect(await answerToolCalls(answerOf({ calls }), toolbox)).toEqual([
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'a',
              name: 'weather_forecast',
              response: { error: '[error: not_found] There is no city named Atlantis.\nNext: Check the name or id before trying again.' },
            },
          },
          { functionResponse: { name: 'weather_forecast', response: { output: { city: 'Rome' } } } },
        ],
      },
    ]);
  });

  test('tells the truth about answers that are neither result nor failure, and shows pictures after them', async () => {
    const calls = [call('{}', 'photo', 'c'), call('{"what":"some"}', 'order', 'a'), call('{"what":"later"}', 'order', 'b')];
    const [content] = await answerToolCalls(answerOf({ calls }), toolbox);
    expect(content?.parts).toEqual([
      { functionResponse: { id: 'c', name: 'photo', response: { output: 'A cat.' } } },
      { functionResponse: { id: 'a', name: 'order', response: { output: partialText } } },
      { functionResponse: { id: 'b', name: 'order', response: { output: pendingText } } },
      { text: 'Shown by photo (c):' },
      { inlineData: { data: 'aGk=', mimeType: 'image/png' } },
    ]);
  });

  test('answers in words what Gemini itself could not read', async () => {
    const candidate = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: forecast(city=' };
    expect(await answerToolCalls({ candidates: [candidate] }, toolbox)).toEqual([
      {
        role: 'user',
        parts: [
          {
            text: '[error: invalid_input] Your function call was malformed and did not run. Malformed function call: forecast(city=\nSend the call again.',
          },
        ],
      },
    ]);
  });

  test('gives nothing where nothing was called, and rejects what is no answer', async () => {
    expect(await answerToolCalls(answerOf(done), toolbox)).toEqual([]);
    for (const wrong of [{}, null, 'text', { candidates: [] }]) {
      await expect(answerToolCalls(wrong as never, toolbox)).rejects.toBeInstanceOf(PromptEvaluationError);
    }
  });

  test('takes a stream that was put together', async () => {
    const client = await serve([{ text: 'Let me see.', calls: [call('{"city":"Rome"}'), call('{}', 'photo', 'call_2')] }]);
    const pieces: string[] = [];
    const answer = await collectStream(await client.models.generateContentStream({ model, contents: 'Weather?' }), (piece) =>
      pieces.push(piece),
    );
    expect(pieces.join('')).toBe('Let me see.');
    expect(answer.candidates?.[0]?.content).toMatchObject({
      role: 'model',
      parts: [{ text: 'Let me see.' }, { functionCall: { id: 'call_1' }, thoughtSignature: 'c2ln' }, { functionCall: { id: 'call_2' } }],
    });
    const [content] = await answerToolCalls(answer, toolbox);
    expect(content?.parts.slice(0, 2)).toMatchObject([{ functionResponse: { id: 'call_1' } }, { functionResponse: { id: 'call_2' } }]);
  });
});

describe.each([[false], [true]])('evaluate, streamed: %s', (stream) => {
  test('answers calls without ids by their order, and keeps signatures', async () => {
    const client = await serve([{ calls: [call('{"city":"Rome"}', undefined, ''), call('{"city":"Oslo"}', undefined, '')] }, done]);
    const { messages } = await evaluate({ client, toolbox, stream, params: { model, contents: 'Weather?' } });
    expect(told()).toMatchObject({ 'weather_forecast#0': { text: '{"city":"Rome"}' }, 'weather_forecast#1': { text: '{"city":"Oslo"}' } });
    expect(messages[1]).toMatchObject({ role: 'model', parts: [{ thoughtSignature: 'c2ln' }, { thoughtSignature: 'c2ln' }] });
    expect(JSON.stringify(server?.requests[1])).not.toContain('"id"');
  });

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])(
    'tells the model of a call that Gemini could not read (%s)',
    async (finishReason) => {
      const raw = { candidates: [{ index: 0, content: {}, finishReason, finishMessage: 'forecast(city=' }] };
      const client = await serve([stream ? { body: `data: ${JSON.stringify(raw)}\n\n`, type: 'text/event-stream' } : { raw }, done]);
      const evaluation = await evaluate({ client, toolbox, stream, params: { model, contents: 'Weather?' } });
      expect(evaluation).toMatchObject({ text: 'Done.', rounds: 2, outcomes: [] });
      expect(evaluation.messages[1]).toMatchObject({
        role: 'user',
        parts: [{ text: expect.stringMatching(/^\[error: invalid_input\] You.*\n.*Send the call again/) }],
      });
    },
  );

  test('keeps thoughts in the history and out of the text', async () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Done.', thoughtSignature: 'c2ln' },
    ];
    const raw = { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }] };
    const client = await serve([stream ? { body: `data: ${JSON.stringify(raw)}\n\n`, type: 'text/event-stream' } : { raw }]);
    const told: string[] = [];
    const evaluation = await evaluate({
      client,
      toolbox,
      stream,
      onText: (text) => told.push(text),
      params: { model, contents: 'Weather?' },
    });
    expect(evaluation.text).toBe('Done.');
    expect(told).toEqual(['Done.']);
    expect(evaluation.messages[1]).toEqual({ role: 'model', parts });
  });

  test('ends where Gemini refuses the prompt', async () => {
    const raw = { promptFeedback: { blockReason: 'SAFETY' } };
    const client = await serve([stream ? { body: `data: ${JSON.stringify(raw)}\n\n`, type: 'text/event-stream' } : { raw }]);
    expect(await evaluate({ client, toolbox, stream, params: { model, contents: 'Weather?' } })).toMatchObject({
      text: '',
      rounds: 1,
      response: { promptFeedback: { blockReason: 'SAFETY' } },
    });
  });

  test('takes arguments that are no object without breaking the history', async () => {
    const client = await serve([{ calls: [call('{"city": x}')] }, done]);
    await evaluate({ client, toolbox, stream, params: { model, contents: 'Weather?' } });
    expect(told().call_1?.text).toMatch(/not valid JSON at character/);
    expect(geminiWire.argumentsIn(server?.requests[1] as never)).toEqual({ call_1: { malformed_arguments: '{"city": x}' } });
  });
});

describe('evaluate', () => {
  const user = (...parts: object[]) => ({ role: 'user', parts });
  test.each([
    ['a text', 'Hi', [user({ text: 'Hi' })]],
    ['parts', ['Hi', { text: 'there' }], [user({ text: 'Hi' }, { text: 'there' })]],
    ['one content', user({ text: 'Hi' }), [user({ text: 'Hi' })]],
    ['contents', [user({ text: 'Hi' })], [user({ text: 'Hi' })]],
  ])('takes %s as contents', async (_what, contents, sent) => {
    const client = await serve([done]);
    await evaluate({ client, toolbox, params: { model, contents } });
    expect(server?.requests[0]?.contents).toEqual(sent);
  });

  test.each([
    ['a name that only Gemini takes', 'fs.read', { functionDeclarations: [{ name: 'fs.read' }] }],
    [
      'a tool that brings its functions along',
      'remote',
      { tool: async () => ({ functionDeclarations: [{ name: 'remote' }] }), callTool: async () => [] },
    ],
  ])('leaves a call of the application’s own to it: %s', async (_what, name, tool) => {
    server = await serveScript({ ...geminiWire, check: () => undefined }, [{ calls: [call('{}', name, 'a')] }]);
    const evaluation = await evaluate({
      client: clientOf(server.origin),
      toolbox,
      params: { model, contents: 'Hi', config: { tools: [tool] } },
    });
    expect(evaluation).toMatchObject({ stopped: 'host', outcomes: [] });
    expect(evaluation.messages[1]).toMatchObject({ parts: [{ functionCall: { name } }] });
  });

  test.each([
    ['more to come', { name: 'transfer', willContinue: true }],
    ['pieces of its arguments', { name: 'transfer', partialArgs: [{ jsonPath: '$.amount', numberValue: 5 }] }],
  ])('asks for calls in one piece, and runs none that has %s', async (_what, functionCall) => {
    const toolConfig = { functionCallingConfig: { allowedFunctionNames: ['transfer'], streamFunctionCallArguments: true } };
    const asked: { config?: object }[] = [];
    const client = {
      models: {
        generateContent: async () => ({}),
        async generateContentStream(params: { config?: object }) {
          asked.push(params);
          return (async function* () {
            yield { candidates: [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }] };
          })();
        },
      },
    };
    const running = evaluate({
      client: client as never as GoogleGenAI,
      toolbox,
      stream: true,
      params: { model, contents: 'Hi', config: { toolConfig } },
    });
    await expect(running).rejects.toMatchObject({ failure: { kind: 'bad_response' }, outcomes: [] });
    expect(asked[0]?.config).toMatchObject({ toolConfig: { functionCallingConfig: { allowedFunctionNames: ['transfer'] } } });
    expect(JSON.stringify(asked)).not.toContain('streamFunctionCallArguments');
  });

  test('sends the configuration along, and leaves calls of other functions to the application', async () => {
    const client = await serve([{ calls: [call('{}', 'mine', 'a'), call('{"city":"Rome"}', undefined, 'b')] }]);
    const config = { temperature: 0, tools: [{ functionDeclarations: [{ name: 'mine' }] }] };
    const evaluation = await evaluate({ client, toolbox, params: { model, contents: 'Hi', config } });
    expect(evaluation).toMatchObject({ stopped: 'host', outcomes: [{ status: 'ok' }] });
    expect(server?.requests[0]).toMatchObject({
      generationConfig: { temperature: 0 },
      tools: [{ functionDeclarations: [{ name: 'mine' }] }, { functionDeclarations: [{ name: 'weather_forecast' }, {}, {}, {}] }],
    });
  });
});
