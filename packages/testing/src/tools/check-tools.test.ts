import { fromJsonSchema } from '@toolpact/openapi';
import { type AnyTool, createToolbox, defineTool, fail, type JsonObject, type ListedTool, type Outcome } from 'toolpact';
import { changePlan } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { type CheckToolsOptions, checkTools, reportOnTools } from './check-tools.ts';
import { defineToolCheck } from './tool-check.ts';
import { toolChecks } from './tool-checks.ts';
import type { ToolSubject } from './tool-subject.ts';

skipTime();

const quick = { schema: fromJsonSchema, timeoutMs: 100, graceMs: 100 };
const box = (...tools: AnyTool[]): ToolSubject => createToolbox(tools, { report: () => undefined }) as never;

/** A tool that keeps everything it must and should. */
const forecast = {
  name: 'forecast',
  description: 'Returns the weather for a city for the days to come.',
  input: z.object({ city: z.string().min(1).describe('The city.'), days: z.number().int().min(1).max(7).default(1).describe('1 to 7.') }),
  output: z.object({ celsius: z.number() }),
  effects: 'none',
  examples: [{ input: { city: 'Kyoto' } }],
  onFailure: { celsius: 0 },
  run: ({ city }: { city: string }) => ({ celsius: city.length }),
} as const;
const good = defineTool(forecast);
const { onFailure: _, ...withoutDefault } = forecast;

/** The good tool as another server would serve it, with some answers of their own. */
const foreign = (
  answer: (args: unknown, usual: () => Promise<Outcome>, signal?: AbortSignal) => Promise<Outcome>,
  listed: Partial<ListedTool> = {},
): ToolSubject => {
  const usual = box(good);
  return {
    list: async () => (await usual.list()).map((tool) => ({ ...tool, ...listed })),
    answer: (call, context) => answer(call.args, () => usual.answer(call, context), context?.signal),
  };
};
const listed = (changes: Partial<ListedTool> & { effectsDeclared?: boolean }): ToolSubject => foreign((_, usual) => usual(), changes);
const schema = (inputSchema: JsonObject): ToolSubject => listed({ inputSchema, examples: [] });
const never = (): Promise<never> => new Promise(() => undefined);
const changed = (change: (outcome: Outcome) => object): ToolSubject => foreign(async (_, usual) => change(await usual()) as Outcome);
/** The good tool, failing for every call, with more in its answer. */
const failed = (more: object): ToolSubject =>
  changed(({ meta }) => ({
    status: 'error',
    error: { kind: 'upstream', message: 'No.', recovery: 'wait', retryable: true, effect: 'none' },
    meta,
    ...more,
  }));
let flips = 0;

test('a tool that keeps everything gives no finding', async () => {
  expect(await checkTools(box(good), quick)).toEqual([]);
});

test('a tool that gives no list needs no default for failures', async () => {
  expect(await checkTools(box(defineTool(withoutDefault)), quick)).toEqual([]);
});

test('a tool that takes no arguments may overlook those it gets', async () => {
  const now = defineTool({ name: 'now', description: 'Tells what time it is.', effects: 'none', run: () => 'noon' });
  expect((await checkTools(box(now), quick)).map(({ check }) => check)).toEqual(['tools/output-declared']);
});

test.each([
  ['looks ahead', { type: 'string', pattern: '^(?=.*\\d)[a-z\\d]{4,8}$' }],
  ['says what must not be', { type: 'string', not: { pattern: '.' }, minLength: 3 }],
])('a schema that %s may be one that something fits', async (_, field) => {
  const input = fromJsonSchema({ type: 'object', properties: { a: field }, required: ['a'], additionalProperties: false });
  const tool = defineTool({ name: 'clever', description: 'Has clever arguments.', effects: 'none', input, run: () => 'yes' });
  const { tools, findings } = await reportOnTools(box(tool), { ...quick, only: ['schema-usable', 'names-the-field'] });
  expect(findings).toEqual([]);
  expect(tools[0]?.verdicts['tools/schema-usable']).toEqual({
    verdict: 'untested',
    why: 'its rules are too clever to find an input for; an example would show one',
  });
});

test('where nothing is known that fits, no single field is asked to be named', async () => {
  const clever = defineTool({ ...forecast, input: z.object({ city: z.string().regex(/^(?=.*\d)[a-z\d]{4,8}$/) }), examples: [] });
  const { tools } = await reportOnTools(box(clever as AnyTool), { ...quick, only: ['names-the-field', 'refuses-invalid'] });
  expect(tools[0]?.verdicts).toEqual({
    'tools/names-the-field': { verdict: 'untested', why: 'nothing with a wrong field was refused' },
    'tools/refuses-invalid': { verdict: 'kept' },
  });
});

test('a result that was cut is not asked to fit its schema', async () => {
  const cut = changed((outcome) =>
    outcome.status === 'ok' ? { ...outcome, data: '{"celsi', meta: { ...outcome.meta, truncated: true } } : outcome,
  );
  expect(await checkTools(cut, { ...quick, only: ['output-kept'] })).toEqual([]);
});

test('a tool that hangs is left alone after some calls', async () => {
  let runs = 0;
  const stuck = defineTool({
    ...forecast,
    run: () => {
      runs += 1;
      return never();
    },
  });
  await checkTools(box(stuck), { ...quick, only: ['no-bugs', 'output-kept', 'stable-kinds'] });
  expect(runs).toBe(2);
});

test('a call that is over before it can be stopped is not blamed for how it ends', async () => {
  const fails = defineTool({ ...forecast, run: () => ({ celsius: 'warm' }) as never });
  expect(await checkTools(box(fails), { ...quick, only: ['abort'] })).toEqual([]);
});

test('a tool that continues behind a pending answer is not late where the trial would not wait for that answer', async () => {
  const slow = defineTool({ ...forecast, deferAfterMs: quick.timeoutMs, run: never });
  const subject = createToolbox([slow], { store: memoryStore(), report: () => undefined }) as never;
  const { tools } = await reportOnTools(subject, { ...quick, only: ['in-time'] });
  expect(tools[0]?.verdicts).toEqual({
    'tools/in-time': { verdict: 'untested', why: 'it answers pending after 100 ms, and the trial waits 100 ms' },
  });
});

/** For each check, tools that break what it requires. */
const broken: Readonly<
  Record<string, readonly (readonly [title: string, subject: ToolSubject, message: RegExp, options?: CheckToolsOptions])[]>
> = {
  'tools/name': [
    ['has a space in its name', listed({ name: 'fore cast' }), /must be letters, digits/],
    [
      'has a twin but for a dash',
      {
        ...box(good),
        list: () => [{ ...(box(good).list() as ListedTool[])[0], name: 'fore_cast' } as ListedTool, ...(box(good).list() as ListedTool[])],
      },
      /looks the same as "forecast"/,
    ],
  ],
  'tools/description': [
    ['says nothing', listed({ description: ' ' }), /has no description/],
    ['repeats its name', listed({ description: 'Forecast.' }), /only repeats the name/],
    ['says a word', listed({ description: 'Weather' }), /too short/],
    ['tells a novel', listed({ description: 'a '.repeat(600) }), /has 1199 characters/],
  ],
  'tools/field-descriptions': [
    [
      'describes nothing',
      box(defineTool({ ...forecast, input: z.object({ city: z.string(), at: z.object({ lat: z.number() }) }), examples: [] })),
      /without a description: city, at, at\.lat/,
    ],
  ],
  'tools/examples': [['shows nothing', box(defineTool({ ...forecast, examples: [] })), /has no example/]],
  'tools/examples-fit': [
    ['shows what is refused', listed({ examples: [{ input: { days: 9 } }] }), /breaks the input schema/],
    ['shows another result', listed({ examples: [{ input: { city: 'Oslo' }, output: 'warm' }] }), /breaks the output schema/],
  ],
  'tools/effects-declared': [
    [
      'leaves a reader writing',
      box(defineTool({ ...forecast, name: 'get_forecast', effects: 'writes' })),
      /named like something that reads/,
    ],
    ['calls a writer harmless', box(defineTool({ ...forecast, name: 'mail:send_forecast' })), /named like something that writes/],
    ['says nothing', listed({ effectsDeclared: false }), /does not say/],
    [
      'leaves it to the default',
      box(defineTool({ name: 'tidy_up', description: 'Puts everything in its place.', run: () => 'done' })),
      /does not say/,
    ],
  ],
  'tools/portable-openai-strict': [
    ['takes any field', schema({ type: 'object', additionalProperties: { type: 'string' } }), /takes fields of any name/],
    [
      'has more choices than are taken',
      schema({ type: 'object', properties: { a: { enum: Array.from({ length: 3_000 }, (_, at) => `choice ${at}`) } } }),
      /3000 values/,
    ],
    ['is nested too deeply', schema(nested(12)), /12 levels of objects/],
  ],
  'tools/portable-gemini': [
    ['says what must not be', schema({ type: 'object', properties: { a: { not: { type: 'null' } } } }), /it uses not/],
  ],
  'tools/portable-anthropic': [
    ['is a union', schema({ type: 'object', oneOf: [{ type: 'object', properties: {} }] }), /must not be a union/],
  ],
  'tools/portable-mcp': [['takes a list', schema({ type: 'array' }), /root must be an object/]],
  'tools/schema-usable': [
    ['refers to nothing', schema({ type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }), /cannot be used/],
    [
      'allows nothing',
      schema({ type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^a$', minLength: 3 } } }),
      /no input was found/,
    ],
    [
      'has a pattern that refers back',
      schema({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)\\1$' } } }),
      /cannot be checked in bounded time/,
    ],
    [
      'must contain itself',
      schema({ type: 'object', required: ['a', 'b', 'c'], properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } } }),
      /no input was found/,
    ],
  ],
  'tools/always-answers': [
    ['throws', foreign(() => Promise.reject(new Error('boom'))), /it threw instead of answering: Error: boom/],
    [
      'throws at once',
      {
        ...foreign(never),
        answer: () => {
          throw new TypeError('at once');
        },
      },
      /it threw instead of answering: TypeError: at once/,
    ],
    ['hangs', foreign(never), /it did not answer: no answer within 200 ms$/],
    ['answers with a text', changed(() => 'fine' as never), /is not an object/],
    ['has a status of its own', changed((outcome) => ({ ...outcome, status: 'great' })), /status is "great"/],
    [
      'has a kind of its own',
      changed((outcome) => (outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, kind: 'oops' } } : outcome)),
      /kind "oops" is not in the catalogue/,
    ],
    [
      'contradicts itself',
      changed((outcome) => (outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, retryable: true } } : outcome)),
      /retryable, but its recovery/,
    ],
    [
      'says nothing about a failure',
      changed((outcome) => (outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, message: '' } } : outcome)),
      /says nothing/,
    ],
    ['calls its status like a property of every object', changed((outcome) => ({ ...outcome, status: 'valueOf' })), /status is "valueOf"/],
    [
      'gives what cannot be read',
      changed(() => ({
        get status() {
          throw new Error('no');
        },
      })),
      /the answer cannot be read \(/,
    ],
    ['gives no meta', changed(({ meta: _, ...rest }) => rest), /has no meta/],
    ['cannot be sent', changed((outcome) => ({ ...outcome, data: 1n })), /not plain JSON/],
  ],
  'tools/accepts-valid': [
    [
      'has a rule that is not described',
      box(defineTool({ ...forecast, input: z.object({ city: z.string().refine((city) => city === 'Kyoto') }) })),
      /refuses what its schema allows/,
    ],
  ],
  'tools/refuses-invalid': [
    ['takes everything', box(defineTool({ ...forecast, input: loose(forecast.input) })), /takes what its schema forbids/],
    [
      'calls it a bug',
      changed((outcome) =>
        outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, kind: 'internal', recovery: 'stop' } } : outcome,
      ),
      /calls bad arguments internal instead/,
    ],
  ],
  'tools/names-the-field': [
    [
      'only says no',
      changed((outcome) =>
        outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, message: 'Bad arguments.', issues: [] } } : outcome,
      ),
      /does not name the field/,
    ],
  ],
  'tools/no-bugs': [
    [
      'breaks on other scripts',
      box(defineTool({ ...forecast, run: ({ city }) => ({ celsius: /[^ -~]/.test(city) ? (undefined as never as string).length : 1 }) })),
      /ends as internal/,
    ],
  ],
  'tools/leaves-arguments-alone': [
    [
      'fills in what was missing',
      foreign((args, usual) => {
        if (typeof args === 'object' && args !== null) (args as { days: number }).days = 3;
        return usual();
      }),
      /arguments were changed/,
    ],
  ],
  'tools/output-declared': [['says nothing of its result', box(defineTool({ ...forecast, output: undefined })), /no output schema/]],
  'tools/output-kept': [
    ['gives a text', box(defineTool({ ...forecast, run: () => ({ celsius: 'warm' }) as never })), /withheld as invalid_output/],
    [
      'sends a text',
      changed((outcome) => (outcome.status === 'ok' ? { ...outcome, data: { celsius: 'warm' } } : outcome)),
      /does not fit the output schema/,
    ],
    ['has a schema that cannot be read', listed({ outputSchema: { $ref: '#/gone' } }), /output schema cannot be used/],
  ],
  'tools/default-declared': [
    ['leaves a hole', box(defineTool({ ...withoutDefault, output: z.array(z.number()), run: () => [1] })), /has no onFailure/],
    [
      'leaves a hole in a field',
      box(defineTool({ ...withoutDefault, output: z.object({ days: z.array(z.number()) }), run: () => ({ days: [1] }) })),
      /has no onFailure/,
    ],
  ],
  'tools/default-kept': [
    ['gives another form', failed({ fallback: 'none' }), /default does not fit/],
    [
      'has another default for long names',
      box(
        defineTool({ ...forecast, onFailure: (input) => ({ celsius: (input as { city: string }).city.length > 9 ? ('x' as never) : 0 }) }),
      ),
      /default does not fit/,
    ],
    [
      'cannot make its default',
      box(
        defineTool({
          ...forecast,
          onFailure: () => {
            throw new Error('no default');
          },
        }),
      ),
      /without the declared default/,
    ],
    ['passes its default off as a result', failed({ fallback: { celsius: 0 }, data: { celsius: 0 } }), /given as data too/],
  ],
  'tools/succeeds': [
    [
      'knows none of the arguments that are made up',
      box(
        defineTool({
          ...forecast,
          examples: [],
          run: ({ city }) => {
            if (city !== 'Reykjavik') throw fail('not_found', 'There is no such city.');
            throw new ReferenceError('degrees is not defined');
          },
        }),
      ),
      /no call of it succeeded, so its results were never seen/,
    ],
  ],
  'tools/stable-kinds': [
    [
      'changes its mind',
      box(
        defineTool({
          ...forecast,
          run: () => {
            flips += 1;
            return fail(flips % 2 === 0 ? 'conflict' : 'not_found', 'No.') as never;
          },
        }),
      ),
      /failed in two ways/,
    ],
  ],
  'tools/declared-codes': [
    [
      'has codes of its own',
      box(defineTool({ ...forecast, run: () => fail('conflict', 'No.', { code: 'sold_out' }) as never })),
      /code "sold_out" is not declared/,
    ],
  ],
  'tools/kinds-stated': [
    [
      'throws plain errors',
      box(
        defineTool({
          ...forecast,
          run: ({ city }) => {
            throw new Error(`The lid of ${JSON.stringify(city)} hangs askew.`);
          },
        }),
      ),
      /throws a plain Error in \d+ of \d+ calls: state its kind with fail, such as fail\('not_found', …\)/,
    ],
  ],
  'tools/honest-effect': [
    [
      'did something with refused arguments',
      changed((outcome) => (outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, effect: 'applied' } } : outcome)),
      /arguments were refused, and yet/,
    ],
    [
      'is a reader that writes',
      changed((outcome) =>
        outcome.status === 'ok'
          ? {
              status: 'error',
              error: { kind: 'upstream', message: 'No.', recovery: 'wait', retryable: true, effect: 'applied' },
              meta: outcome.meta,
            }
          : outcome,
      ),
      /no effects, but a failure says/,
    ],
    [
      'asks for a second payment',
      foreign(
        async (_, usual) => ({
          status: 'error',
          error: { kind: 'upstream', message: 'No.', recovery: 'wait', retryable: true, effect: 'unknown' },
          meta: (await usual()).meta,
        }),
        { effects: 'writes' },
      ),
      /unknown effect says it may be repeated/,
      { allowWrites: true },
    ],
  ],
  'tools/round-trips': [
    [
      'puts functions into answers',
      changed((outcome) => (outcome.status === 'ok' ? { ...outcome, content: [{ type: 'nonsense' }] } : outcome)),
      /cannot carry|loses/,
    ],
  ],
  'tools/no-stack': [
    [
      'returns its stack',
      box(
        defineTool({
          ...forecast,
          output: z.object({ trace: z.string() }),
          onFailure: { trace: '' },
          run: () => ({ trace: new Error('x').stack ?? '' }),
        }),
      ),
      /carries a stack trace/,
    ],
    [
      'is written in Python',
      changed((outcome) =>
        outcome.status === 'error'
          ? { ...outcome, error: { ...outcome.error, message: 'Traceback (most recent call last): city' } }
          : outcome,
      ),
      /carries a stack trace/,
    ],
  ],
  'tools/no-secrets': [
    [
      'tells the credential it was given',
      box(
        defineTool({
          ...forecast,
          output: z.object({ auth: z.unknown() }),
          onFailure: { auth: 0 },
          run: (_, { auth }) => ({ auth: JSON.stringify(auth) }),
        }),
      ),
      /carries the credential given to the call/,
    ],
    [
      'tells a variable',
      box(
        defineTool({
          ...forecast,
          output: z.object({ url: z.string() }),
          onFailure: { url: '' },
          run: () => ({ url: 'db at hunter2hunter2' }),
        }),
      ),
      /carries DB_PASSWORD/,
      { secrets: { DB_PASSWORD: 'hunter2hunter2' } },
    ],
    [
      'tells a key',
      box(
        defineTool({
          ...forecast,
          output: z.object({ note: z.string() }),
          onFailure: { note: '' },
          run: () => ({ note: 'use sk-abcdefghijklmnop1234' }),
        }),
      ),
      /looks like a credential/,
    ],
    [
      'has a field for passwords',
      box(
        defineTool({
          ...forecast,
          output: z.object({ password: z.string() }),
          onFailure: { password: '' },
          run: () => ({ password: 'correct horse' }),
        }),
      ),
      /field "password", which is named like a credential/,
    ],
  ],
  'tools/idempotency-kept': [
    ['has a new key for every call', guarded(() => Math.random()), /ran twice/, { allowWrites: true }],
    [
      'is served without its guard',
      { ...guarded(undefined), answer: (call, context) => box(unpromised(tool('pay'))).answer(call, context) },
      /both ran|ran twice|taken for other/,
      { allowWrites: true },
    ],
    ['knows a key and forgets what it was for', forgetful(), /^a key was taken for other arguments/, { allowWrites: true }],
  ],
  'tools/repeatable': [
    [
      'counts',
      box(
        defineTool({
          ...forecast,
          effects: 'idempotent',
          run: () => {
            flips += 1;
            return { celsius: flips };
          },
        }),
      ),
      /answered differently/,
    ],
  ],
  'tools/in-time': [['takes its time', box(defineTool({ ...forecast, run: never })), /took longer than 100 ms/]],
  'tools/deadline': [['waits for ever', foreign(never), /its deadline had passed/]],
  'tools/abort': [
    [
      'does not listen',
      foreign((_, usual, signal) => (signal === undefined ? usual() : box(good).answer({ name: 'forecast', args: { city: 'Oslo' } }))),
      /ran although its caller had stopped it before/,
    ],
    [
      'waits for ever once it is stopped',
      foreign((_, usual, signal) => (signal === undefined || signal.aborted ? usual() : never())),
      /after the caller had stopped the call/,
    ],
    [
      'calls it a bug',
      foreign(async (_, usual, signal) =>
        signal === undefined
          ? usual()
          : ({
              status: 'error',
              error: { kind: 'internal', message: 'AbortError', recovery: 'stop', retryable: false, effect: 'none' },
              meta: { tookMs: 1, attempts: 1 },
            } as Outcome),
      ),
      /called internal instead of cancelled/,
    ],
  ],
  'tools/stops': [['continues', box(defineTool({ ...forecast, run: never })), /continues after its call was stopped/]],
};

describe('every check can fail', () => {
  test.each(toolChecks.map(({ id }) => [id]))('%s has a broken subject', (id) => {
    expect(broken[id]?.length ?? 0).toBeGreaterThan(0);
  });

  const all = Object.entries(broken).flatMap(([id, subjects]) => subjects.map((one) => [id, one[0], one] as const));
  test.each(all)('%s finds the tool that %s', async (id, _, [, subject, message, options = {}]) => {
    const found = await checkTools(subject, { ...quick, ...options, only: [id] });
    expect(found.map((finding) => finding.message)).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
    expect(found.every(({ check, fix, tool: name }) => check === id && fix !== undefined && name !== undefined)).toBe(true);
  });
});

test('of a tool that waits for approval it is said that it was not run', async () => {
  const run = vi.fn(() => ({ celsius: 1 }));
  const asks = defineTool({ ...forecast, effects: 'writes', approval: true, run });
  const subject = createToolbox([asks], { store: memoryStore(), report: () => undefined }) as never;
  const { tools, findings } = await reportOnTools(subject, { ...quick, allowWrites: true, only: [asks.name] });
  expect([run.mock.calls, findings]).toEqual([[], []]);
  expect(tools[0]?.verdicts).toMatchObject({
    'tools/refuses-invalid': { verdict: 'kept' },
    'tools/no-secrets': { verdict: 'untested', notRun: 'approval' },
    'tools/in-time': { verdict: 'untested', notRun: 'approval' },
    'tools/no-bugs': { verdict: 'untested', notRun: 'approval' },
    'tools/output-declared': { verdict: 'kept' },
  });
});

test('tools that write are not run without permission, but their arguments are still judged', async () => {
  let runs = 0;
  const pay = defineTool({
    ...forecast,
    name: 'pay',
    effects: 'writes',
    run: () => {
      runs += 1;
      return { celsius: 1 };
    },
  });
  const notRunReason = await reportOnTools(box(pay), quick);
  expect(runs).toBe(0);
  expect(notRunReason.tools[0]?.verdicts).toMatchObject({
    'tools/refuses-invalid': { verdict: 'kept' },
    'tools/output-kept': { verdict: 'untested', notRun: 'writes' },
    'tools/abort': { verdict: 'untested' },
  });
  await checkTools(box(pay), { ...quick, allowWrites: true });
  expect(runs).toBeGreaterThan(5);
});

test('a writing tool that is far away is not called at all without permission', async () => {
  let calls = 0;
  const far = foreign(
    (_, usual) => {
      calls += 1;
      return usual();
    },
    { effects: 'writes' },
  );
  await checkTools(far, quick);
  expect(calls).toBe(0);
});

test('a fake runs in the place of a writing tool and is judged by its contract', async () => {
  let runs = 0;
  const pay = defineTool({
    ...forecast,
    name: 'pay',
    effects: 'writes',
    run: () => {
      runs += 1;
      return { celsius: 1 };
    },
  });
  const found = await checkTools(box(pay), { ...quick, fakes: { pay: () => ({ celsius: 'warm' }) } });
  expect(runs).toBe(0);
  expect(found.map(({ check }) => check)).toContain('tools/output-kept');
});

test.each<[string, ToolSubject]>([
  ['a tool that is not there', box(good)],
  ['a tool that is far away', listed({ name: 'pay' })],
])('a fake for %s is a mistake, because the real one would run', async (_, subject) => {
  await expect(checkTools(subject, { ...quick, allowWrites: true, fakes: { pay: () => null } })).rejects.toThrow(
    'a fake is meant for "pay", and there is no such tool at hand',
  );
});

test('a promise that guards keep is not judged where a fake runs without them', async () => {
  const { tools } = await reportOnTools(guarded(undefined), { ...quick, fakes: { pay: () => ({ celsius: 1 }) }, only: ['repeats'] });
  expect(tools[0]?.verdicts['tools/idempotency-kept']).toEqual({
    verdict: 'untested',
    why: 'a fake runs in its place, without its guards',
  });
});

test('a tool that may be repeated, but destroys something the first time, runs with leave only', async () => {
  let calls = 0;
  const far = foreign(
    (_, usual) => {
      calls += 1;
      return usual();
    },
    { effects: 'idempotent', mayDestroy: true } as Partial<ListedTool>,
  );
  await checkTools(far, quick);
  expect(calls).toBe(0);
  await checkTools(far, { ...quick, allowWrites: true });
  expect(calls).toBeGreaterThan(5);
});

test.each([
  [{ concurrency: Number.NaN }, '`concurrency` must be 1 or more'],
  [{ concurrency: 0 }, '`concurrency` must be 1 or more'],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, '`timeoutMs` and `graceMs` must be times to wait'],
  [{ graceMs: -1 }, '`timeoutMs` and `graceMs` must be times to wait'],
])('%o would judge nothing, and is refused', async (options, message) => {
  await expect(checkTools(box(good), options)).rejects.toThrow(message);
});

test('as many tools as there are can be tried at once', async () => {
  const { tools } = await reportOnTools(box(good), { ...quick, concurrency: Number.POSITIVE_INFINITY });
  expect(tools.map((one) => one.tool)).toEqual(['forecast']);
});

test('the same seed finds the same, from run to run', async () => {
  const hostile = (): ToolSubject => box(...hostileTools());
  const [first, second] = [await reportOnTools(hostile(), { ...quick, seed: 7 }), await reportOnTools(hostile(), { ...quick, seed: 7 })];
  expect(second).toEqual(first);
  expect(first.findings.length).toBeGreaterThan(5);
});

test('another seed tries other inputs', async () => {
  const seen = async (seed: number): Promise<string> => {
    const cities: string[] = [];
    await checkTools(
      box(
        defineTool({
          ...forecast,
          run: ({ city }) => {
            cities.push(city);
            return { celsius: 1 };
          },
        }),
      ),
      { ...quick, seed },
    );
    return cities.join();
  };
  expect(await seen(1)).not.toBe(await seen(2));
  expect(await seen(1)).toBe(await seen(1));
});

test('a tool that hangs does not keep the others from being judged', async () => {
  const found = await reportOnTools({ ...box(good), answer: never }, quick);
  expect(found.tools[0]).toMatchObject({ followsContract: false });
  const silent = foreign(async (_, usual) => {
    const { meta } = await usual();
    return { status: 'error', error: { kind: 'timeout', message: 'Late.', recovery: 'wait', retryable: true, effect: 'none' }, meta };
  });
  // Deadlines that passed show nothing of what a tool keeps.
  expect((await reportOnTools(silent, quick)).tools[0]?.verdicts).toMatchObject({
    'tools/in-time': { verdict: 'broken' },
    'tools/refuses-invalid': { verdict: 'untested' },
    'tools/no-secrets': { verdict: 'untested' },
    'tools/round-trips': { verdict: 'untested' },
  });
  const both = box(defineTool({ ...forecast, name: 'stuck', run: never }), good);
  expect((await reportOnTools(both, quick)).tools.map((one) => [one.tool, one.followsContract])).toEqual([
    ['stuck', true],
    ['forecast', true],
  ]);
});

test('a clock that a test has stopped stops no trial', async () => {
  vi.setTimerTickMode('manual');
  onTestFinished(() => void vi.setTimerTickMode('nextTimerAsync'));
  expect(await checkTools(box(good), quick)).toEqual([]);
});

test('fifty tools are judged, each reported once', async () => {
  const results: string[] = [];
  const fifty = Array.from({ length: 50 }, (_, at) => defineTool({ ...forecast, name: `forecast_${at}x` }));
  const { tools, findings } = await reportOnTools(box(...fifty), { ...quick, onProgress: ({ tool: name }) => results.push(name) });
  expect([tools.length, findings, new Set(results).size]).toEqual([50, [], 50]);
});

test('only takes tools, checks and groups, and refuses what is none', async () => {
  const only = async (...words: string[]): Promise<string[]> =>
    Object.keys((await reportOnTools(box(good), { ...quick, only: words })).tools[0]?.verdicts ?? {});
  expect(await only('tools/name')).toEqual(['tools/name']);
  expect(await only('forecast', 'output-kept')).toEqual(['tools/output-kept']);
  expect(await only('repeats')).toEqual(['tools/idempotency-kept', 'tools/repeatable']);
  await expect(checkTools(box(good), { only: ['forcast'] })).rejects.toThrow('"forcast" is not a tool, a check or a group of checks');
});

test("checks of one's own run with the others", async () => {
  const polite = defineToolCheck({
    id: 'acme/polite',
    group: 'words',
    requirement: 'Says please.',
    why: 'Manners.',
    fix: 'Say please.',
    *run({ tool: { description } }) {
      if (!description.includes('please')) yield { message: 'it is not polite' };
    },
  });
  expect(await checkTools(box(good), { ...quick, checks: [polite] })).toEqual([
    { check: 'acme/polite', level: 'must', tool: 'forecast', fix: 'Say please.', message: 'it is not polite' },
  ]);
});

test('evidence that refers to itself, or is no JSON, is still shown', async () => {
  const loop: Record<string, unknown> = { big: 9n };
  loop.self = loop;
  const odd = defineToolCheck({
    id: 'acme/odd',
    group: 'words',
    requirement: 'x',
    why: 'x',
    fix: 'x',
    *run() {
      yield { message: 'see', evidence: loop };
    },
  });
  const [finding] = await checkTools(box(good), { ...quick, checks: [odd], only: ['acme/odd'] });
  expect(JSON.stringify(finding)).toMatch(/^\{.*"evidence":\{"big":"9","self":\{"big":"9".*"self":"…"\}+$/);
});

test('a check that throws is a finding of that tool', async () => {
  const clumsy = defineToolCheck({
    id: 'acme/clumsy',
    group: 'words',
    requirement: 'x',
    why: 'x',
    fix: 'x',
    run: () => {
      throw new Error('oh');
    },
  });
  expect(await checkTools(box(good), { ...quick, checks: [clumsy] })).toMatchObject([
    { check: 'acme/clumsy', tool: 'forecast', message: 'it threw instead of answering: Error: oh' },
  ]);
});

test('hostile schemas and tools do not end the trial of other tools', async () => {
  const { tools } = await reportOnTools(box(...hostileTools()), quick);
  expect(tools.map((one) => one.tool)).toEqual(hostileTools().map(({ name }) => name));
});

function hostileTools(): AnyTool[] {
  const raw = (name: string, input: JsonObject, run: (args: never) => unknown = () => ({ celsius: 1 })): AnyTool =>
    defineTool({ name, description: 'A tool with something odd.', effects: 'none', input: fromJsonSchema(input), run: run as never });
  const tree: JsonObject = {
    type: 'object',
    properties: { left: { $ref: '#' }, right: { $ref: '#' }, more: { type: 'array', items: { $ref: '#' } } },
    required: [],
  };
  return [
    raw('tree', tree),
    raw('endless', { ...tree, required: ['left', 'right'] }),
    raw('many_choices', { type: 'object', properties: { a: { enum: Array.from({ length: 5_000 }, (_, at) => at) } } }),
    raw('odd_pattern', { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^(?=x)y$' } } }),
    raw('odd_names', {
      type: 'object',
      required: ['__proto__', 'constructor'],
      properties: JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "number"}, "a.b": {"type": "null"}}'),
    }),
    raw('many_fields', {
      type: 'object',
      required: Array.from({ length: 300 }, (_, at) => `f${at}`),
      properties: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, { type: 'integer', multipleOf: 7 }])),
    }),
    raw('contradiction', { type: 'object', properties: { a: { allOf: [{ type: 'string' }, { type: 'number' }] } }, required: ['a'] }),
    raw('throws_null', { type: 'object' }, () => {
      throw null;
    }),
    raw('throws_trap', { type: 'object' }, () => {
      throw new Proxy(
        {},
        {
          get: () => {
            throw new Error('trap');
          },
        },
      );
    }),
    raw('changes', { type: 'object', properties: { list: { type: 'array', items: { type: 'number' } } } }, (args: { list?: number[] }) => {
      args.list?.push(1);
      return args;
    }),
    raw('circular', { type: 'object' }, () => {
      const loop: { loop?: unknown } = {};
      loop.loop = loop;
      return loop;
    }),
    raw('hangs', { type: 'object' }, never),
    raw('leaks', { type: 'object' }, () => {
      throw new Error('password=hunter2hunter2 at /home/app/x.ts');
    }),
  ];
}

function nested(levels: number): JsonObject {
  return levels === 0
    ? { type: 'string' }
    : { type: 'object', additionalProperties: false, properties: { a: nested(levels - 1) }, required: ['a'] };
}

/** Publishes a schema and checks nothing. */
function loose<T extends typeof forecast.input>(strict: T): T {
  const { jsonSchema } = strict['~standard'] as never as { jsonSchema: unknown };
  return { '~standard': { version: 1, vendor: 'loose', validate: (value: unknown) => ({ value: value ?? {} }), jsonSchema } } as never;
}

function tool(name: string, key?: () => number): AnyTool {
  return defineTool({
    ...forecast,
    name,
    effects: 'writes',
    idempotency: key === undefined ? {} : { key },
    run: () => {
      flips += 1;
      return { celsius: flips };
    },
  });
}

function guarded(key: (() => number) | undefined): ToolSubject {
  return createToolbox([tool('pay', key)], { store: memoryStore(), report: () => undefined }) as never;
}

/** Keeps the outcome of each key, and gives it to every caller that has the key. */
function forgetful(): ToolSubject {
  const usual = guarded(undefined);
  const kept = new Map<string, Promise<Outcome>>();
  return {
    ...usual,
    answer: async (call, context) => {
      const key = context?.idempotencyKey;
      if (key === undefined) return usual.answer(call, context);
      const first = kept.get(key);
      if (first === undefined) kept.set(key, usual.answer(call, context));
      const outcome = await (kept.get(key) as Promise<Outcome>);
      return first === undefined ? outcome : { ...outcome, meta: { ...outcome.meta, replayed: true } };
    },
  };
}

function unpromised(made: AnyTool): AnyTool {
  return changePlan(made, { requires: [], guardOptions: {} });
}
