export type { AnswerCheck } from '@toolpact/testing';
export type {
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
  ToolpactEvent,
} from 'toolpact';
export type { Redactor } from 'toolpact/extend';
export { createEvent } from 'toolpact/internal';
export type { Preset } from '../preset.ts';
export { checks } from './checks.ts';
export { createEventBus, type EventBus } from './events/event-bus.ts';
export type { AsyncSink, QueueOptions, SinkQueue } from './events/sink-queue.ts';
export { type RunContextView, type ToolInvoked, toToolInvoked } from './events/tool-invoked.ts';
export { preset } from './preset.ts';
export type { Change } from './sessions/change.ts';
export type { FailureRecord } from './sessions/failure-record.ts';
export { append, clear, type Reducer, replaceLatest, resultsOf, type Select, type ToolWithResults, upsert } from './sessions/reducers.ts';
export { type CallView, createSession, type Session, type SessionOptions } from './sessions/session.ts';
export type { SessionView } from './sessions/session-view.ts';
export { type AnySlice, logSlice, type Slice, type SliceOptions, stateSlice } from './sessions/slice.ts';
export type { SessionSnapshot, SliceSnapshot } from './sessions/snapshot.ts';
export type { SnapshotStore, StoredSnapshot } from './sessions/snapshot-store.ts';
export { type ValueDialect, type ValueEnvelope, type ValueOptions, value } from './value.ts';
