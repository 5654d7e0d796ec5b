// The parts of the library that the other packages of this repository are made of, folder by folder. Nobody else is promised anything of them.
// Not out of `calls/index.ts`: whoever needs these would load every guard.

export { startWorker } from './calls/go-on/worker.ts';
export { comparePlaces, createCallFeed, type FeedLook, type FeedPlace, placeOf } from './calls/read/call-feed.ts';
export { settleLost } from './calls/run/settle-lost.ts';
export { isRefusingStatus, kindOfErrorType, readHttpStatus, readWait } from './classify/index.ts';
export {
  checkToolName,
  createRunId,
  defaultRetry,
  findMisfit,
  flattenSchema,
  limitKeywords,
  mergeSchemas,
  numberRange,
  outcomeSchema,
  readContextHeaders,
  retryOptions,
  type SchemaPart,
  sampleText,
  sampleValue,
  type TraceSources,
  toNameKey,
  toProviderName,
  toUuid,
  typeName,
  waitForResult,
} from './contract/index.ts';
export type { StandardJsonSchema } from './contract/standard-schema.ts';
export { asPending, isPending, isWaiting } from './dialects/as-pending.ts';
export { checkEncode } from './dialects/check-encode.ts';
export type { KnownData } from './dialects/dialect.ts';
export {
  envelopeSchema,
  objectOrNull,
  objectSchema,
  pendingAnswer,
  textOrNull,
  textSchema,
  toolSchemas,
  withDefinitions,
} from './dialects/envelope-schema.ts';
export { extension, extensionKey, type Held } from './dialects/extension.ts';
export {
  amount,
  anything,
  count,
  flag,
  integer,
  mapOf,
  may,
  mayBeNull,
  need,
  object,
  oneOf,
  orNull,
  reader,
  record,
  text,
} from './dialects/fields.ts';
export { decodeOutcome } from './dialects/index.ts';
export { commonLosses, lossTable } from './dialects/losses.ts';
export { createDecode } from './dialects/reading/create-decode.ts';
export { foreignError, foreignFailure, readTookMs, unknownMeta } from './dialects/reading/foreign.ts';
export { looksLike } from './dialects/reading/looks-like.ts';
export { readPending } from './dialects/reading/read-outcome.ts';
export { broken, missing, wrong } from './dialects/reading/undecodable.ts';
export {
  createDispatcher,
  createEvent,
  createEventId,
  createProblemLog,
  type EventProblem,
  type EventSink,
  type EventType,
  isEvent,
  type Listener,
  onRejected,
  type ProblemLog,
  toProblemEvent,
} from './events/index.ts';
export {
  canonicalJson,
  cutJson,
  cutText,
  endOfText,
  everyPart,
  isObject,
  isRecord,
  isThenable,
  mapJson,
  measureJson,
  ownEntry,
  parseExactly,
  peek,
  rankNames,
  readBytes,
  readExactly,
  readPieces,
  readPointer,
  resolveReference,
  toBase64,
  toLogRecord,
} from './json/index.ts';
export {
  announceTools,
  answerMcpRequests,
  encodeMcpResult,
  type ListedMcpTools,
  listMcpTools,
  type McpRequest,
  type McpTool,
  type McpTools,
  offeredMcpTools,
  type RecordedServer,
  readMcpCall,
  readMcpRequest,
  recordMcpRequests,
  startRecord,
  toMcpTool,
  toRecorded,
} from './mcp/index.ts';
export {
  assertPositive,
  createRedactor,
  defaultRedactor,
  type Effect,
  expectArgument,
  expectFailure,
  inPlace,
  isFailureKind,
  isInternalHost,
  isOutcome,
  isReply,
  knownOptions,
  makeFailure,
  type OptionNames,
  recoveries,
  refuseOption,
  refuseOptions,
  reservedCodes,
  toMessagePattern,
  whyUnreachable,
  withoutAbsent,
} from './outcome/index.ts';
export {
  type CallTrace,
  callNotes,
  type StepTrace,
} from './ports/index.ts';
export { checkApproval } from './runtime/check-approval.ts';
export {
  insideKey,
  type Report,
  toSharedContext,
} from './runtime/index.ts';
export { conventions } from './telemetry/conventions.ts';
export { errorType, isUsable, upstreamStatus } from './telemetry/error-type.ts';
export {
  type AsyncStorage,
  type Clock,
  createAsyncStorage,
  createBoundedMap,
  createRunningClock,
  elapsedMs,
  keepProcess,
  maxTimerMs,
  nextTurn,
  retryPauseMs,
  type StopTimer,
  sleep,
  systemClock,
  untilAborted,
  windowWaitMs,
  withTimeLimit,
} from './time/index.ts';
export { addStore, behindGuard, checkToolbox, type DeclaredTool } from './toolbox/index.ts';
export type { SessionFilter } from './toolbox/resources/create-session-table.ts';
