import type { Outcome, ReservedCode } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { createClient } from './create-client.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number().default(0) }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});
const pay = defineTool({
  name: 'shop:pay',
  description: 'Pays.',
  input: z.object({ amount: z.number() }),
  failures: { broke: 'conflict' },
  run: ({ amount }) => ({ at: new Date(0), amount }),
});
const toolbox = createToolbox([add, pay]);

// By the type of a toolbox: names, arguments, data and codes, nothing annotated.
const client = createClient<typeof toolbox>('http://127.0.0.1:1');
expectTypeOf(client.call('add', { a: 1 })).resolves.toEqualTypeOf<Outcome<{ sum: number }, string>>();
expectTypeOf(client.call('shop:pay', { amount: 1 }, { idempotent: true })).resolves.toEqualTypeOf<
  Outcome<{ at: string; amount: number }, 'broke' | ReservedCode>
>();
// @ts-expect-error: there is no such tool
void client.call('subtract', { a: 1 });
// @ts-expect-error: a must be a number
void client.call('add', { a: '1' });
// @ts-expect-error: amount is missing
void client.call('shop:pay', {});
void client.batch([
  { tool: 'add', args: { a: 1 } },
  { tool: 'shop:pay', args: { amount: 2 }, id: 'second' },
]);
// @ts-expect-error: these are the arguments of the other tool
void client.batch([{ tool: 'add', args: { amount: 1 } }]);
expectTypeOf(client.with({ runId: 'run_1' })).toEqualTypeOf(client);
// @ts-expect-error: there is no such tool
void client.schema('subtract');

// By the type of a list of tools.
type Tools = readonly [typeof add, typeof pay];
const listed = createClient<Tools>('http://127.0.0.1:1');
expectTypeOf(listed.call('add', { a: 1 })).resolves.toEqualTypeOf<Outcome<{ sum: number }, string>>();

// Without a type every name is taken, and data is unknown.
const untyped = createClient('http://127.0.0.1:1');
expectTypeOf(untyped.call('anything', { at: 'all' })).resolves.toEqualTypeOf<Outcome>();
void untyped.batch([{ tool: 'anything', args: {} }]);

// The run of a client can be given to the next one as it is.
createClient('http://x', { runId: createClient('http://x').runId });
