export type { BatchAnswer, BatchCall, BatchOptions } from './batch.ts';
export { defineGuard } from './define-guard.ts';
export { type AnyTool, type CodesOf, type DefineTool, defineTool, type Tool } from './define-tool.ts';
export type { McpAnswer, McpOperation, McpSpan, McpTelemetry } from './mcp-port.ts';
export type {
  CallSpan,
  FailureReport,
  Guard,
  GuardDefinition,
  GuardedCall,
  GuardedTool,
  GuardedToolbox,
  GuardPhase,
  Promised,
  Report,
  ReportedError,
  Telemetry,
  TracedCall,
} from './ports.ts';
export { causeOf } from './report.ts';
export type { ResourcePort } from './resource-port.ts';
export type { CounterState, PutResult, RecordDraft, RecordKey, RecordQuery, Store, StoredRecord } from './store.ts';
export { createToolbox, type ListedTool, type ModelCall, type Toolbox, type ToolboxOptions } from './toolbox.ts';
