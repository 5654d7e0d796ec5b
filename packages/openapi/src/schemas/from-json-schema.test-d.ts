import { createToolbox, defineTool } from 'toolpact';
import { expectTypeOf } from 'vitest';
import { fromJsonSchema } from './index.ts';

const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  input: fromJsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
  output: fromJsonSchema<{ text: string }>({ type: 'object' }),
  run: ({ name }) => ({ text: `Hello ${name}` }),
});
const outcome = await createToolbox([greet]).call('greet', { name: 'Ada' });
if (outcome.status === 'ok') expectTypeOf(outcome.data).toEqualTypeOf<{ text: string }>();
// @ts-expect-error the stated type counts
await greet.call({ name: 5 });

defineTool({
  name: 'open',
  description: 'Takes anything.',
  input: fromJsonSchema({ type: 'object' }),
  run: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
});
