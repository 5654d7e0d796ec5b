import { expectTypeOf } from 'vitest';
import type { Guard } from '../ports/index.ts';
import { defineTool, type Tool } from '../runtime/define-tool.ts';
import { defineGuard } from '../runtime/guards/define-guard.ts';
import { createToolbox } from './create-toolbox.ts';

const tool = defineTool({ name: 'tell', description: 'Tells.', effects: 'none', run: () => 'done' });

declare const plain: Guard;
declare const deciding: Guard<{ readonly decide: (id: string) => Promise<boolean> }>;
declare const waiting: Guard<{ readonly wait: (handle: string) => Promise<string> }>;
declare const many: readonly Guard[];

// What guards add is there, after `with` too, and nothing else is.
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
