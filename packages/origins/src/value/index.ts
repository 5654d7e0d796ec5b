export type { AnswerCheck } from '@toolpact/testing';
export type {
  EventOf,
  Failure,
  JsonObject,
  JsonValue,
  Outcome,
  ToolpactEvent,
} from 'toolpact';
export type { Preset } from '../preset.ts';
export { checks } from './checks.ts';
export { type ToolInvoked, toToolInvoked } from './events/tool-invoked.ts';
export { preset } from './preset.ts';
export type { Change } from './sessions/change.ts';
export type { FailureRecord } from './sessions/failure-record.ts';
export { append, clear, replaceLatest, resultsOf, upsert } from './sessions/reducers.ts';
export { createSession, type Session, type SessionOptions } from './sessions/session.ts';
export { logSlice, type Slice, type SliceOptions, stateSlice } from './sessions/slice.ts';
export type { SessionSnapshot } from './sessions/snapshot.ts';
export { type ValueDialect, type ValueEnvelope, type ValueOptions, value } from './value.ts';
