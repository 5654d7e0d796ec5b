export { createEvent, createEventId } from './create-event.ts';
export { createTurns } from './create-turns.ts';
export { createDispatcher, type Dispatcher, type Listener, silentDispatcher } from './dispatcher.ts';
export type {
  ApprovalEvent,
  AttemptEndEvent,
  CallEndEvent,
  CallFacts,
  CallStartEvent,
  DeniedEvent,
  EventDraft,
  EventOf,
  EventSink,
  EventStamp,
  EventType,
  LateEvent,
  LogEvent,
  ProblemEvent,
  ProgressEvent,
  PromptEndEvent,
  PromptStartEvent,
  StepEndEvent,
  StepStartEvent,
  ToolpactEvent,
  ToolsOfferedEvent,
} from './event.ts';
export { createEventBus, type EventBus } from './event-bus.ts';
export { isEvent } from './is-event.ts';
export { createProblemLog, type EventProblem, isolate, onRejected, type ProblemLog, toProblemEvent } from './problem.ts';
export type { AsyncSink, QueueOptions, SinkQueue } from './sink-queue.ts';
export { type RunContextView, type ToolInvoked, toToolInvoked } from './tool-invoked.ts';
