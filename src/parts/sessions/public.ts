export type {
  ApprovalEvent,
  AttemptEndEvent,
  CallEndEvent,
  CallStartEvent,
  DeniedEvent,
  EventBus,
  EventProblem,
  EventSink,
  LateEvent,
  LogEvent,
  ProblemEvent,
  ProgressEvent,
  PromptEndEvent,
  PromptStartEvent,
  SinkQueue,
  StepEndEvent,
  StepStartEvent,
  ToolInvoked,
  ToolpactEvent,
  ToolsOfferedEvent,
} from '../../core/events/index.ts';
export { createEvent, createEventBus, toToolInvoked } from '../../core/events/index.ts';
export type { Change } from './change.ts';
export type { FailureRecord } from './failure-record.ts';
export { append, clear, type Reducer, replaceLatest, resultsOf, upsert } from './reducers.ts';
export type { ItemsOf } from './session.ts';
export { createSession, type Session } from './session.ts';
export type { SessionView } from './session-view.ts';
export { logSlice, type Slice, stateSlice } from './slice.ts';
export type { SessionSnapshot } from './snapshot.ts';
