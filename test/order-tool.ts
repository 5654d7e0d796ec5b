import { z } from 'zod';
import type { StepRunContext } from '../src/core/contract/index.ts';
import { defineTool } from '../src/index.ts';

/** What an order does, in steps. */
export type OrderRun = (ctx: StepRunContext, input: { readonly id: string }) => unknown;

/** Makes the tool of tests of remembered steps. */
export function orderTool(run: OrderRun, definition: object = {}) {
  return defineTool({
    name: 'order',
    description: 'Orders.',
    input: z.looseObject({ id: z.string() }),
    steps: true,
    ...definition,
    run: (input, ctx) => run(ctx, input) as Promise<string>,
  });
}
