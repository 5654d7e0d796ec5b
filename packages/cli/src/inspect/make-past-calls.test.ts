import { insideOf } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { sampleTools } from '../load/sample-tools.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import { readSettings } from '../settings/read-settings.ts';
import { makePastCalls, withSampleLimits } from './make-past-calls.ts';

const settings = readSettings({ flags: new Map(), env: {} });
const loaded = { tools: sampleTools };

test('a first start has a call of every sort, made by really calling, and a second one adds none', async () => {
  const store = memoryStore();
  await makePastCalls(loaded, settings, store);
  const toolbox = wireToolbox(loaded, settings, store);
  const { calls = [] } = (await toolbox.calls?.list({ limit: 100 })) ?? {};
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
      'unreachable',
    ]),
  );
  expect(calls.some(({ attempts, status }) => attempts === 2 && status === 'ok')).toBe(true);
  expect(calls.some(({ replayOf }) => replayOf !== undefined)).toBe(true);
  expect(new Set(calls.map(({ effect }) => effect))).toEqual(new Set([undefined, 'none', 'applied']));
  expect(await toolbox.approvals?.list()).toMatchObject([{ tool: 'pay_invoice', input: { invoice: 'INV-7' }, state: 'waiting' }]);

  const [trip] = calls.filter(({ tool }) => tool === 'book_trip');
  expect((await toolbox.calls?.get(trip?.id ?? ''))?.trace?.steps.map(({ step, status }) => [step, status])).toEqual([
    ['reserve_flight', 'ok'],
    ['reserve_hotel', 'error'],
  ]);

  await makePastCalls(loaded, settings, store);
  expect((await toolbox.calls?.list({ limit: 100 }))?.calls).toHaveLength(calls.length);
});

test('the samples have limits, unless the user has set others, and a circuit that is open', async () => {
  const own = readSettings({ flags: new Map([['rateLimit', '7']] as const), env: { TOOLPACT_CIRCUIT_BREAKER: 'false' } });
  expect(withSampleLimits(own)).toMatchObject({ rateLimit: 7, concurrency: 20, circuitBreaker: false });
  const limited = withSampleLimits(settings);
  expect(limited).toMatchObject({ rateLimit: 2_000, concurrency: 20, circuitBreaker: true });
  const store = memoryStore();
  await makePastCalls(loaded, limited, store);
  const toolbox = wireToolbox(loaded, limited, store);
  const { calls = [] } = (await toolbox.calls?.list({ tool: 'weather' })) ?? {};
  expect(calls.map(({ kind, code }) => code ?? kind)).toEqual(['circuit_open', ...Array.from({ length: 5 }, () => 'unreachable')]);
  const breaker = insideOf(toolbox).guards.find(({ name }) => name === 'circuit-breaker');
  const states = (await breaker?.limits?.({ tenantId: calls[0]?.tenantId ?? '', tools: ['weather', 'add'] })) ?? [];
  expect(states.map(({ tool, state }) => [tool, state])).toEqual([
    ['weather', 'open'],
    ['add', 'closed'],
  ]);
});
