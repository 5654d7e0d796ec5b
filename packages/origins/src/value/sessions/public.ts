export type {
  AsyncSink,
  CallFacts,
  EventDraft,
  EventOf,
  EventProblem,
  EventSink,
  EventType,
  Failure,
  JsonObject,
  JsonValue,
  Outcome,
  QueueOptions,
  SinkQueue,
  ToolpactEvent,
} from 'toolpact';
export type { EventBus, RunContextView, ToolInvoked } from 'toolpact/internal';
export { createEvent, createEventBus, toToolInvoked } from 'toolpact/internal';
export type { Change } from './change.ts';
export type { FailureRecord } from './failure-record.ts';
export { append, clear, type Reducer, replaceLatest, resultsOf, type Select, type ToolWithResults, upsert } from './reducers.ts';
export { type CallView, createSession, type Session, type SessionOptions } from './session.ts';
export type { SessionView } from './session-view.ts';
export { type AnySlice, logSlice, type Slice, type SliceOptions, stateSlice } from './slice.ts';
export type { SessionSnapshot, SliceSnapshot } from './snapshot.ts';
export type { SnapshotStore, StoredSnapshot } from './snapshot-store.ts';
