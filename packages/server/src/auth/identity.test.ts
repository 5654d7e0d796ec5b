import { expect, test } from 'vitest';
import { hasScope, mayCall, mayCallAll } from './identity.ts';

const tenantId = 'acme';

test.each([
  [undefined, 'add', true],
  [[], 'add', false],
  [['*'], 'add', true],
  [['tools:call:*'], 'rag:search', true],
  [['tools:call:add'], 'add', true],
  [['tools:call:add'], 'add_all', false],
  [['tools:call:rag:*'], 'rag:search', true],
  [['tools:call:rag:*'], 'ragged:search', false],
  [['tools:call:rag:*'], 'rag', false],
  [['admin'], 'add', false],
  [['add'], 'add', false],
])('scopes %j allow calling %s: %s', (scopes, tool, allowed) => {
  expect(mayCall(scopes === undefined ? { tenantId } : { tenantId, scopes }, tool)).toBe(allowed);
});

test.each([
  [undefined, true, false],
  [['*'], true, true],
  [['admin'], false, true],
  [['approvals:decide'], false, true],
  [['tools:call:*'], true, false],
  [['pending:settle'], false, false],
])('scopes %j: all tools %s, approvals %s', (scopes, all, approvals) => {
  const identity = scopes === undefined ? { tenantId } : { tenantId, scopes };
  expect([mayCallAll(identity), hasScope(identity, 'approvals:decide')]).toEqual([all, approvals]);
});
