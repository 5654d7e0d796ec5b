import { expectTypeOf } from 'vitest';
import { createToolbox, defineTool, type Outcome } from '../index.ts';
import { memoryStore } from '../stores/memory.ts';
import { type Approval, approvals, defer, idempotency, journal, type ResumedCall, retry, spill } from './index.ts';

const store = memoryStore();
const tool = defineTool({ name: 'tell', description: 'Tells.', effects: 'none', run: () => 'done' });

// Every method is there with its own types, after `with` too, without any annotation.
const toolbox = createToolbox([tool], {
  use: [journal({ store }), approvals({ store }), defer({ store }), spill({ store }), idempotency({ store }), retry()],
});
expectTypeOf(toolbox.decide('h', 'approve', { by: 'ann' })).resolves.toEqualTypeOf<
  | { readonly ok: true; readonly approval: Approval }
  | { readonly ok: false; readonly why: 'unknown' | 'decided' | 'expired'; readonly approval?: Approval }
>();
expectTypeOf(toolbox.with({ tenantId: 't' }).listApprovals()).resolves.toEqualTypeOf<readonly Approval[]>();
expectTypeOf(toolbox.resume('r')).resolves.toEqualTypeOf<ResumedCall[]>();
expectTypeOf(toolbox.wait('h', { timeoutMs: 1 })).resolves.toEqualTypeOf<Outcome>();
const page = await toolbox.readResult('ref', { path: 'rows', offset: 1 });
if (page.status === 'ok') expectTypeOf(page.data.total).toEqualTypeOf<number>();

// @ts-expect-error there are two verdicts
void toolbox.decide('h', 'maybe');
// @ts-expect-error only approvals decide
createToolbox([tool], { use: [journal({ store }), defer({ store })] }).decide;
// @ts-expect-error only spill reads results
createToolbox([tool], { use: [approvals({ store })] }).readResult;
// @ts-expect-error only defer settles
createToolbox([tool], { use: [idempotency({ store }), retry()] }).settle;
// @ts-expect-error a guard that remembers needs a store
idempotency({});
