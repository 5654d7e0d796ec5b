import { describe, expect, test, vi } from 'vitest';
import { repeatBreaker } from '../guards/public.ts';
import { changePlan, defineGuard, defineTool, insideOf, isTool, planOf } from '../runtime/index.ts';
import { memoryStore } from '../stores/memory.ts';
import { createToolbox } from './index.ts';

const add = defineTool({ name: 'add', description: 'Adds.', effects: 'none', failures: { odd: 'conflict' }, run: () => 3 });
const quiet = { report: () => undefined };

describe('the inside of a toolbox', () => {
  const store = memoryStore();
  const toolbox = createToolbox([add], { ...quiet, store, use: [repeatBreaker()] });

  test('has the plans of its tools, and its guards in the order in which a call passes them', () => {
    const { plans, guards } = insideOf(toolbox);
    expect([...plans.keys()]).toEqual(['add']);
    expect(plans.get('add')).toMatchObject({ effects: 'none', failures: { odd: 'conflict' } });
    expect(guards.map(({ name }) => name)).toEqual(['list', 'repeat-breaker', 'remember']);
  });

  test('says which promises its guards keep', () => {
    const { provides } = insideOf(toolbox);
    expect([provides('approval'), provides('idempotency')]).toEqual([true, true]);
  });

  test('has what its store and guards supply, which is not among its methods', async () => {
    const { calls, idle, engine } = insideOf(toolbox);
    expect(calls?.store).toBe(store);
    expect(engine).toBe(undefined);
    await expect(idle?.()).resolves.toBe(undefined);
    expect(Object.keys(toolbox).filter((name) => ['takeDue', 'idle', 'supply'].includes(name))).toEqual([]);
  });

  test('is that of each of its views', () => {
    const { guards, plans } = insideOf(toolbox.with({ tenantId: 'acme' }));
    expect([guards.length, plans.get('add')]).toEqual([3, planOf(add)]);
  });

  test('of two guards with an engine, the outer one counts', () => {
    const engineOf = (name: string, phase: 'policy' | 'run') =>
      defineGuard({ name, phase, around: (_, next) => next(), methods: () => ({ [name]: true }), engine: { name } });
    const both = createToolbox([add], { store, use: [engineOf('inner', 'run'), engineOf('outer', 'policy')] });
    expect(insideOf(both).engine).toEqual({ name: 'outer' });
    expect(both).toMatchObject({ inner: true, outer: true });
  });

  test.each([undefined, null, 'toolbox', {}, { tools: [add] }, add])('of %s is empty', (value) => {
    const { plans, guards, provides, calls } = insideOf(value);
    expect([plans.size, guards, provides('approval'), calls]).toEqual([0, [], false, undefined]);
  });

  test('can be read by another copy of the library, which also takes its tools and guards', async () => {
    vi.resetModules();
    const copy = { ...(await import('../runtime/index.ts')), ...(await import('./index.ts')) };
    expect(copy.insideOf).not.toBe(insideOf);
    expect(copy.insideOf(toolbox)).toBe(insideOf(toolbox));
    expect([copy.isTool(add), copy.planOf(add)]).toEqual([true, planOf(add)]);
    const theirs = copy.createToolbox([add], { ...quiet, store });
    expect(await theirs.call('add', {})).toMatchObject({ status: 'ok', data: 3 });
    expect(insideOf(theirs).calls?.store).toBe(store);
  });
});

describe('the plan of a tool', () => {
  test('is there for tools alone', () => {
    expect([add, { ...add }, {}, 'add', undefined].map(isTool)).toEqual([true, true, false, false, false]);
    expect(() => planOf({} as never)).toThrow(expect.objectContaining({ name: 'ToolpactError', code: 'invalid_argument' }));
  });

  test('can be changed for a tool like it, which runs so with and without a toolbox', async () => {
    const other = changePlan(add, { run: () => 4 });
    const toolbox = createToolbox([other], quiet);
    const outcomes = [await other.call({}), await toolbox.answer({ name: 'add' }), await add.call({})];
    expect(outcomes).toMatchObject([{ data: 4 }, { data: 4 }, { data: 3 }]);
  });
});
