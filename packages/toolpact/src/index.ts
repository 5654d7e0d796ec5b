export { createWorker, type Worker, type WorkerOptions } from './calls/durable/create-worker.ts';
export { classify, type Expose } from './classify/index.ts';
export * from './contract/public.ts';
export type {
  CallFacts,
  EventDraft,
  EventOf,
  EventProblem,
  EventSink,
  EventType,
  ToolpactEvent,
} from './events/index.ts';
export {
  type Content,
  catalogue,
  type ErrorOutcome,
  type FailOptions,
  type Failure,
  type FailureKind,
  fail,
  type Issue,
  type ItemFailure,
  isFailure,
  isOk,
  type JsonObject,
  type JsonValue,
  type Meta,
  type OkOptions,
  type OkOutcome,
  type OkReply,
  type Outcome,
  ok,
  type PartialOutcome,
  type PartialReply,
  type Pending,
  type PendingOutcome,
  type PendingReply,
  partial,
  pending,
  type Recovery,
  type RedactOptions,
  type Reply,
  type ReservedCode,
  summarize,
  ToolFailure,
  ToolpactError,
  toModelText,
} from './outcome/index.ts';
export type { ResourceLease, ResourcePort, ResourceUser } from './ports/index.ts';
export {
  type AnyTool,
  type CodesOf,
  causeOf,
  type DefineTool,
  defineTool,
  type FailureReport,
  type ModelDialect,
  type Preset,
  type Report,
  type ReportedError,
  type Tool,
  type ToolDefinition,
  toJsonSchema,
  unwrap,
} from './runtime/index.ts';
export {
  type BatchAnswer,
  type BatchCall,
  type BatchOptions,
  createToolbox,
  type ListedTool,
  type ModelCall,
  type Toolbox,
  type ToolboxOptions,
} from './toolbox/index.ts';
export { createResources, type Resources, type ResourcesOptions } from './toolbox/resources/create-resources.ts';
export type { SessionFilter } from './toolbox/resources/create-session-table.ts';
export type { SessionRequest } from './toolbox/resources/create-sessions.ts';
export type { SessionInfo } from './toolbox/resources/session.ts';
