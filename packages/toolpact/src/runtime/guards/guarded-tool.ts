import type { GuardedTool } from '../../ports/index.ts';
import type { ToolPlan } from '../tool-plan.ts';

const guardedTools = new WeakMap<ToolPlan, GuardedTool>();

/** Returns the part of a tool that guards may see: the same object for all its calls. */
export function toGuardedTool(plan: ToolPlan): GuardedTool {
  const known = guardedTools.get(plan);
  if (known !== undefined) return known;
  const tool = Object.freeze(readTool(plan));
  guardedTools.set(plan, tool);
  return tool;
}

function readTool(plan: ToolPlan): GuardedTool {
  const { name, effects, steps, description, schemas, guardOptions } = plan;
  const { idempotency, retry, cache, deferAfterMs, approval } = guardOptions;
  return {
    name,
    effects,
    steps,
    description,
    idempotency,
    retry,
    cache,
    deferAfterMs,
    approval,
    hasPreview: guardOptions.preview !== undefined,
    canReconcile: guardOptions.reconcile !== undefined,
    schemas,
  };
}
