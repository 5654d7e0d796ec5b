import { convertToModelMessages, generateText, jsonSchema, type ModelMessage, tool, type UIMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { healHistory } from '../../src/history/index.ts';
import { anyConversation, anyDamage, damage, forms } from './any-history.ts';

const unknown =
  '[error: interrupted] The call was interrupted before its result was recorded.\nNext: It may have taken effect; check before repeating it.';
const ask: ModelMessage = { role: 'user', content: 'Book it.' };
const book: ModelMessage = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'book', input: { n: 1 } }] };
const asked: ModelMessage = {
  role: 'assistant',
  content: [...(book.content as never[]), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }],
};
const decided = (approved: boolean): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId: 'p', approved }],
});

test('the SDK refuses an unanswered call, and sends it once it is healed', async () => {
  const messages = [ask, book, ask];
  await expect(send(messages)).rejects.toThrow('Tool result is missing for tool call a.');
  const { prompt } = await send(healHistory(messages, { provider: 'ai-sdk' }));
  expect(prompt[2]).toMatchObject({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'book', output: { type: 'error-text', value: unknown } }],
  });
});

test('the SDK refuses a decision about a request that was cut away, and sends the rest once it is healed', async () => {
  const messages = [ask, decided(true)];
  await expect(send(messages)).rejects.toThrow('approval');
  const { prompt } = await send(healHistory(messages, { provider: 'ai-sdk' }));
  expect(prompt.map(({ role }) => role)).toEqual(['user']);
});

test('an approval that was never given reaches the model as a denial', async () => {
  const messages = [ask, asked, ask];
  await expect(send(messages)).rejects.toThrow('Tool result is missing');
  const { prompt } = await send(healHistory(messages, { provider: 'ai-sdk' }));
  expect(prompt[2]?.content[0]).toMatchObject({ output: { type: 'execution-denied', reason: expect.stringContaining('did not run') } });
});

test.each([
  [true, ['ran'], { type: 'json', value: { ref: 7 } }],
  [false, [], { type: 'execution-denied' }],
] as const)('a decision (%s) with which the conversation ends is still acted on', async (approved, ran, output) => {
  const sent = await send(healHistory([ask, asked, decided(approved)], { provider: 'ai-sdk' }));
  expect(sent.ran).toEqual(ran);
  expect(sent.prompt.at(-1)?.content).toMatchObject([{ type: 'tool-result', toolCallId: 'a', output }]);
});

test('UI messages are healed once they are model messages', async () => {
  const interrupted: UIMessage[] = [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Book it.' }] },
    { id: '2', role: 'assistant', parts: [{ type: 'tool-book', toolCallId: 'a', state: 'input-available', input: { n: 1 } }] },
  ];
  const messages = await convertToModelMessages(interrupted);
  await expect(send(messages)).rejects.toThrow('Tool result is missing');
  const { prompt } = await send(healHistory(messages));
  expect(prompt.at(-1)?.content).toMatchObject([{ toolCallId: 'a', output: { type: 'error-text', value: unknown } }]);
});

test('the SDK sends any history once it is healed, with every result in it', async () => {
  const anyDamaged = fc.tuple(anyConversation, anyDamage).map(([steps, all]) => damage(forms['ai-sdk'].write(steps), all));
  const property = fc.asyncProperty(anyDamaged, async (messages) => {
    const healed = healHistory(messages as unknown as ModelMessage[], { provider: 'ai-sdk' });
    fc.pre(healed.length > 0);
    const sent = JSON.stringify((await send(healed)).prompt);
    const results = JSON.stringify(messages).match(/result-\d+\./g) ?? [];
    expect(results.filter((result) => !sent.includes(result))).toEqual([]);
  });
  await fc.assert(property, propertyRuns(200));
});

/** Sends messages to a model that only listens, and gives what it was sent. */
async function send(messages: ModelMessage[]) {
  const ran: string[] = [];
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  });
  const tools = {
    book: tool({
      inputSchema: jsonSchema({ type: 'object' }),
      execute() {
        ran.push('ran');
        return { ref: 7 };
      },
    }),
  };
  await generateText({ model, messages, tools, maxRetries: 0 });
  return { prompt: model.doGenerateCalls[0]?.prompt ?? [], ran };
}
