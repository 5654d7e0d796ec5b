import { expect, test } from 'vitest';
import { createResponseCache } from './response-cache.ts';

const answer = (text: string) => ({ text, freshUntil: 0 });

test('the least recently used response is evicted first', () => {
  const cache = createResponseCache({ maxEntries: 2, maxChars: 100 });
  cache.set('a', answer('1'));
  cache.set('b', answer('2'));
  cache.get('a');
  cache.set('c', answer('3'));
  expect([cache.get('a')?.text, cache.get('b')?.text, cache.get('c')?.text]).toEqual(['1', undefined, '3']);
});

test('a large response evicts others, or is not cached at all', () => {
  const cache = createResponseCache({ maxEntries: 9, maxChars: 5 });
  cache.set('a', answer('aaa'));
  cache.set('b', answer('bbb'));
  cache.set('c', answer('cccccc'));
  expect([cache.get('a'), cache.get('b')?.text, cache.get('c')]).toEqual([undefined, 'bbb', undefined]);
  cache.set('b', answer('b'));
  cache.set('d', answer('dddd'));
  expect([cache.get('b')?.text, cache.get('d')?.text]).toEqual(['b', 'dddd']);
});
