import { type AnyTool, defineTool, fail, ok, partial, type StandardSchemaV1 } from 'toolpact';
import { sleep } from 'toolpact/internal';

/** The tools that an engine is judged with, and what they did. */
export interface EngineCases {
  readonly tools: readonly AnyTool[];
  /** Counts how often something ran. */
  readonly times: (what: string) => number;
  /** Resolves when something has run. */
  readonly happened: (what: string) => Promise<void>;
}

interface CaseInput {
  readonly id: string;
  readonly how?: string;
}

/** Creates the tools of one trial. They note what they do in this process, so the engine must run them here. */
export function createEngineCases(): EngineCases {
  const ran: string[] = [];
  const waiting = new Map<string, (() => void)[]>();
  const did = <TValue>(what: string, value: TValue): TValue => {
    ran.push(what);
    for (const tell of waiting.get(what) ?? []) tell();
    return value;
  };
  const times = (what: string): number => ran.filter((entry) => entry === what).length;
  const keyed = { idempotency: { key: ({ id }: CaseInput) => id } };
  const shape = { input: caseInput, jsonSchema: { input: caseSchema } };

  const tools = [
    defineTool({
      ...shape,
      name: 'engine_steps',
      description: 'Runs steps one after the other and side by side.',
      effects: 'writes',
      steps: true,
      ...keyed,
      async run({ id }, ctx) {
        const first = await ctx.step('read', (key) => did(`read ${id}`, key), { effects: 'none' });
        const [left, right] = await Promise.all([
          ctx.step('left', async (key) => did(`left ${id}`, key)),
          ctx.step('right', async (key) => did(`right ${id}`, key), { effects: 'idempotent' }),
        ]);
        const again = await ctx.step('left', (key) => did(`again ${id}`, key));
        return { keys: [first, left, right, again] };
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_effects',
      description: 'Fails, before, in or after a step.',
      effects: 'writes',
      steps: true,
      async run({ how }, ctx) {
        if (how === 'before') throw fail('not_found', 'Nothing was done.');
        await ctx.step('look', () => 1, { effects: 'none' });
        if (how === 'read only') throw fail('not_found', 'Nothing was done.');
        await ctx.step('write', () => {
          if (how === 'inside') throw new Error('It broke off.');
          if (how === 'inside, undone') throw fail('conflict', 'It was refused.', { effect: 'none' });
          return how === 'too large' ? 'x'.repeat(300_000) : 1;
        });
        throw fail('not_found', 'It was done.');
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_outcomes',
      description: 'Ends in every way a tool can end in.',
      effects: 'idempotent',
      failures: { no_stock: 'not_found' },
      run({ how }, ctx) {
        if (how === 'ok') return ok({ n: 1, list: [null, 'x'] }, { message: 'Done.', warnings: ['careful'], tokenUsage: { total: 3 } });
        if (how === 'partial') return partial({ good: 1 }, [{ index: 1, error: fail('timeout', 'Too slow.') }], { total: 2 });
        if (how === 'code') throw ctx.fail('no_stock', 'None left.', { details: { left: 0 }, data: { asked: 1 } });
        if (how === 'wait') throw fail('rate_limited', 'Slow down.', { retryAfterMs: 1500 });
        if (how === 'function') return { f: () => 1, big: 10n } as never;
        throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_flaky',
      description: 'Fails twice, then succeeds.',
      effects: 'none',
      ...keyed,
      run({ id }) {
        did(`flaky ${id}`, undefined);
        if (times(`flaky ${id}`) < 3) throw fail('not_found', 'Not yet.');
        return times(`flaky ${id}`);
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_again',
      description: 'Pays, and fails the first time after that.',
      effects: 'writes',
      steps: true,
      ...keyed,
      async run({ id }, ctx) {
        const paid = await ctx.step('pay', () => did(`pay ${id}`, times(`pay ${id}`)));
        await ctx.step('send', () => {
          did(`send ${id}`, undefined);
          if (times(`send ${id}`) === 1) throw fail('unreachable', 'Not now.', { effect: 'none' });
        });
        return paid;
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_slow',
      description: 'Takes its time, once per key.',
      effects: 'writes',
      ...keyed,
      async run({ id }, ctx) {
        did(`slow ${id}`, undefined);
        await sleep(50);
        return { user: ctx.userId, ids: ctx.ids };
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_waits',
      description: 'Sleeps, asks, and goes on.',
      effects: 'writes',
      steps: true,
      async run({ id }, ctx) {
        await ctx.step('before', () => did(`before ${id}`, 1));
        await ctx.sleep(20);
        const { colour } = await ctx.waitFor('colour', colourSchema, { message: 'Which colour?' });
        return ctx.step('after', () => did(`after ${id}`, colour));
      },
    }),
    defineTool({
      ...shape,
      name: 'engine_stuck',
      description: 'Goes on until it is stopped.',
      effects: 'idempotent',
      async run({ id }, { signal }) {
        did(`stuck ${id}`, undefined);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        did(`stopped ${id}`, undefined);
        throw signal.reason;
      },
    }),
  ];

  return {
    tools,
    times,
    happened: (what) =>
      new Promise((resolve) => {
        if (times(what) > 0) resolve();
        else waiting.set(what, [...(waiting.get(what) ?? []), resolve]);
      }),
  };
}

const caseSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, how: { type: 'string' } },
  required: ['id'],
} as const;

const caseInput: StandardSchemaV1<CaseInput, CaseInput> = {
  '~standard': { version: 1, vendor: 'toolpact', validate: (value) => ({ value: value as CaseInput }) },
};

/** Written by hand: the suite depends on no schema library. */
const colourSchema: StandardSchemaV1<{ readonly colour: string }, { readonly colour: string }> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { colour } = (value ?? {}) as { readonly colour?: unknown };
      return colour === 'red' || colour === 'blue' ? { value: { colour } } : { issues: [{ message: 'must be red or blue' }] };
    },
  },
};
