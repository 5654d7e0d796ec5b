import { expect, test } from 'vitest';
import { memoryStore } from '../../../parts/stores/memory.ts';
import { sampleTools } from '../load/sample-tools.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import { readSettings } from '../settings/read-settings.ts';
import { makePastCalls } from './make-past-calls.ts';

const settings = readSettings({ flags: new Map(), env: {} });
const loaded = { tools: sampleTools };

test('a first start has a call of every sort, made by really calling, and a second one adds none', async () => {
  const store = memoryStore();
  await makePastCalls(loaded, settings, store);
  const toolbox = wireToolbox(loaded, settings, store);
  const { calls = [] } = (await toolbox.calls?.({ limit: 100 })) ?? {};
  expect(new Set(calls.map(({ recovery }) => recovery))).toEqual(
    new Set([undefined, 'fix_input', 'wait', 'verify', 'reauth', 'ask_user', 'other_tool', 'stop']),
  );
  expect(new Set(calls.map(({ kind }) => kind))).toEqual(
    new Set([
      undefined,
      'invalid_input',
      'rate_limited',
      'interrupted',
      'unauthenticated',
      'denied',
      'bad_response',
      'internal',
      'timeout',
      'cancelled',
    ]),
  );
  expect(calls.some(({ attempts, status }) => attempts === 2 && status === 'ok')).toBe(true);
  expect(calls.some(({ replayOf }) => replayOf !== undefined)).toBe(true);
  expect(new Set(calls.map(({ effect }) => effect))).toEqual(new Set([undefined, 'none', 'applied']));
  expect(await toolbox.listApprovals?.()).toMatchObject([{ tool: 'pay_invoice', input: { invoice: 'INV-7' }, state: 'waiting' }]);

  await makePastCalls(loaded, settings, store);
  expect((await toolbox.calls?.({ limit: 100 }))?.calls).toHaveLength(calls.length);
});
