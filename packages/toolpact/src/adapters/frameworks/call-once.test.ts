import { describe, expect, test } from 'vitest';
import { createToolbox, defineTool, fail } from '../../index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { callSteered, recognise } from './call-steered.ts';
import { type HostCall, hostTools } from './host-tools.ts';

function counted(run: (count: number) => unknown = (count) => count) {
  const runs: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as object }) } },
    jsonSchema: { input: { type: 'object' } },
    effects: 'writes',
    async run(input) {
      const count = runs.push(input);
      await Promise.resolve();
      return run(count) as number;
    },
  });
  const toolbox = createToolbox([pay], { report: () => undefined });
  const [tool] = hostTools(toolbox, 'any');
  const call = (args: unknown, facts: HostCall): Promise<Outcome> => tool?.call(args, facts) as Promise<Outcome>;
  return { runs, call };
}

const [turn, other] = [{}, {}];
const dataOf = (outcomes: readonly Outcome[]): unknown[] => outcomes.map((outcome) => ('data' in outcome ? outcome.data : outcome.status));

describe('a call that a model sends twice in one answer', () => {
  test('is made once, at the same time and one after the other', async () => {
    const { runs, call } = counted();
    const facts = { turn, callId: 'c1' };
    const both = await Promise.all([call({ a: 1, b: 2 }, facts), call({ b: 2, a: 1 }, facts)]);
    expect(dataOf([...both, await call({ a: 1, b: 2 }, facts)])).toEqual([1, 1, 1]);
    expect(runs).toHaveLength(1);
  });

  test.each<[string, unknown, HostCall, unknown, HostCall]>([
    ['with other arguments', { a: 1 }, { turn, callId: 'c1' }, { a: 2 }, { turn, callId: 'c1' }],
    ['with another id', {}, { turn, callId: 'c1' }, {}, { turn, callId: 'c2' }],
    ['without an id', {}, { turn }, {}, { turn }],
    ['with an empty id', {}, { turn, callId: '' }, {}, { turn, callId: '' }],
    ['in another answer', {}, { turn, callId: 'c1' }, {}, { turn: other, callId: 'c1' }],
    ['where the host knows no answers', {}, { turn: undefined, callId: 'c1' }, {}, { turn: undefined, callId: 'c1' }],
  ])('is two calls %s', async (_, first, firstFacts, second, secondFacts) => {
    const { runs, call } = counted();
    expect(dataOf(await Promise.all([call(first, firstFacts), call(second, secondFacts)]))).toEqual([1, 2]);
    expect(runs).toHaveLength(2);
  });

  test('is made again where the first changed nothing, and not where it may have', async () => {
    const harmless = counted((count) => (count === 1 ? fail('unreachable', 'Down.', { effect: 'none' }) : count));
    const facts = { turn, callId: 'c1' };
    expect(dataOf([await harmless.call({}, facts), await harmless.call({}, facts)])).toEqual(['error', 2]);
    const harmful = counted(() => fail('timeout', 'Too late.'));
    expect(dataOf([await harmful.call({}, facts), await harmful.call({}, facts)])).toEqual(['error', 'error']);
    expect(harmful.runs).toHaveLength(1);
  });

  test('is known by its run where the host has no object for an answer, while it is under way', async () => {
    const { runs, call } = counted();
    const facts = { turn: 'run_1', callId: 'c1' };
    expect(dataOf(await Promise.all([call({}, facts), call({}, facts), call({}, { ...facts, turn: 'run_2' })]))).toEqual([1, 1, 2]);
    expect(dataOf([await call({}, facts)])).toEqual([3]);
    expect(runs).toHaveLength(3);
  });

  test('is made again where it steered the host, which goes on with it later', async () => {
    const interrupt = Object.assign(new Error('stop here'), { name: 'Interrupt' });
    const { call } = counted((count) => {
      if (count === 1) throw interrupt;
      return count;
    });
    const steered = () => callSteered((facts) => call({}, facts), { turn, callId: 'c1' }, recognise(['Interrupt']));
    await expect(steered()).rejects.toBe(interrupt);
    expect(dataOf([await steered()])).toEqual([2]);
  });

  test('steers its host both times', async () => {
    const interrupt = Object.assign(new Error('stop here'), { name: 'Interrupt' });
    const { runs, call } = counted(() => {
      throw interrupt;
    });
    const steered = () => callSteered((facts) => call({}, facts), { turn, callId: 'c1' }, recognise(['Interrupt']));
    expect(await Promise.allSettled([steered(), steered()])).toEqual([
      { status: 'rejected', reason: interrupt },
      { status: 'rejected', reason: interrupt },
    ]);
    expect(runs).toHaveLength(1);
  });
});
