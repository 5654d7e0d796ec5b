// The entry for authors of guards, stores, dialects and checks of tools. Users of ready ones need nothing from here.

export { lower, noTenant, type SchemaTarget } from './contract/index.ts';
export type { Decoded, DecodeOptions, Dialect, EncodeOptions, Loss } from './dialects/index.ts';
export { adviceFor, httpStatus, type JsonObject, type Redactor } from './outcome/index.ts';
export type {
  ArrangedGuard,
  Awaitable,
  CallMemory,
  CounterState,
  Guard,
  GuardedCall,
  GuardedTool,
  GuardedToolbox,
  GuardPhase,
  GuardSupply,
  IndexPage,
  IndexQuery,
  InnerMethods,
  LimitState,
  LogEntry,
  OpenCall,
  Promised,
  PutResult,
  RecordDraft,
  RecordIndex,
  RecordKey,
  RecordQuery,
  StepEnd,
  StepEntry,
  StepQuestion,
  Store,
  StoredRecord,
  StoreLogs,
  StoreSignals,
  TakenCall,
  WorkerSupply,
} from './ports/index.ts';
export { withSupply } from './ports/index.ts';
export {
  changePlan,
  defineGuard,
  fromStepRecord,
  type GuardOptions,
  insideOf,
  isTool,
  planOf,
  type ShownQuestion,
  type StepRecord,
  type ToolboxInside,
  type ToolPlan,
  toQuestion,
  toStepRecord,
} from './runtime/index.ts';
