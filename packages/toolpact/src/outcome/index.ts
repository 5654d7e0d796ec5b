export type { JsonObject, JsonValue } from '../json/index.ts';
export { adviceFor, derivedAdvice, statedAdvice } from './advice-for.ts';
export {
  catalogue,
  type FailureKind,
  httpStatus,
  isFailureKind,
  type Recovery,
  type ReservedCode,
  recoveries,
  reservedCodes,
} from './catalogue.ts';
export { expectArgument, expectFailure, expectOutcome } from './expect-argument.ts';
export type { Effect, Failure, Issue, ItemFailure, Upstream } from './failure.ts';
export { followItems } from './follow-items.ts';
export { isInternalHost } from './is-internal-host.ts';
export { isOutcome, pendingReasons, statuses } from './is-outcome.ts';
export { type FailureFacts, makeFailure, recoveryOf } from './make-failure.ts';
export {
  type Content,
  type ErrorOutcome,
  isFailure,
  isOk,
  type Meta,
  type OkOutcome,
  type Outcome,
  type PartialOutcome,
  type Pending,
  type PendingOutcome,
} from './outcome.ts';
export { createRedactor, defaultRedactor, type RedactOptions, type Redactor } from './redact.ts';
export { hidden } from './redaction/hidden.ts';
export { wholeWords } from './redaction/whole-words.ts';
export { assertPositive, inPlace, knownOptions, type OptionNames, type OptionRule, refuseOption, refuseOptions } from './refuse-options.ts';
export {
  fail,
  isReply,
  type OkOptions,
  type OkReply,
  ok,
  type PartialReply,
  type PendingReply,
  partial,
  pending,
  type Reply,
} from './reply.ts';
export { summarize } from './summarize.ts';
export { toEndpoint } from './to-endpoint.ts';
export { toMessagePattern } from './to-message-pattern.ts';
export { nextMark, toModelText } from './to-model-text.ts';
export { toReply } from './to-reply.ts';
export { type FailOptions, ToolFailure, toToolFailure } from './tool-failure.ts';
export { ToolpactError } from './toolpact-error.ts';
export { whyUnreachable } from './why-unreachable.ts';
export { withMeta, withWarning } from './with-meta.ts';
export { withoutAbsent } from './without-absent.ts';
