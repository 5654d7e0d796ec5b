import { describe, expect, test } from 'vitest';
import { defaultRedactor } from '../outcome/index.ts';
import { captureFromEnv, toContent } from './content.ts';

const rules = { redactor: defaultRedactor, redact: undefined, maxChars: 100 };

test.each([
  [undefined, 'none'],
  ['NO_CONTENT', 'none'],
  ['SPAN_ONLY', 'span'],
  ['EVENT_ONLY', 'event'],
  ['SPAN_AND_EVENT', 'both'],
  ['true', 'span'],
  ['false', 'none'],
  ['everything', 'none'],
])('the environment saying %s captures %s', (value, capture) => {
  expect(captureFromEnv({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value })).toBe(capture);
});

describe('content', () => {
  test.each([
    ['an object', { a: 1, password: 'p' }, { a: 1, password: '[redacted]' }],
    ['a list', [1], { result: [1] }],
    ['nothing', undefined, { result: null }],
    ['a text', 'text', { result: 'text' }],
  ])('made of %s is an object without secrets', (_, value, content) => {
    expect(toContent(value, 'result', rules)).toEqual(content);
  });

  test('that is too long says so and shows its head', () => {
    expect(toContent({ text: 'x'.repeat(500) }, 'arguments', rules)).toEqual({
      truncated: true,
      characters: 511,
      head: `{"text":"${'x'.repeat(43)}`,
    });
  });

  test.each([
    ['quotes', '"'],
    ['control characters', '\u0001'],
    ['plain text', 'x'],
  ])('of %s is never longer than allowed', (_, character) => {
    for (const maxChars of [60, 100, 1000]) {
      const content = toContent({ text: character.repeat(5000) }, 'result', { ...rules, maxChars });
      expect(JSON.stringify(content).length).toBeLessThanOrEqual(maxChars);
    }
  });

  test.each([
    ['throws', () => expect.unreachable()],
    ['gives nothing', () => undefined as never],
    ['gives what is no JSON', () => ({ big: 1n }) as never],
  ])('whose own redaction %s is empty', (_, redact) => {
    expect(toContent({ a: 1 }, 'arguments', { ...rules, redact })).toEqual({});
  });
});
