import { expect, test } from 'vitest';
import { effectsWords, effectText, kindText, recoveryText, statusText } from './outcome-words.ts';

test.each([
  [kindText('rate_limited'), 'Rate limited'],
  [recoveryText('verify'), 'Check before repeating'],
  [statusText('partial').text, 'Partly failed'],
  [effectText('unknown').text, 'May have taken effect'],
  [effectsWords('none').text, 'Read-only'],
])('%s is said in plain words', (text, expected) => {
  expect(text).toBe(expected);
});

test('words of a newer server are shown as they are', () => {
  expect([kindText('melted'), recoveryText('pray'), statusText('frozen').text, effectText('half').short]).toEqual([
    'melted',
    'pray',
    'frozen',
    'half',
  ]);
  expect(kindText('constructor')).toBe('constructor');
});

test('effects that are not known count as a change', () => {
  expect([effectText('half').tone, effectsWords('sometimes').text]).toEqual(['warn', 'Writes']);
});
