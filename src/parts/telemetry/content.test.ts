import { describe, expect, test } from 'vitest';
import { defaultRedactor } from '../../core/outcome/index.ts';
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
      head: `{"text":"${'x'.repeat(91)}`,
    });
  });
});
