// The entry for authors of guards, stores, dialects and checks of tools. Users of ready ones need nothing from here.

export { lower, noTenant, type SchemaTarget } from './contract/index.ts';
export type { Decoded, DecodeOptions, Dialect, EncodeOptions, Loss } from './dialects/index.ts';
export { adviceFor, httpStatus, type Redactor } from './outcome/index.ts';
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
} from './ports/index.ts';
export {
  defineGuard,
  fromStepRecord,
  type ShownQuestion,
  type StepRecord,
  toQuestion,
  toStepRecord,
} from './runtime/index.ts';
