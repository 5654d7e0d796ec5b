import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toReactAgent, toTools } from '../../src/edges/adapters/langchain/index.ts';
import { createToolbox, defineTool, type Outcome } from '../../src/index.ts';
import { ScriptedModel } from '../battery/hosts/langchain.ts';

const book = defineTool({
  name: 'book_flight',
  description: 'Books.',
  input: z.object({ to: z.string() }),
  effects: 'none',
  run: ({ to }) => `to ${to}`,
});

const cases = [
  ['arguments that are no JSON', 'book_flight', '{"to" "Kyoto"}', 'invalid_input', /not valid JSON/],
  ['an unknown name', 'no_such_tool', '{}', 'unknown_tool', /There is no tool named "no_such_tool"/],
  ['a name in another spelling', 'BookFlight', '{"to":"Kyoto"}', 'ok', /to Kyoto/],
  ['a sound call', 'book_flight', '{"to":"Kyoto"}', 'ok', /to Kyoto/],
] as const;

test.each(cases.flatMap((one) => (['v1', 'v2'] as const).map((version) => [...one, version] as const)))(
  'the prebuilt agent answers %s',
  async (_, name, json, ends, text, version) => {
    const toolbox = createToolbox([book], { report: () => undefined });
    const outcomes: Outcome[] = [];
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const llm = new ScriptedModel([{ id: 'c1', name, args: {}, json }]);
    const agent = createReactAgent({ llm, version, ...toReactAgent(new ToolNode(toTools(toolbox)), toolbox) });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] });
    expect(messages.at(-1)?.text).toBe('all done');
    expect(llm.prompts[1]?.at(-1)).toMatchObject({ type: 'tool', tool_call_id: 'c1', content: expect.stringMatching(text) });
    expect(outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status))).toEqual([ends]);
  },
);
