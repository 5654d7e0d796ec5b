export type {
  CallFacts,
  EventBus,
  EventOf,
  EventProblem,
  EventSink,
  QueueOptions,
  SinkQueue,
  ToolInvoked,
  ToolpactEvent,
} from '../../core/events/index.ts';
export { createEvent, createEventBus, toToolInvoked } from '../../core/events/index.ts';
export type { Failure, JsonObject, JsonValue, Outcome } from '../../core/outcome/index.ts';
export type { Change } from './change.ts';
export type { FailureRecord } from './failure-record.ts';
export { append, clear, type Reducer, replaceLatest, resultsOf, upsert } from './reducers.ts';
export { createSession, type Session, type SessionOptions } from './session.ts';
export type { SessionView } from './session-view.ts';
export { logSlice, type Slice, type SliceOptions, stateSlice } from './slice.ts';
export type { SessionSnapshot } from './snapshot.ts';
