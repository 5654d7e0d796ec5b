import { expect, test } from 'vitest';
import { classify } from './classify.ts';
import { readHttpStatus } from './read-http-status.ts';

test('every status of a failed answer means what classify says of it', () => {
  const all = Array.from({ length: 200 }, (_, index) => 400 + index);
  const classified = all.map((status) => {
    const { kind, retryable } = classify({ name: 'HTTPError', status, message: `HTTP ${status}` });
    return { status, kind, retryable };
  });
  expect(all.map((status) => ({ status, ...readHttpStatus(status) }))).toEqual(classified);
});
