import type { StepRecord } from 'toolpact/extend';
import { expect, test } from 'vitest';
import { createKeptSteps } from './kept-steps.ts';

const error = { kind: 'unreachable', message: 'x', advice: 'x', recovery: 'wait', retryable: true, effect: 'none' } as const;
const records: Readonly<Record<string, StepRecord>> = {
  done: { v: 1, failed: false, effect: 'applied', value: 1 },
  found: { v: 1, failed: false, effect: 'none', value: 1 },
  failed: { v: 1, failed: true, effect: 'none', error },
  broken: { v: 1, failed: true, effect: 'unknown', error },
};

test.each<[string, string | undefined, boolean]>([
  ['done', undefined, true],
  ['done', 'found', true],
  ['found', undefined, true],
  ['found', 'found', false],
  ['failed', undefined, false],
  ['broken', undefined, true],
  ['broken', 'found', true],
])('a call after one with the step "%s", run again from %s, must ask for it: %s', (name, from, mustAsk) => {
  const kept = createKeptSteps({ [`1:${name}`]: records[name] as StepRecord }, from);
  expect(kept.unasked()).toBe(mustAsk ? name : undefined);
  kept.ask(`1:${name}`);
  expect(kept.unasked()).toBeUndefined();
});
