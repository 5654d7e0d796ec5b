export { createEvent, createEventId } from './create-event.ts';
export { createDispatcher, type Dispatcher, type Listener, silentDispatcher } from './dispatcher.ts';
export { type CallFacts, type EventDraft, type EventOf, type EventSink, type EventType, isEvent, type ToolpactEvent } from './event.ts';
export { isolate, onRejected } from './isolate.ts';
export { createProblemLog, type EventProblem, type ProblemLog, toProblemEvent } from './problem.ts';
