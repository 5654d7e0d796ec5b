import { expectArgument } from '../outcome/index.ts';
import { type AnyTool, toTool } from './define-tool.ts';
import { findPlan, type ToolPlan } from './tool-plan.ts';

/** Checks whether a value is a tool made by `defineTool`. */
export function isTool(value: unknown): value is AnyTool {
  return findPlan(value) !== undefined;
}

/** Returns what a tool was compiled to: its schemas, what it promises, and its handler. Throws for anything but a tool. */
export function planOf(tool: AnyTool): ToolPlan {
  const plan = findPlan(tool);
  expectArgument(plan !== undefined, 'a tool is needed here: defineTool({ … })');
  return plan;
}

/** Copies a tool, with parts of its plan changed. */
export function changePlan<TTool extends AnyTool>(tool: TTool, changes: Partial<ToolPlan>): TTool {
  return toTool({ ...planOf(tool), ...changes }, tool) as TTool;
}
