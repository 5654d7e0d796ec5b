import { expect, test } from 'vitest';
import { createToolbox, defineTool, type FailureReport } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { approvals } from '../approvals/approvals.ts';
import { idempotency } from '../idempotency/idempotency.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
const fails = () => Promise.reject(refused);
const broken = { ...memoryStore(), get: fails, put: fails, add: fails };

test.each([
  ['idempotency', { idempotency: { key: () => 'one' } }, [idempotency({ store: broken })]],
  ['approvals', { approval: true }, [approvals({ store: broken })]],
] as const)('what a store threw reaches the operator and not the caller (%s)', async (_, promise, use) => {
  const reports: FailureReport[] = [];
  const pay = defineTool({ name: 'pay', description: 'Pays.', ...promise, run: () => 'paid' });
  const outcome = await createToolbox([pay], { use, report: (record) => reports.push(record) }).answer({ name: 'pay', args: {} });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
  expect(JSON.stringify(outcome)).not.toContain('10.0.0.7');
  expect(reports.map(({ error }) => error?.cause?.message)).toEqual(['connect ECONNREFUSED 10.0.0.7:5432']);
});
