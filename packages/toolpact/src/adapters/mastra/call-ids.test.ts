import { expect, test } from 'vitest';
import { createCallIds } from './call-ids.ts';

const sent = (...ids: readonly string[]) => ({
  prompt: [
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId })) },
  ],
});

test('a call keeps its id where no other has it', () => {
  const ids = createCallIds(sent('b'));
  expect([ids.begin('a'), ids.of('a'), ids.end('a')]).toEqual(['a', 'a', 'a']);
  expect(ids.of('never begun')).toBe('never begun');
});

test('a call gets a number where an earlier turn has its id, from its first piece to its last', () => {
  const ids = createCallIds(sent('a', 'a_2'));
  expect([ids.begin('a'), ids.of('a'), ids.end('a')]).toEqual(['a_3', 'a_3', 'a_3']);
});

test('two calls of one turn get ids of their own, streamed or not', () => {
  const ids = createCallIds(undefined);
  expect([ids.begin('a'), ids.end('a'), ids.begin('a'), ids.end('a'), ids.end('a')]).toEqual(['a', 'a', 'a_2', 'a_2', 'a_3']);
});
