import { expect, test } from 'vitest';
import { vocabulary } from './vocabulary.ts';

test('the phrases of a meaning are sorted, one per line, and none stands there twice', () => {
  for (const { phrases } of vocabulary) {
    const lines = phrases.trim().split(/\s*\n\s*/);
    expect(lines).toEqual([...new Set(lines)].sort());
  }
});
