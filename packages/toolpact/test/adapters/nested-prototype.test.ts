import { afterEach, expect, test } from 'vitest';
import type { BatteryHost } from '../../../../proofs/battery/host.ts';
import { createToolbox, defineTool, type JsonObject, type StandardSchemaV1 } from '../../src/index.ts';

/** A model may send `__proto__` at any depth of arguments that a schema lets through. No handler sees what it holds, in any framework. */

const files = [
  'adk',
  'ai-sdk',
  'anthropic',
  'genkit',
  'google-genai',
  'langchain',
  'langgraph',
  'mastra',
  'mcp-v1',
  'mcp-v2',
  'openai-agents',
  'openai-chat',
  'openai-responses',
  'strands',
  'tanstack-ai',
];
const json = '{"list":[{"deep":{"own":1,"__proto__":{"polluted":"P"},"constructor":{"prototype":{"polluted":"P"}}}}]}';

interface Input {
  readonly list: readonly { readonly deep: { readonly own?: number; readonly polluted?: string } }[];
}
/** Lets everything through; what it exports can be sent to every provider. */
const input: StandardSchemaV1<Input, Input> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as Input }) },
};
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const jsonSchema = { input: object({ list: { type: 'array', items: object({ deep: object({ own: { type: 'integer' } }) }) } }) };

afterEach(() => expect(({} as { polluted?: string }).polluted).toBe(undefined));

test.each(files)('%s', async (file) => {
  const { hosts } = (await import(`../../../../proofs/battery/hosts/${file}.ts`)) as { hosts: readonly BatteryHost[] };
  for (const { run } of hosts) {
    const seen: unknown[] = [];
    const look = defineTool({
      name: 'look',
      description: 'Looks at what it gets.',
      input,
      jsonSchema,
      effects: 'none',
      run({ list }) {
        const deep = list[0]?.deep ?? {};
        seen.push([deep.own, deep.polluted, Object.hasOwn(deep, '__proto__'), Object.getPrototypeOf(deep) === Object.prototype]);
        return 'looked';
      },
    });
    const toolbox = createToolbox([look], { report: () => undefined });
    const calls = [{ id: 'call-1', name: 'look', args: JSON.parse(json) as unknown, json }];
    const { toModel } = await run({ mode: 'toolpact', toolbox: toolbox as never, calls });
    expect(toModel['call-1']?.text).toContain('looked');
    expect(seen).toEqual([[1, undefined, false, true]]);
  }
});
