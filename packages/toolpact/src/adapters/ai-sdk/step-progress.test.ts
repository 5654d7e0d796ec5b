import { expect, test } from 'vitest';
import { stepProgress } from './step-progress.ts';

test.each<[string, unknown, unknown]>([
  ['progress', { type: 'progress', message: 'half', done: 1, total: 2 }, { message: 'half', done: 1, total: 2 }],
  ['a text', 'half', 'half'],
  ['an object', { step: 1 }, '{"step":1}'],
  ['what is no progress after all', { message: 7, done: 'x' }, '{"message":7,"done":"x"}'],
  ['what has no JSON', { big: 1n }, '[object Object]'],
  ['a long text', 'x'.repeat(300), 'x'.repeat(200)],
])('%s of a foreign tool is reported', (_, step, progress) => expect(stepProgress(step)).toEqual(progress));
