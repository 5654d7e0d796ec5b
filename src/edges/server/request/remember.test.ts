import { expect, test, vi } from 'vitest';
import { remember } from './remember.ts';

test('a text that comes often is found in the memory, however many others come once', () => {
  const find = vi.fn((text: string) => text.length);
  const lengthOf = remember(find);
  // The ids come first, so that they fill the memory.
  for (let at = 0; at < 1_000; at += 1) lengthOf(`/v1/calls/${at}`);
  for (let at = 1_000; at < 2_000; at += 1) {
    lengthOf(`/v1/calls/${at}`);
    lengthOf('/v1/tools/add');
  }
  const searches = find.mock.calls.filter(([text]) => text === '/v1/tools/add').length;
  expect(searches).toBeLessThan(10);
});

test('what was not found and what is very long is searched again', () => {
  const find = vi.fn((text: string) => (text === 'no' ? undefined : text));
  const found = remember(find);
  for (const text of ['no', 'x'.repeat(300)]) {
    found(text);
    found(text);
  }
  expect(find).toHaveBeenCalledTimes(4);
});
