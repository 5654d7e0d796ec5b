// The part that the client of `@toolpact/server` loads before the first call. It imports this from `toolpact/internal`; the build keeps these files apart from
// the rest of the library (scripts/build.mjs), so that a browser does not load `classify` with them.
export { readHttpStatus } from './classify/read-http-status.ts';
export { readWait } from './classify/retry-after.ts';
export { isRefusingStatus } from './classify/shows-refusal.ts';
export { createRunId } from './contract/create-run-id.ts';
export { defaultRetry, retryOptions } from './contract/retry-rule.ts';
export { decodeOutcome } from './dialects/reading/decode-outcome.ts';
export { readPieces } from './history/read-pieces.ts';
export { toNameKey } from './json/rank-names.ts';
export { peek } from './json/unknown-value.ts';
export { isOutcome } from './outcome/is-outcome.ts';
export { makeFailure } from './outcome/make-failure.ts';
export { assertPositive, knownOptions, refuseOptions } from './outcome/refuse-options.ts';
export { ToolpactError } from './outcome/toolpact-error.ts';
export { withoutAbsent } from './outcome/without-absent.ts';
export { createBoundedMap } from './time/bounded-map.ts';
export { systemClock } from './time/clock.ts';
export { retryPauseMs } from './time/retry-pause.ts';
export { sleep } from './time/sleep.ts';
