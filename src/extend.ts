// The entry for authors of guards, stores, dialects and checks of tools. Users of ready ones need nothing from here.

export type { Decoded, DecodeOptions, Dialect, EncodeOptions, Loss } from './core/dialects/index.ts';
export { adviceFor, httpStatus, type Redactor } from './core/outcome/index.ts';
export type {
  Awaitable,
  CallMemory,
  CounterState,
  Guard,
  GuardDefinition,
  GuardedCall,
  GuardedTool,
  GuardedToolbox,
  GuardPhase,
  IndexPage,
  IndexQuery,
  InnerMethods,
  LimitState,
  LogEntry,
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
} from './core/ports/index.ts';
export {
  defineGuard,
  fromStepRecord,
  type ShownQuestion,
  type StepRecord,
  toQuestion,
  toStepRecord,
} from './core/runtime/index.ts';
export {
  type Check,
  defineToolCheck,
  type Finding,
  type Problem,
  type ToolCheck,
  type ToolCheckDefinition,
  type ToolGroup,
  type ToolSubject,
  type ToolTrial,
} from './edges/conformance/index.ts';
