import { expect, test } from 'vitest';
import { authorVocabulary } from './author-vocabulary.ts';
import { vocabulary } from './vocabulary.ts';

test('the phrases of a meaning are sorted, one per line, and none stands there twice', () => {
  for (const { phrases } of [...vocabulary, ...authorVocabulary]) {
    const lines = phrases.trim().split(/\s*\n\s*/);
    expect(lines).toEqual([...new Set(lines)].sort());
  }
});
