export type { Change } from './change.ts';
export { createEvent, createEventId } from './create-event.ts';
export type {
  ApprovalEvent,
  AttemptEndEvent,
  CallEndEvent,
  CallFacts,
  CallStartEvent,
  EventDraft,
  EventOf,
  EventSink,
  EventStamp,
  EventType,
  PromptEndEvent,
  PromptStartEvent,
  ToolpactEvent,
  ToolsOfferedEvent,
} from './event.ts';
export { createEventBus, type Dispatch, type EventBus, type EventBusOptions } from './event-bus.ts';
export type { FailureRecord } from './failure-record.ts';
export type { EventProblem } from './problem.ts';
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
export type { AsyncSink, QueueOptions, SinkQueue } from './sink-queue.ts';
export { type AnySlice, logSlice, type Slice, type SliceOptions, stateSlice } from './slice.ts';
export type { SessionSnapshot, SliceSnapshot } from './snapshot.ts';
export type { SnapshotStore, StoredSnapshot } from './snapshot-store.ts';
export { type RunContextView, type ToolInvoked, toToolInvoked } from './tool-invoked.ts';
