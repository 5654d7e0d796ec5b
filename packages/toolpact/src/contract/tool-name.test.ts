import { expect, test } from 'vitest';
import { checkToolName, toNameKey, toProviderName } from './tool-name.ts';

test.each(['search', 'rag:search', 'get_weather', 'get-weather', 'v1.search', 'A'])('accepts %s', (name) => {
  expect(checkToolName(name)).toBeUndefined();
});

test.each([
  ['', 'needs a name'],
  [undefined, 'needs a name'],
  ['1st', 'must be letters'],
  ['a b', 'must be letters'],
  ['a:b:c', 'must be letters'],
  [':b', 'must be letters'],
  ['a:', 'must be letters'],
  ['x'.repeat(65), 'at most 64'],
  ['añb', 'must be letters'],
])('refuses %j', (name, why) => {
  expect(checkToolName(name)).toContain(why);
});

test.each([
  ['rag:search', 'rag_search'],
  ['v1.search', 'v1_search'],
  ['plain-name', 'plain-name'],
])('writes %s as %s for providers', (name, safe) => {
  expect(toProviderName(name)).toBe(safe);
});

test.each(['rag:search', 'RAG_Search', 'rag.search', 'rag-search', 'ragSearch'])('reads %s as the same name', (name) => {
  expect(toNameKey(name)).toBe('ragsearch');
});
