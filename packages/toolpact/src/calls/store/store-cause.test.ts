import { expect, test } from 'vitest';
import { createToolbox, defineTool, type FailureReport } from '../../index.ts';
import type { Ledger } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
const fails = () => Promise.reject(refused);
const memory = memoryStore();
const calls: Ledger = { ...(memory.calls as Ledger), begin: fails };
const records = { ...memory, get: fails, put: fails, add: fails };

test.each([
  ['a key', { idempotency: { key: () => 'one' } }, { ...memory, calls }],
  ['an approval', { approval: true }, { ...memory, calls }],
  ['the secret of its fingerprints', { approval: true }, records],
] as const)('what a store threw reaches the operator and not the caller (%s)', async (_, promise, store) => {
  const reports: FailureReport[] = [];
  const pay = defineTool({ name: 'pay', description: 'Pays.', ...promise, run: () => 'paid' });
  const outcome = await createToolbox([pay], { store, report: (record) => reports.push(record) }).answer({ name: 'pay', args: {} });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
  expect(JSON.stringify(outcome)).not.toContain('10.0.0.7');
  expect(reports.map(({ error }) => error?.cause?.message)).toEqual(['connect ECONNREFUSED 10.0.0.7:5432']);
});
