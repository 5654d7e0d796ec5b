import { expect, test } from 'vitest';
import { readWorkflowKey, workflowKey } from './workflow-key.ts';

test.each([
  ['acme', 'call-1', 'acme/call-1'],
  ['a/b', 'c/d', 'a%2Fb/c/d'],
  ['half \ud83d', 'half \ude00', 'half%20%5Cud83d/half \\ude00'],
  ['whole \ud83d\ude00', '"\\u0000\n', 'whole%20%F0%9F%98%80/\\"\\\\u0000\\n'],
])('the call of %j and %j has a key that an address can hold, and is read from it', (tenant, id, key) => {
  expect(workflowKey(tenant, id)).toBe(key);
  expect(() => encodeURIComponent(key)).not.toThrow();
  expect(readWorkflowKey(key)).toEqual({ tenant, id });
});
