import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fail, ToolFailure, ToolpactError } from '../outcome/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { causeOf } from './report.ts';
import { unwrap } from './unwrap.ts';

const report = () => undefined;
const base = { name: 'act', description: 'Acts.' };

describe('an unknown option', () => {
  test.each<[string, () => unknown, string]>([
    [
      'defineTool',
      () => defineTool({ ...base, efects: 'none', run: () => 1 } as never),
      'tool "act": the option "efects" does not exist. Did you mean "effects"?',
    ],
    ...Object.entries({
      inputSchema: 'input',
      parameters: 'input',
      schema: 'input',
      execute: 'run',
      handler: 'run',
      func: 'run',
      outputSchema: 'output',
      needsApproval: 'approval',
      toModelOutput: 'toModel',
    }).map(
      ([foreign, own]) =>
        [
          `defineTool by the name ${foreign} of another library`,
          () => defineTool({ ...base, [foreign]: () => 1, run: () => 1 } as never),
          `tool "act": the option "${foreign}" does not exist. Did you mean "${own}"?`,
        ] as [string, () => unknown, string],
    ),
    [
      'createToolbox',
      () => createToolbox([], { uses: [] } as never),
      'createToolbox: the option "uses" does not exist. Did you mean "use"?',
    ],
  ])('of %s is refused', (_, make, message) => {
    const error = (() => {
      try {
        return make();
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ToolpactError);
    expect(error).toMatchObject({ code: 'unknown_option', message });
  });

  test('of a context, in the type of a text, answers not_configured: a tenant that is a number is not no tenant', async () => {
    const box = createToolbox([defineTool({ ...base, run: (_: object, ctx) => ctx.tenantId })], { report });
    expect(await box.call('act', {}, { tenantId: 7 as never })).toMatchObject({
      status: 'error',
      error: {
        kind: 'not_configured',
        effect: 'none',
        message: '"tenantId" of the context must be a string; a number was given.',
        details: { key: 'tenantId', expected: 'a string' },
      },
    });
    expect(await box.call('act', {}, { tenantId: null as never })).toMatchObject({ status: 'ok' });
  });

  test('of a context answers not_configured and names the key', async () => {
    const tool = defineTool({ ...base, run: () => 1 });
    const box = createToolbox([tool], { report });
    const refused = {
      status: 'error',
      error: {
        kind: 'not_configured',
        effect: 'none',
        message: 'The context has an unknown key: "tenant".',
        advice: 'An operator has to write "tenantId".',
        details: { key: 'tenant', expected: 'tenantId' },
      },
    };
    const context = { tenant: 'acme' } as never;
    expect(await box.call('act', {}, context)).toMatchObject(refused);
    expect(await box.answer({ name: 'act' }, context)).toMatchObject(refused);
    expect(await box.with(context).call('act', {})).toMatchObject(refused);
    expect((await box.batch([{ tool: 'act' }], {}, context))[0]?.outcome).toMatchObject(refused);
    expect(await box.call('act', {}, { tenant: undefined, tenantId: 'acme' } as never)).toMatchObject({ status: 'ok' });
  });

  test('is not seen in the context of a running call, which may be given on', async () => {
    const inner = defineTool({ ...base, name: 'inner', run: () => 1 });
    const outer = defineTool({ ...base, run: async (_: object, ctx) => (await inner.call({}, ctx)).status });
    expect(await outer.call({})).toMatchObject({ data: 'ok' });
  });
});

test('onFailure is checked against the output schema', async () => {
  const output = z.object({ n: z.number() });
  const broken = { ...base, output, run: () => fail('upstream', 'Down.') };
  expect(() => defineTool({ ...broken, onFailure: { n: 'none' } as never })).toThrow('onFailure breaks the output schema: n: ');
  expect(await createToolbox([defineTool({ ...broken, onFailure: { n: 0 } })], { report }).call('act', {})).toMatchObject({
    fallback: { n: 0 },
  });
});

test.each([
  ['null', null],
  ['a function that gives null', () => null],
])('onFailure may be %s: no result, whatever the output schema says', async (_, onFailure) => {
  const tool = defineTool({ ...base, output: z.object({ n: z.number() }), run: () => fail('upstream', 'Down.'), onFailure });
  const outcome = await createToolbox([tool], { report }).call('act', {});
  expect(outcome).toMatchObject({ status: 'error', fallback: null });
  expect(outcome.meta.warnings).toBeUndefined();
});

test('what an onFailure function makes of refused arguments may echo them', async () => {
  const tool = defineTool({
    ...base,
    input: z.object({ n: z.number() }),
    output: z.object({ n: z.number() }),
    run: ({ n }) => ({ n }),
    onFailure: (input) => ({ n: (input as { n: number }).n }),
  });
  const outcome = await createToolbox([tool], { report }).answer({ name: 'act', args: { n: 'many' } });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input' }, fallback: { n: 'many' } });
});

test.each<[string, (input: unknown) => { n: number }, object]>([
  ['fits', () => ({ n: 0 }), { fallback: { n: 0 }, meta: { attempts: 1 } }],
  [
    'does not fit',
    () => ({ n: 'none' }) as never,
    { meta: { warnings: ['onFailure threw, or gave a value that breaks the output schema; there is no fallback'] } },
  ],
])('what an onFailure function makes is used where it %s the output schema', async (_, onFailure, expected) => {
  const tool = defineTool({ ...base, output: z.object({ n: z.number() }), run: () => fail('upstream', 'Down.'), onFailure });
  const outcome = await createToolbox([tool], { report }).call('act', {});
  expect(outcome).toMatchObject({ status: 'error', ...expected });
  expect('fallback' in outcome).toBe('fallback' in expected);
});

describe('the cause of a failure', () => {
  const lost = new Error('connection lost');
  const tool = defineTool({ ...base, run: () => Promise.reject(lost) });
  const box = createToolbox([tool], { report });

  test('is shown by the console', async () => {
    const outcome = await box.call('act', {});
    const shown = inspect(causeOf(outcome.status === 'error' ? outcome.error.debugId : undefined), { depth: 5 });
    expect(shown).toContain('connection lost');
    expect(shown).not.toContain('Getter');
    expect(causeOf(undefined)).toBeUndefined();
  });

  test('is the cause of what unwrap throws', async () => {
    const outcome = await box.call('act', {});
    expect(() => unwrap(outcome)).toThrow(ToolFailure);
    try {
      unwrap(outcome);
    } catch (thrown) {
      expect((thrown as Error).cause).toBe(lost);
    }
  });
});

describe('the time of a call', () => {
  test.each<[string, number | undefined, number | undefined, number | undefined, number]>([
    ['nothing is stated', undefined, undefined, undefined, 30_000],
    ['only the caller states one', undefined, undefined, 90_000, 90_000],
    ['only the tool states one', 50_000, undefined, undefined, 50_000],
    ['the tool caps the caller', 50_000, undefined, 90_000, 50_000],
    ['the caller asks for less', 50_000, undefined, 10_000, 10_000],
    ['the toolbox stands in for a tool that states none', undefined, 40_000, 90_000, 40_000],
    ['the tool may have more than its toolbox', 50_000, 40_000, 90_000, 50_000],
  ])('where %s', async (_, own, general, asked, expected) => {
    const tool = defineTool({
      ...base,
      ...(own && { timeoutMs: own }),
      run: (_: object, ctx) => Math.round(ctx.remainingMs / 1000) * 1000,
    });
    const box = createToolbox([tool], { report, ...(general && { timeoutMs: general }) });
    expect(await box.call('act', {}, asked === undefined ? {} : { timeoutMs: asked })).toMatchObject({ data: expected });
  });
});
