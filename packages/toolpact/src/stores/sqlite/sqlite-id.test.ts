import { expect, test } from 'vitest';
import { recordId, scopeId } from './sqlite-id.ts';

const scope = scopeId('claim', 'acme');
const long = 'x'.repeat(37);

test.each([
  ['the same space and tenant', scopeId('claim', 'acme'), true],
  ['another space', scopeId('call', 'acme'), false],
  ['another tenant', scopeId('claim', 'other'), false],
  ['names that join to the same text', scopeId('claima', 'cme'), false],
])('a scope of %s', (_, other, isSame) => {
  expect(other === scope).toBe(isSame);
});

test('short keys keep their order, long ones become short', () => {
  expect([recordId(scope, 'b'), recordId(scope, 'x'.repeat(36))]).toEqual([`${scope}:b`, `${scope}:${'x'.repeat(36)}`]);
  expect(recordId(scope, 'x'.repeat(100_000))).toHaveLength(scope.length + 23);
  expect(recordId(scope, long)).not.toBe(recordId(scope, `${long}x`));
});

test('a short key that looks like a long one made short is another key', () => {
  const looksLike = recordId(scope, long).slice(scope.length + 1);
  expect(recordId(scope, looksLike)).not.toBe(recordId(scope, long));
});

test('more scopes than are remembered are named like before', () => {
  for (let tenant = 0; tenant < 2500; tenant += 1) scopeId('claim', `${tenant}`);
  expect(scopeId('claim', 'acme')).toBe(scope);
});
