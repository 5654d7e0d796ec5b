import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { type Failure, fail, type Outcome, ok, partial, pending, type ReservedCode } from '../outcome/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { unwrap } from './unwrap.ts';

// With zod: input, output and codes are inferred from the definition alone.
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({ amount: z.number(), note: z.string().default('') }),
  output: z.object({ id: z.string(), at: z.string().optional() }),
  failures: { insufficient_funds: 'conflict' },
  onFailure: { id: '' },
  toModel: (data) => data.id,
  examples: [{ input: { amount: 1 }, output: { id: 'x' } }],
  run: ({ amount, note }, { fail, signal, app }) => {
    expectTypeOf(amount).toEqualTypeOf<number>();
    expectTypeOf(note).toEqualTypeOf<string>();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    expectTypeOf(app).toEqualTypeOf<unknown>();
    if (amount > 5) throw fail('insufficient_funds', 'Too little.');
    if (amount > 4) return fail('conflict', 'No.');
    // @ts-expect-error: neither a kind nor a declared code
    fail('broke', 'x');
    return amount > 3 ? ok({ id: 'a' }, { message: 'Paid.' }) : { id: 'b' };
  },
});
expectTypeOf(pay.name).toEqualTypeOf<'pay'>();
expectTypeOf(pay.call).parameter(0).toEqualTypeOf<{ amount: number; note?: string | undefined }>();
expectTypeOf(pay.call({ amount: 1 })).resolves.toEqualTypeOf<
  Outcome<{ id: string; at?: string | undefined }, 'insufficient_funds' | ReservedCode>
>();
// @ts-expect-error: amount must be a number
void pay.call({ amount: '1' });
// @ts-expect-error: amount is missing
void pay.call({});

const paid = await pay.call({ amount: 1 });
expectTypeOf(unwrap(paid)).toEqualTypeOf<{ id: string; at?: string | undefined }>();
if (paid.status === 'ok') expectTypeOf(paid.data.id).toEqualTypeOf<string>();
if (paid.status === 'error') {
  expectTypeOf(paid.error).toEqualTypeOf<Failure<'insufficient_funds' | ReservedCode>>();
  if (paid.error.code === 'insufficient_funds') expectTypeOf(paid.error.kind).not.toBeNever();
  // @ts-expect-error: no such code
  if (paid.error.code === 'nope') void 0;
}

// With valibot and arktype the same.
const byValibot = defineTool({
  name: 'valibot',
  description: 'x',
  input: toStandardJsonSchema(v.object({ q: v.string(), n: v.optional(v.number(), 1) })),
  run: ({ q, n }) => {
    expectTypeOf(q).toEqualTypeOf<string>();
    expectTypeOf(n).toEqualTypeOf<number>();
    return { q, n };
  },
});
expectTypeOf(byValibot.call).parameter(0).toEqualTypeOf<{ q: string; n?: number | undefined }>();

const byArktype = defineTool({
  name: 'arktype',
  description: 'x',
  input: type({ q: 'string', 'n?': 'number' }),
  run: ({ q }) => q.length,
});
expectTypeOf(byArktype.call).parameter(0).toEqualTypeOf<{ q: string; n?: number }>();
expectTypeOf(byArktype.call({ q: '' })).resolves.toEqualTypeOf<Outcome<number, string>>();

// Without an output schema the data is what `run` returns, as JSON, replies unwrapped.
const free = defineTool({
  name: 'free',
  description: 'x',
  run: async (input) => {
    expectTypeOf(input).toEqualTypeOf<Record<string, never>>();
    if (Math.random() > 2) return fail('not_found', 'x');
    if (Math.random() > 3) return pending({ handle: 'h', reason: 'running' });
    if (Math.random() > 4) return partial({ at: new Date(), size: 1n }, []);
    return ok({ at: new Date(), size: 1n });
  },
});
const given = unwrap(await free.call({}));
expectTypeOf(given.at).toEqualTypeOf<string>();
expectTypeOf(given.size).toEqualTypeOf<string>();
const nothing = defineTool({ name: 'nothing', description: 'x', run: () => undefined });
expectTypeOf(nothing.call({})).resolves.toEqualTypeOf<Outcome<null, string>>();
const listed = defineTool({ name: 'listed', description: 'x', run: async () => new Map([['a', [1]]]) });
const passedOn = defineTool({ name: 'passed_on', description: 'x', run: (_, ctx) => free.call({}, ctx) });
expectTypeOf(unwrap(await passedOn.call({})).at).toEqualTypeOf<string>();
expectTypeOf(listed.call({})).resolves.toEqualTypeOf<Outcome<Record<string, number[]>, string>>();

// Mistakes in a definition are type errors.
// @ts-expect-error: the handler breaks its output schema
defineTool({ name: 'bad', description: 'x', output: z.object({ id: z.string() }), run: () => ({ id: 1 }) });
// @ts-expect-error: bankrupt is no kind
defineTool({ name: 'bad', description: 'x', failures: { broke: 'bankrupt' }, run: () => 1 });
// @ts-expect-error: the example breaks its schema
defineTool({ name: 'bad', description: 'x', input: z.object({ q: z.string() }), examples: [{ input: { q: 1 } }], run: () => 1 });
// @ts-expect-error: a text is no object
defineTool({ name: 'bad', description: 'x', input: z.string(), run: () => 1 });
// @ts-expect-error: a list is no object
defineTool({ name: 'bad', description: 'x', input: v.array(v.string()), run: () => 1 });
// @ts-expect-error: arktype's text is no object either
defineTool({ name: 'bad', description: 'x', input: type('string'), run: () => 1 });

// Steps exist in the context of tools that declare them, and only there.
defineTool({
  name: 'stepping',
  description: 'x',
  input: z.object({ q: z.string() }),
  steps: true,
  run: async ({ q }, { step, fail }) => {
    expectTypeOf(q).toEqualTypeOf<string>();
    const id = await step('send', async (key, signal) => ({ key, stopped: signal.aborted }), { effects: 'idempotent' });
    expectTypeOf(id).toEqualTypeOf<{ key: string; stopped: boolean }>();
    // @ts-expect-error: no such option
    await step('send', () => 1, { retries: 3 });
    return id.stopped ? fail('cancelled', 'x') : id;
  },
});
defineTool({
  name: 'stepping',
  description: 'x',
  steps: true,
  output: z.object({ id: z.string() }),
  run: (_input, { step }) => step('send', () => ({ id: 'a' })),
});
defineTool({
  name: 'stepping',
  description: 'x',
  input: z.object({ q: z.string() }),
  steps: true,
  run: async (_input, { step, sleep, waitFor }) => {
    expectTypeOf(await waitFor('ok', z.object({ yes: z.coerce.boolean() }), { message: 'Allow it?' })).toEqualTypeOf<{ yes: boolean }>();
    expectTypeOf(sleep(1)).toEqualTypeOf<Promise<void>>();
    await step('send', () => 1, { timeoutMs: 1, retry: { attempts: 2 }, reconcile: (key) => ({ effect: 'applied', data: key.length }) });
    // @ts-expect-error: what is found must be what the step gives
    await step('send', () => 1, { reconcile: () => ({ effect: 'applied', data: 'x' }) });
    // @ts-expect-error: an answer needs a schema
    await waitFor('ok');
    return null;
  },
});
// @ts-expect-error: sleep belongs to steps
defineTool({ name: 'plain', description: 'x', run: (_input, { sleep }) => sleep(1) });
// @ts-expect-error: waitFor belongs to steps
defineTool({ name: 'plain', description: 'x', run: (_input, { waitFor }) => waitFor('ok', z.object({})) });
// @ts-expect-error: steps were not declared
defineTool({ name: 'plain', description: 'x', run: (_input, { step }) => step('send', () => 1) });
// @ts-expect-error: steps are declared with true
defineTool({ name: 'plain', description: 'x', steps: false, run: () => 1 });

// The application's own context.
const inApp = defineTool.withContext<{ db: string }>()({
  name: 'in_app',
  description: 'x',
  run: (_input, { app }) => {
    expectTypeOf(app).toEqualTypeOf<{ db: string }>();
    return app.db;
  },
});
void inApp.call({}, { app: { db: 'x' } });
const checkedInApp = defineTool.withContext<{ db: string }>()({
  name: 'checked_in_app',
  description: 'x',
  input: z.object({ q: z.string() }),
  output: z.object({ size: z.number() }),
  failures: { no_db: 'not_ready' },
  toModel: ({ size }) => String(size),
  run: async ({ q }, { app, fail }) => (app.db === '' ? fail('no_db', 'x') : { size: q.length }),
});
expectTypeOf(checkedInApp.call({ q: '' }, { app: { db: 'x' } })).resolves.toEqualTypeOf<
  Outcome<{ size: number }, 'no_db' | ReservedCode>
>();
// @ts-expect-error: the application's context is typed
void inApp.call({}, { app: { db: 1 } });

// A toolbox is typed by name.
const toolbox = createToolbox([pay, byArktype, free]);
expectTypeOf(toolbox.call('pay', { amount: 1 })).resolves.toEqualTypeOf<
  Outcome<{ id: string; at?: string | undefined }, 'insufficient_funds' | ReservedCode>
>();
expectTypeOf(toolbox.call('arktype', { q: '' })).resolves.toEqualTypeOf<Outcome<number, string>>();
// @ts-expect-error: no such tool
void toolbox.call('nope', {});
// @ts-expect-error: the arguments of another tool
void toolbox.call('pay', { q: '' });
// @ts-expect-error: no such tool in the bound view either
void toolbox.with({ tenantId: 't' }).call('nope', {});
expectTypeOf(toolbox.with({ tenantId: 't' })).toEqualTypeOf(toolbox);
expectTypeOf(toolbox.answer({ name: 'anything', args: '{}' })).resolves.toEqualTypeOf<Outcome>();
