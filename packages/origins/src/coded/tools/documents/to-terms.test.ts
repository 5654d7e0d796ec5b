import { describe, expect, test } from 'vitest';
import { toMatchQuery, toTerms } from './to-terms.ts';

test.each([
  ['Hello, World!', ['hello', 'world']],
  ['Café MÜNCHEN', ['cafe', 'munchen']],
  ['ABC 123', ['abc', '123']],
  ['v2.0 of foo_bar', ['v2', '0', 'of', 'foo', 'bar']],
  ['東京都', ['東京', '京都', '東', '京', '都']],
  ['がか', ['がか']],
  ['コーヒー', ['コー', 'ーヒ', 'ヒー']],
  ['猫', ['猫']],
  ['NHKの番組', ['nhk', 'の番', '番組', '番', '組']],
  ['한국어 문서', ['한국어', '문서']],
  ['हिन्दी', ['हिन्दी']],
  ['🚀 — …', []],
  ['', []],
])('%s is found under %j', (text, terms) => {
  expect(toTerms(text)).toEqual(terms);
});

describe('a question is looked up by', () => {
  test.each([
    ['What is the warranty?', '"warranty"'],
    ['How do I reset my password', '"reset" OR "password"'],
    ['聖地巡礼とは何ですか', '"聖地" OR "巡礼"'],
    ['量子コンピュータの仕組み', '"量子" OR ("コン" AND "ンピ" AND "ピュ" AND "ュー" AND "ータ") OR ("仕組" AND "組み")'],
    ['请问长城是什么时候修建的', '"长城" OR "修建"'],
    ['猫はどこ', '"猫"'],
    ['reset reset', '"reset"'],
    ['the who', '"the" OR "who"'],
    ['say "hello" AND NOT (x OR y*)', '"say" OR "hello" OR "not" OR "x" OR "y"'],
  ])('%s: %s', (question, query) => expect(toMatchQuery(question)).toBe(query));

  test.each(['', '   ', '!?', '🚀'])('nothing: "%s"', (question) => expect(toMatchQuery(question)).toBeUndefined());
});
