import { expect, test } from 'vitest';
import { collection, paraphrased, questions, unanswerable } from '../../../../test/collection.ts';
import { createDocumentIndex } from '../index.ts';

const index = createDocumentIndex({ path: ':memory:' });
index.add(collection.map(([id, title, text]) => ({ id, title, text })));

function recall(asked: readonly (readonly [question: string, answer: string])[], limit: number): number {
  const found = asked.filter(([question, answer]) => index.search(question, { limit }).some(({ id }) => id === answer));
  return found.length / asked.length;
}

test.each([
  ['English', 'en-', 1, 1],
  ['Japanese', 'ja-', 1, 1],
  ['Chinese', 'zh-', 1, 1],
])('answers in %s are among the first five, and nearly always the very first', (_, prefix, atFive, atOne) => {
  const asked = questions.filter(([, answer]) => answer.startsWith(prefix));
  expect(asked.length).toBeGreaterThanOrEqual(10);
  expect({ at5: recall(asked, 5), at1: recall(asked, 1) }).toEqual({ at5: atFive, at1: atOne });
});

test('questions in other words find their answer most of the time; what shares no word with it cannot be found', () => {
  expect({ at5: recall(paraphrased, 5), at1: recall(paraphrased, 1) }).toEqual({ at5: 16 / 18, at1: 13 / 18 });
  const missed = paraphrased.filter((asked) => recall([asked], 5) === 0).map(([question]) => question);
  expect(missed).toEqual(['大きな家具を捨てたい', '全家一起看月亮的节日']);
});

test.each(unanswerable)('nothing is found for %s', (question) => expect(index.search(question)).toEqual([]));

test('a question that is written as one word finds what is written as several, and the other way round', () => {
  expect(index.search('桜前線予想')[0]?.id).toBe('ja-sakura');
  expect(index.search('河 西 走 廊')[0]?.id).toBe('zh-silk');
});

test('width and case do not count', () => {
  index.add([{ id: 'width', text: 'The model ABC-9000 and ガラス' }]);
  expect(index.search('\uff41\uff42\uff43-9000')[0]?.id).toBe('width');
  expect(index.search('\uff76\uff9e\uff97\uff7d')[0]?.id).toBe('width');
  index.remove(['width']);
});
