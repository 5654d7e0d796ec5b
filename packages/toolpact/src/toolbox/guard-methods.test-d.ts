import { expectTypeOf } from 'vitest';
import type { Decided } from '../calls/index.ts';
import { spill } from '../guards/public.ts';
import { defineNotifier } from '../notify/index.ts';
import type { Outcome } from '../outcome/index.ts';
import type { Approval, Guard, Notice } from '../ports/index.ts';
import { defineTool, type Tool } from '../runtime/define-tool.ts';
import { defineGuard } from '../runtime/guards/define-guard.ts';
import { memoryStore } from '../stores/memory.ts';
import { createToolbox } from './create-toolbox.ts';

const tool = defineTool({ name: 'tell', description: 'Tells.', effects: 'none', run: () => 'done' });

declare const plain: Guard;
declare const deciding: Guard<{ readonly decide: (id: string) => Promise<boolean> }>;
declare const waiting: Guard<{ readonly wait: (handle: string) => Promise<string> }>;
declare const many: readonly Guard[];

// The additions of guards are there, after `with` too, and nothing else is.
const toolbox = createToolbox([tool], { use: [plain, deciding, waiting] });
expectTypeOf(toolbox.decide).toEqualTypeOf<(id: string) => Promise<boolean>>();
expectTypeOf(toolbox.with({ tenantId: 't' }).wait('h')).resolves.toEqualTypeOf<string>();
expectTypeOf((await toolbox.call('tell', {})).status).toEqualTypeOf<'ok' | 'partial' | 'error' | 'pending'>();

// @ts-expect-error no guard adds this
toolbox.settle;
// @ts-expect-error a plain guard adds nothing
createToolbox([tool], { use: [plain] }).decide;
// @ts-expect-error guards that are not known one by one add nothing that is known
createToolbox([tool], { use: many }).decide;
// @ts-expect-error without guards there is nothing
createToolbox([tool]).decide;

// A guard may be written on the spot; its parameters need no annotation.
createToolbox([tool], { use: [defineGuard({ name: 'own', phase: 'run', around: (call, next) => (call.attempts > 0 ? next() : next()) })] });

// Tools whose names are not known one by one can be called by any name.
declare const listed: readonly Tool<string, { readonly id: number }, string>[];
expectTypeOf(createToolbox(listed).call('any', { id: 1 })).resolves.toExtend<{ readonly status: string }>();

// A store adds what is done with remembered calls and with approvals, after `with` too, beside the methods of guards.
const remembering = createToolbox([tool], { store: memoryStore(), use: [spill({ store: memoryStore() })] });
expectTypeOf(remembering.approvals.decide('h', 'approve', { by: 'ann' })).resolves.toEqualTypeOf<Decided>();
expectTypeOf(remembering.with({ tenantId: 't' }).approvals.list()).resolves.toEqualTypeOf<readonly Approval[]>();
expectTypeOf(remembering.calls.wait('h', { timeoutMs: 1 })).resolves.toEqualTypeOf<Outcome>();
const page = await remembering.readResult('ref', { path: 'rows', offset: 1 });
if (page.status === 'ok') expectTypeOf(page.data.total).toEqualTypeOf<number>();

// @ts-expect-error there are two verdicts
void remembering.approvals.decide('h', 'maybe');
// @ts-expect-error without a store there is nothing to decide
createToolbox([tool]).approvals;
// @ts-expect-error without a store no call is remembered
createToolbox([tool], { use: [spill({ store: memoryStore() })] }).calls;

// Declarations for tools of others have the same types as for one's own; their arguments are unknown.
createToolbox([tool], {
  store: memoryStore(),
  declare: () => ({
    approval: { ask: true, grants: false },
    preview(input, context) {
      expectTypeOf(input).toEqualTypeOf<unknown>();
      // @ts-expect-error a preview has no steps
      return [input, context.userId, context.step];
    },
  }),
});
// @ts-expect-error a preview is a function
createToolbox([tool], { store: memoryStore(), declare: () => ({ preview: { total: 1 } }) });
// @ts-expect-error whether there are grants is yes or no
createToolbox([tool], { store: memoryStore(), declare: () => ({ approval: { grants: 'never' } }) });

// Whoever is told of questions is made by `webhook` or `defineNotifier`.
createToolbox([tool], {
  store: memoryStore(),
  notify: [defineNotifier({ name: 'mail', send: async (notice) => expectTypeOf(notice).toEqualTypeOf<Notice>() })],
});
// @ts-expect-error a notifier needs what sends its notices
createToolbox([tool], { store: memoryStore(), notify: [{ name: 'mail', send: async () => undefined }] });
