export type {
  ApprovalEvent,
  AsyncSink,
  AttemptEndEvent,
  CallEndEvent,
  CallFacts,
  CallStartEvent,
  DeniedEvent,
  Dispatch,
  EventBus,
  EventDraft,
  EventOf,
  EventProblem,
  EventSink,
  EventStamp,
  EventType,
  LateEvent,
  Listener,
  LogEvent,
  ProblemEvent,
  ProgressEvent,
  PromptEndEvent,
  PromptStartEvent,
  QueueOptions,
  RunContextView,
  SinkQueue,
  ToolInvoked,
  ToolpactEvent,
  ToolsOfferedEvent,
} from '../../core/events/index.ts';
export { createEvent, createEventBus, createEventId, toToolInvoked } from '../../core/events/index.ts';
export type { Change } from './change.ts';
export type { FailureRecord } from './failure-record.ts';
export {
  append,
  clear,
  type EventReducer,
  type Reducer,
  replaceLatest,
  resultsOf,
  type Select,
  type ToolWithResults,
  upsert,
} from './reducers.ts';
export {
  type CallView,
  createSession,
  type ItemsOf,
  type Session,
  type SessionOptions,
  type SessionStats,
} from './session.ts';
export type { SessionView } from './session-view.ts';
export { type AnySlice, logSlice, type Slice, type SliceOptions, stateSlice } from './slice.ts';
export type { SessionSnapshot, SliceSnapshot } from './snapshot.ts';
export type { SnapshotStore, StoredSnapshot } from './snapshot-store.ts';
