import { expect, test } from 'vitest';
import { sampleText } from './sample-text.ts';

test.each<[Parameters<typeof sampleText>[0], string]>([
  [{}, 'text'],
  [{ format: 'email', pattern: '^.+@.+$' }, 'ann@example.com'],
  [{ format: 'date-time' }, '2026-01-01T00:00:00Z'],
  [{ pattern: '^\\d{5}$' }, '12345'],
  [{ pattern: '^[A-Z]{3}$' }, 'ABC'],
  [{ pattern: '(' }, 'text'],
  [{ minLength: 6 }, 'textxx'],
  [{ maxLength: 2 }, 'te'],
])('for %j it is %s', (schema, text) => {
  expect(sampleText(schema)).toBe(text);
});
