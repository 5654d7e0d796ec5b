import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { fail, summarize } from '../outcome/index.ts';
import type { Guard } from '../ports/index.ts';
import { defineTool } from '../runtime/define-tool.ts';
import { defineGuard } from '../runtime/guards/define-guard.ts';
import { causeOf } from '../runtime/report.ts';
import { createToolbox, type ToolboxOptions } from './create-toolbox.ts';

skipTime();

const named = (name: string, run: () => unknown = () => name) => defineTool({ name, description: `Does ${name}.`, effects: 'none', run });
const silent: ToolboxOptions = { report: () => undefined };

describe('names', () => {
  const toolbox = createToolbox([named('rag:search'), named('web:search'), named('get_weather'), named('rag:index')], silent);

  test.each([
    ['get_weather', 'get_weather'],
    ['GetWeather', 'get_weather'],
    ['get-weather', 'get_weather'],
    ['rag:search', 'rag:search'],
    ['rag_search', 'rag:search'],
    ['rag.search', 'rag:search'],
    ['RAG-Search', 'rag:search'],
    ['index', 'rag:index'],
  ])('%s finds %s', async (name, data) => {
    expect(await toolbox.answer({ name })).toMatchObject({ status: 'ok', data, meta: { tool: data } });
  });

  test.each([
    ['rag:search', 'ok'],
    ['rag_search', 'ok'],
    ['get_weather', 'ok'],
    ['GetWeather', 'Did you mean "get_weather"?'],
    ['rag.search', 'Did you mean "rag:search", "web:search"?'],
    ['index', 'Did you mean "rag:index"?'],
  ])('without repair %s is found exactly, in the form of providers, or not at all', async (name, expected) => {
    const tools = [named('rag:search'), named('web:search'), named('get_weather'), named('rag:index')];
    const outcome = await createToolbox(tools, { ...silent, repair: false }).answer({ name });
    expect(outcome.status === 'error' ? outcome.error.advice : outcome.status).toBe(expected);
  });

  test.each<[string, object]>([
    ['{"n":1}', { status: 'ok', data: { n: 1 } }],
    ['', { status: 'ok', data: {} }],
    ['{"n":1,}', { status: 'error', error: { kind: 'invalid_input' } }],
    ['"{}"', { status: 'error', error: { kind: 'invalid_input' } }],
  ])('without repair the arguments %j are read as they are', async (args, expected) => {
    const echo = defineTool({ name: 'echo', description: 'Echoes.', input: z.looseObject({}), effects: 'none', run: (input) => input });
    expect(await createToolbox([echo], { ...silent, repair: false }).answer({ name: 'echo', args })).toMatchObject(expected);
  });

  test.each([
    ['search', ['rag:search', 'web:search'], '"search" could mean "rag:search", "web:search".', /^Call one by its full name\.$/],
    ['rag:serch', ['rag:search', 'web:search'], 'There is no tool named "rag:serch".', /^Did you mean "rag:search", "[^"]+"\?$/],
    ['qqqq', ['rag:search', 'web:search', 'get_weather', 'rag:index'], 'There is no tool named "qqqq".', /^Available: "[^.]+"\.$/],
    ['', ['rag:search', 'web:search', 'get_weather', 'rag:index'], 'A tool name is needed.', /^Available: /],
    [undefined, ['rag:search', 'web:search', 'get_weather', 'rag:index'], 'A tool name is needed.', /^Available: /],
  ])('%j is answered with the nearest names', async (name, candidates, message, advice) => {
    const outcome = await toolbox.answer({ name: name as string });
    if (outcome.status !== 'error') expect.unreachable();
    expect(outcome.error).toMatchObject({ kind: 'unknown_tool', recovery: 'fix_input', effect: 'none' });
    const { candidates: given } = outcome.error.details as { candidates: string[] };
    expect([...given].sort()).toEqual([...candidates].sort());
    expect(outcome.error.message).toBe(message);
    expect(outcome.error.advice).toMatch(advice);
  });

  test('an endless or secret-looking name is cut and redacted', async () => {
    const outcome = await toolbox.answer({ name: 'sk-live-abcdefghijklmnopqrstuvwxyz'.repeat(1000) });
    expect(JSON.stringify(outcome)).not.toContain('abcdefghijklmnopqrstuvwxyz');
    expect(JSON.stringify(outcome).length).toBeLessThan(2000);
  });

  test('are listed with schemas and in the form providers accept', () => {
    expect(toolbox.list()[0]).toEqual({
      name: 'rag:search',
      providerName: 'rag_search',
      description: 'Does rag:search.',
      effects: 'none',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      examples: [],
    });
  });
});

describe('context', () => {
  test('is bound once and can be refined per call', async () => {
    const seen = defineTool({ name: 'seen', description: 'x', run: (_input, { tenantId, userId }) => ({ tenantId, userId }) });
    const bound = createToolbox([seen]).with({ tenantId: 'acme', userId: 'ada' });
    expect(await bound.call('seen', {})).toMatchObject({ data: { tenantId: 'acme', userId: 'ada' } });
    expect(await bound.call('seen', {}, { userId: 'bob' })).toMatchObject({ data: { tenantId: 'acme', userId: 'bob' } });
    expect(await bound.with({ tenantId: 'other' }).answer({ name: 'seen', callId: 'c1' })).toMatchObject({
      data: { tenantId: 'other' },
      meta: { callId: 'c1' },
    });
  });

  test('reaches the tool under names that may be taken out of it', async () => {
    const progress: unknown[] = [];
    const logs: unknown[] = [];
    const tool = defineTool.withContext<{ db: string }>()({
      name: 'act',
      description: 'x',
      run: (_input, { app, progress: tell, log, remainingMs, attempt, tool: name }) => {
        tell('half');
        tell({ done: 1, total: 2 });
        log('connected with Bearer abcdefghijklmnop1234', { password: 'hunter2' });
        return { db: app.db, left: remainingMs > 0 && remainingMs <= 30_000, attempt, name };
      },
    });
    const toolbox = createToolbox([tool]);
    toolbox.subscribe((event) => (event.type === 'log' || event.type === 'progress') && logs.push(event));
    const outcome = await toolbox.call('act', {}, { app: { db: 'main' }, onProgress: (step) => progress.push(step) });
    expect(outcome).toMatchObject({ data: { db: 'main', left: true, attempt: 1, name: 'act' } });
    expect(progress).toEqual([{ message: 'half' }, { done: 1, total: 2 }]);
    expect(logs).toMatchObject([
      { type: 'progress', tool: 'act', message: 'half' },
      { type: 'progress', tool: 'act', done: 1, total: 2 },
      { type: 'log', tool: 'act', details: { password: '[redacted]' } },
    ]);
    expect(JSON.stringify(logs)).not.toMatch(/hunter2|abcdefghijklmnop1234/);
  });
});

describe('listeners', () => {
  test('see every call start and end exactly once, whatever happened', async () => {
    const events: string[] = [];
    const toolbox = createToolbox(
      [named('good'), named('bad', () => fail('upstream', 'x')), named('slow', () => new Promise(() => undefined))],
      silent,
    );
    toolbox.subscribe((event) => {
      if (event.type === 'call-start') events.push(`start ${event.tool}`);
      if (event.type === 'call-end') events.push(`end ${event.tool} ${event.outcome.status}`);
    });
    await toolbox.answer({ name: 'good' });
    await toolbox.answer({ name: 'bad' });
    await toolbox.answer({ name: 'good', args: '{' });
    await toolbox.answer({ name: 'slow' }, { timeoutMs: 5 });
    await toolbox.answer({ name: 'none' });
    expect(events).toEqual([
      'start good',
      'end good ok',
      'start bad',
      'end bad error',
      'start good',
      'end good error',
      'start slow',
      'end slow error',
      'start none',
      'end none error',
    ]);
  });

  test('cannot break a call, by throwing, rejecting or breaking the console', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {
      throw new Error('console is gone');
    });
    const broken = () => {
      throw new Error('hook');
    };
    const rejecting = async () => broken();
    for (const hook of [broken, rejecting]) {
      const toolbox = createToolbox([named('good'), named('bad', () => fail('upstream', 'x'))], {
        report: hook,
      });
      toolbox.subscribe(hook);
      expect(await toolbox.answer({ name: 'good' })).toMatchObject({ status: 'ok' });
      expect(await toolbox.answer({ name: 'bad' })).toMatchObject({ status: 'error', error: { kind: 'upstream' } });
    }
    error.mockRestore();
  });

  test('hear the calls of a finished toolbox through every bound view, until they stop', async () => {
    const toolbox = createToolbox([named('good')], silent);
    await toolbox.answer({ name: 'good' });
    const heard: string[] = [];
    const stop = toolbox.with({ tenantId: 'acme' }).subscribe((event) => event.type === 'call-end' && heard.push(event.tenantId ?? 'none'));
    await toolbox.answer({ name: 'good' });
    await toolbox.with({ tenantId: 'other' }).call('good', {});
    await toolbox.batch([{ id: 'a', tool: 'good', args: {} }], {}, { tenantId: 'third' });
    stop();
    stop();
    await toolbox.answer({ name: 'good' });
    expect(heard).toEqual(['none', 'other', 'third']);
  });

  test('get the arguments redacted at the end too, while the caller has its own', async () => {
    const toolbox = createToolbox([named('good'), named('bad', () => fail('upstream', 'x'))], silent);
    const seen: unknown[] = [];
    toolbox.subscribe((event) => {
      if (event.type === 'call-start') seen.push(event.input);
      if (event.type === 'call-end') seen.push(event.outcome.input);
    });
    for (const name of ['good', 'bad', 'none']) {
      const outcome = await toolbox.answer({ name, args: { password: 'hunter2', q: 'x' } });
      if (name !== 'none') expect(outcome.input).toEqual({ password: 'hunter2', q: 'x' });
    }
    expect(seen).toHaveLength(6);
    expect(JSON.stringify(seen)).not.toContain('hunter2');
    expect(seen[1]).toEqual({ password: '[redacted]', q: 'x' });
  });

  test('that fail are problems for the others', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const toolbox = createToolbox([named('good')], silent);
    const problems: unknown[] = [];
    toolbox.subscribe(() => {
      throw new Error('first');
    });
    toolbox.subscribe(async () => {
      throw new Error('second');
    });
    toolbox.subscribe(() => new Promise(() => undefined));
    toolbox.subscribe((event) => event.type === 'problem' && problems.push(event));
    expect(await toolbox.answer({ name: 'good' })).toMatchObject({ status: 'ok' });
    await new Promise(setImmediate);
    const whereOf = (where: string) => expect.objectContaining({ type: 'problem', where });
    expect(problems).toEqual(expect.arrayContaining([whereOf('a listener of call-start'), whereOf('a listener of call-end')]));
    expect(problems.filter((problem) => JSON.stringify(problem).includes('second'))).toHaveLength(3);
    error.mockRestore();
  });

  test('that answer every event with another are stopped', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const toolbox = createToolbox([named('good')], silent);
    let heard = 0;
    toolbox.subscribe(() => {
      heard += 1;
      toolbox.emit({ type: 'prompt-start' });
    });
    expect(await toolbox.answer({ name: 'good' })).toMatchObject({ status: 'ok' });
    expect(heard).toBe(300);
    error.mockRestore();
  });
});

describe('guards', () => {
  const trace: string[] = [];
  const tracing = (name: string, phase: Guard['phase']): Guard =>
    defineGuard({
      name,
      phase,
      around: async (_call, next) => {
        trace.push(`${name} in`);
        const outcome = await next();
        trace.push(`${name} out`);
        return outcome;
      },
    });

  test('stand in the order of their phases, however they are given', async () => {
    const toolbox = createToolbox([named('act')], {
      use: [tracing('retry', 'retry'), tracing('policy', 'policy'), tracing('limit', 'limit')],
    });
    expect(await toolbox.answer({ name: 'act' })).toMatchObject({ status: 'ok', data: 'act' });
    expect(trace).toEqual(['policy in', 'limit in', 'retry in', 'retry out', 'limit out', 'policy out']);
  });

  test('may refuse a call, which then does not run', async () => {
    const run = vi.fn();
    const refusing: Guard = defineGuard({
      name: 'no',
      phase: 'policy',
      around: (call) => call.refuse('denied', 'Not today.', { code: 'circuit_open' }),
    });
    const outcome = await createToolbox([named('act', run)], { ...silent, use: [refusing] }).answer({ name: 'act' });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'denied', code: 'circuit_open', message: 'Not today.', effect: 'none', recovery: 'ask_user' },
    });
    expect(run).not.toHaveBeenCalled();
  });

  test('may run a call again; attempts are counted', async () => {
    let tries = 0;
    const twice: Guard = defineGuard({
      name: 'twice',
      phase: 'retry',
      around: async (_call, next) => {
        const first = await next();
        return first.status === 'error' ? next() : first;
      },
    });
    const flaky = named('flaky', () => {
      tries += 1;
      return tries === 1 ? fail('upstream', 'x') : 'fine';
    });
    expect(await createToolbox([flaky], { ...silent, use: [twice] }).answer({ name: 'flaky' })).toMatchObject({
      status: 'ok',
      data: 'fine',
      meta: { attempts: 2 },
    });
    const failing = named('failing', () => fail('upstream', 'x'));
    expect(await createToolbox([failing], { ...silent, use: [twice] }).answer({ name: 'failing' })).toMatchObject({
      error: { attempt: 2 },
      meta: { attempts: 2 },
    });
  });

  test('that fail before the run refuse the call; after it they only warn', async () => {
    const run = vi.fn(() => 'done');
    const early: Guard = defineGuard({
      name: 'early',
      phase: 'policy',
      around: () => {
        throw Object.assign(new Error('store is down'), { code: 'ECONNREFUSED' });
      },
    });
    expect(await createToolbox([named('act', run)], { ...silent, use: [early] }).answer({ name: 'act' })).toMatchObject({
      status: 'error',
      error: { kind: 'unreachable', effect: 'none' },
    });
    expect(run).not.toHaveBeenCalled();
    const late: Guard = defineGuard({
      name: 'late',
      phase: 'key',
      around: async (_call, next) => {
        await next();
        throw new Error('store is down');
      },
    });
    expect(await createToolbox([named('act', run)], { ...silent, use: [late] }).answer({ name: 'act' })).toMatchObject({
      status: 'ok',
      data: 'done',
      meta: { warnings: ['the guard "late" failed after the call'] },
    });
  });

  test('that hang are ended by the deadline', async () => {
    const hanging: Guard = defineGuard({ name: 'hang', phase: 'policy', around: () => new Promise(() => undefined) });
    expect(await createToolbox([named('act')], { ...silent, use: [hanging] }).answer({ name: 'act' }, { timeoutMs: 10 })).toMatchObject({
      error: { kind: 'timeout', effect: 'none' },
    });
  });

  test('may warn', async () => {
    const warning: Guard = defineGuard({
      name: 'warn',
      phase: 'limit',
      around: (call, next) => {
        call.warn('close to the limit');
        return next();
      },
    });
    expect(await createToolbox([named('act')], { use: [warning] }).answer({ name: 'act' })).toMatchObject({
      status: 'ok',
      meta: { warnings: ['close to the limit'] },
    });
  });
});

describe('batch', () => {
  const double = defineTool({
    name: 'double',
    description: 'x',
    input: z.object({ n: z.number() }),
    effects: 'none',
    run: ({ n }) => (n === 13 ? fail('upstream', 'Unlucky.') : n * 2),
  });
  const toolbox = createToolbox([double, named('slow', () => new Promise(() => undefined))], silent);

  test('answers every call in call order', async () => {
    const answers = await toolbox.batch([
      { id: 'a', tool: 'double', args: { n: 1 } },
      { tool: 'double', args: '{"n": 2}' },
      { id: 'c', tool: 'double', args: { n: 13 } },
      { id: 'd', tool: 'double', args: { n: 3 } },
    ]);
    expect(answers.map(({ id, outcome }) => [id, outcome.status, outcome.meta.callId])).toEqual([
      ['a', 'ok', 'a'],
      ['1', 'ok', '1'],
      ['c', 'error', 'c'],
      ['d', 'ok', 'd'],
    ]);
    expect(summarize(answers)).toMatchObject({
      status: 'partial',
      data: [2, 4, null, 6],
      total: 4,
      failures: [{ index: 2, id: 'c', error: { kind: 'upstream' } }],
    });
  });

  test('runs no more at once than asked', async () => {
    let running = 0;
    let most = 0;
    const busy = named('busy', async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      await Promise.resolve();
      running -= 1;
    });
    await createToolbox([busy]).batch(
      Array.from({ length: 20 }, () => ({ tool: 'busy' })),
      { concurrency: 3 },
    );
    expect(most).toBe(3);
  });

  test('stops on the first failure when asked, and reports the rest as skipped', async () => {
    const calls = [
      { tool: 'double', args: { n: 1 } },
      { tool: 'double', args: { n: 13 } },
      { tool: 'double', args: { n: 3 } },
    ];
    const answers = await toolbox.batch(calls, { concurrency: 1, stopOnError: true });
    expect(
      answers.map(({ outcome }) => (outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status)),
    ).toEqual(['ok', 'upstream', 'skipped']);
    expect(answers[2]?.outcome).toMatchObject({ error: { kind: 'cancelled', effect: 'none', retryable: false }, meta: { attempts: 0 } });
  });

  test('gives each item its own time', async () => {
    const answers = await toolbox.batch([{ tool: 'slow', timeoutMs: 5 }, { tool: 'double', args: { n: 1 } }, { tool: 'slow' }], {
      timeoutMs: 10,
    });
    expect(answers.map(({ outcome }) => outcome.status)).toEqual(['error', 'ok', 'error']);
  });

  test('answers an empty batch with nothing, and a malformed call with a failure', async () => {
    expect(await toolbox.batch([])).toEqual([]);
    expect(await toolbox.batch([{} as never], { concurrency: Number.NaN })).toMatchObject([
      { outcome: { error: { kind: 'unknown_tool' } } },
    ]);
  });
});

test('a name is resolved in any clear spelling, and one that is too long is unknown, not cut', async () => {
  const add = defineTool({ name: 'math:add', description: 'Adds.', effects: 'none', run: () => 1 });
  const box = createToolbox([add]);
  expect(['math:add', 'Math_Add', 'add', 'sub'].map((name) => box.resolveName(name))).toEqual([
    'math:add',
    'math:add',
    'math:add',
    undefined,
  ]);
  const long = `add${'-'.repeat(300)}`;
  expect(box.resolveName(long)).toBeUndefined();
  expect(await box.answer({ name: `${'_'.repeat(197)}add_but_not_really`, args: {} })).toMatchObject({ error: { kind: 'unknown_tool' } });
});

test('every call of a bound toolbox has an id of its own, under which its own cause is found', async () => {
  const break_ = defineTool({
    name: 'break',
    description: 'x',
    input: z.object({ what: z.string() }),
    run: ({ what }) => {
      throw new TypeError(`${what} is not a function`);
    },
  });
  const context = { invocationId: 'of the binding', traceId: 'trace_1', runId: 'run_1' };
  const bound = createToolbox([break_], silent).with(context as never);
  const outcomes = [
    await bound.call('break', { what: 'a' }),
    await bound.answer({ name: 'break', args: { what: 'b' } }),
    ...(await bound.batch([{ tool: 'break', args: { what: 'c' } }])).map(({ outcome }) => outcome),
  ];
  const ids = outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error.debugId : undefined));
  expect(ids.map((id) => causeOf(id)?.input)).toEqual([{ what: 'a' }, { what: 'b' }, { what: 'c' }]);
  expect(outcomes.map(({ meta }) => [meta.runId, meta.traceId])).toEqual(Array(3).fill(['run_1', context.traceId]));
  // The one who makes a call may still name it.
  expect(await bound.call('break', { what: 'd' }, { invocationId: 'mine' } as never)).toMatchObject({ meta: { invocationId: 'mine' } });
});

test('a result is cut at 100,000 characters where nothing else is stated, and says so', async () => {
  const big = defineTool({ name: 'big', description: 'Returns much.', effects: 'none', run: () => 'x'.repeat(150_000) });
  const outcome = await createToolbox([big]).call('big', {});
  expect(outcome).toMatchObject({ status: 'ok', meta: { truncated: true } });
  expect(outcome.status === 'ok' && String(outcome.data).length).toBeLessThanOrEqual(100_000);
});

test('a definition in the place of a tool, and a path in the place of a store, are told so', () => {
  const definition = { name: 'a', description: 'Does a.', run: () => 1 };
  expect(() => createToolbox([definition] as never)).toThrow('createToolbox: tools must be an array of tools made by defineTool');
  expect(() => createToolbox([named('a')], { store: 'calls.db' } as never)).toThrow(
    "createToolbox: store must be a store, such as sqliteStore('toolpact.db')",
  );
});
