export type { BatchAnswer, BatchCall, BatchOptions } from './batch.ts';
export { addStore, behindGuard } from './change-guards.ts';
export {
  checkToolbox,
  createToolbox,
  type DeclaredTool,
  type ListedTool,
  type ModelCall,
  type SearchOptions,
  type StoreMethodsOf,
  type Toolbox,
  type ToolboxOptions,
  type ToolboxWith,
} from './create-toolbox.ts';
export { type FoundTool, searchToolName } from './search/index.ts';
