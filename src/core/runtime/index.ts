export type {
  Approval,
  ApprovalMethods,
  ApprovalPageRequest,
  ArrangedGuard,
  CallMemory,
  CallSpan,
  CounterState,
  Decided,
  FailureReport,
  Guard,
  GuardDecision,
  GuardDefinition,
  GuardedCall,
  GuardedTool,
  GuardedToolbox,
  GuardPhase,
  GuardRunner,
  IndexPage,
  IndexQuery,
  LimitState,
  LogEntry,
  McpAnswer,
  McpOperation,
  McpSpan,
  McpTelemetry,
  Promised,
  PutResult,
  RecordDraft,
  RecordIndex,
  RecordKey,
  RecordQuery,
  Report,
  ReportedError,
  ResourcePort,
  StepEnd,
  StepEntry,
  StepQuestion,
  Store,
  StoredRecord,
  StoreLogs,
  StoreSignals,
  Telemetry,
  TracedCall,
  TracedStep,
} from '../ports/index.ts';
export type { BatchAnswer, BatchCall, BatchOptions } from './batch.ts';
export { checkToolbox } from './check-toolbox.ts';
export { type AnyTool, type CodesOf, type DefineTool, defineTool, type Tool, type ToolDefinition } from './define-tool.ts';
export { addGuard } from './guards/add-guard.ts';
export { approvalEvent, decisionEvents } from './guards/approval-event.ts';
export { behindGuard } from './guards/behind-guard.ts';
export { defineGuard } from './guards/define-guard.ts';
export { type ArgumentFingerprints, differingFields, refuseReusedKey } from './guards/reused-key.ts';
export { type ShownArguments, sayHidden, showArguments } from './guards/show-arguments.ts';
export { causeOf } from './report.ts';
export { fromStepRecord, type ShownQuestion, type StepRecord, toQuestion, toStepRecord } from './step-record.ts';
export { createToolbox, type ListedTool, type ModelCall, type Toolbox, type ToolboxOptions } from './toolbox.ts';
export { unwrap } from './unwrap.ts';
