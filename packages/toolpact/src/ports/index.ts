export type { Approval, ApprovalPageRequest, InputChange } from './approval.ts';
export { approvalQuestions, approvalRules, deniedFailure, expiredFailure, withdrawnFailure } from './approval-rules.ts';
export type { CallMemory, StepEnd, StepEntry, StepQuestion } from './call-memory.ts';
export { callNotes } from './call-notes.ts';
export type { CallSupply, WorkerCall } from './call-supply.ts';
export { changedTool } from './changed-tool.ts';
export type { EngineRun, EngineStep } from './engine-run.ts';
export type { Grant, GrantPageRequest, GrantRequest, GrantRule } from './grant.ts';
export { type ArrangedGuard, type Guard, type GuardPhase, guardPhases, type LimitState } from './guard.ts';
export type { GuardDecision, GuardedCall, GuardedTool } from './guarded-call.ts';
export type { GuardedToolbox } from './guarded-toolbox.ts';
export { freesKey, keyOf } from './key-rules.ts';
export type {
  Answered,
  Begun,
  BegunStep,
  CallEnd,
  CallKey,
  CallNote,
  CallPlace,
  CallQuery,
  CallRows,
  CallStage,
  CallState,
  Cancel,
  Cancelled,
  DueRequest,
  EndedStep,
  GivenAnswer,
  GrantQuery,
  Heartbeat,
  Ledger,
  ListedBy,
  NewCall,
  NewGrant,
  NewQuestion,
  NoticeEvent,
  NoticePlace,
  NoticeRequest,
  OwnCall,
  QuestionKind,
  QuestionPlace,
  QuestionQuery,
  QuestionState,
  Revoked,
  Revoker,
  RunPlace,
  SettledNotice,
  StoredCall,
  StoredGrant,
  StoredQuestion,
  StoredStep,
  Taken,
  TakenCall,
  TakenNotice,
  TakenNotices,
  Taker,
  Wait,
  Written,
} from './ledger.ts';
export type { McpAnswer, McpOperation, McpSpan, McpTelemetry } from './mcp-telemetry.ts';
export type { ApprovalNotice, AskedInput, InputNotice, Notice, Notifier, Outbox, OutboxOptions } from './notifier.ts';
export { type Promised, promises } from './promised.ts';
export { toQuestionAnswer } from './question-answer.ts';
export type { CallProgress, CallTrace, CallWait, ListedCall, RecordedCall, StepTrace } from './recorded-call.ts';
export { refuseWith } from './refuse-with.ts';
export type { ResourceLease, ResourcePort, ResourceUser } from './resource-port.ts';
export {
  type CounterState,
  type PutResult,
  type RecordDraft,
  type RecordKey,
  type Store,
  type StoredRecord,
  secretSpace,
} from './store.ts';
export { StoreFault } from './store-fault.ts';
export type { Suspension } from './suspension.ts';
export type { CallSpan, ErrorType, ErrorTypeHints, Telemetry, TracedCall } from './telemetry.ts';
export { unknownStep } from './unknown-step.ts';
export { untilWritten, writeUnwaited } from './unwaited-writes.ts';
