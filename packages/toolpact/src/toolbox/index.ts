export type { BatchAnswer, BatchCall, BatchOptions } from './batch.ts';
export { addGuard, behindGuard } from './change-guards.ts';
export { checkToolbox, createToolbox, type ListedTool, type ModelCall, type Toolbox, type ToolboxOptions } from './create-toolbox.ts';
