import { expect, test } from 'vitest';
import { cutJson } from './cut-json.ts';

test.each([
  ['a long text', { text: 'x'.repeat(100_000) }],
  ['many keys', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, 1]))],
  ['a name that alone is too long', { ['k'.repeat(100_000)]: 1 }],
  ['a name that is too long inside of another object', { inner: { ['k'.repeat(100_000)]: 1 } }],
])('%s is cut to about the size that is asked for', (_, value) => {
  const notes: string[] = [];
  expect(JSON.stringify(cutJson(value, 1000, notes)).length).toBeLessThan(1500);
  expect(notes).toHaveLength(1);
});
