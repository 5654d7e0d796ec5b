import { expect, test } from 'vitest';
import { traceAddress } from './trace-address.ts';

test.each([
  ['https://traces.example/t/{traceId}', 'abc', 'https://traces.example/t/abc'],
  ['http://localhost:3000/{traceId}?again={traceId}', 'a b', 'http://localhost:3000/a%20b?again=a%20b'],
  ['javascript:alert({traceId})', 'abc', undefined],
  [undefined, 'abc', undefined],
])('%s with %s is %s', (template, traceId, address) => {
  expect(traceAddress(template, traceId)).toBe(address);
});
