import {
  classify,
  type Effect,
  type FailOptions,
  type Failure,
  type FailureFacts,
  type FailureKind,
  type JsonValue,
  makeFailure,
  nextStep,
  type Outcome,
  recoveryOf,
  reservedCodes,
  ToolFailure,
} from '../outcome/index.ts';
import type { Call } from './call.ts';
import { copyInput } from './copy-input.ts';
import { reportFailure } from './report.ts';
import { toJsonData } from './to-json-data.ts';

/** Builds the outcome of a call whose handler threw, or returned what it could have thrown. */
export function thrownOutcome(call: Call, thrown: unknown): Outcome {
  const { redactor, expose } = call.settings;
  const failure = classify(thrown, { redactor, expose, stopped: call.context.signal?.aborted === true, ...effectOf(call) });
  return errorOutcome(call, failure, thrown, ToolFailure.isInstance(thrown) ? thrown.options : noFailOptions);
}

/** Builds the outcome of a call that failed in or after its run by our own judgement. The message gets its next step. */
export function failedOutcome(call: Call, kind: FailureKind, facts: FailureFacts): Outcome {
  const effect = effectOf(call);
  const message = `${facts.message} ${nextStep({ kind, recovery: recoveryOf(kind, effect) })}`;
  return errorOutcome(call, makeFailure(kind, { ...facts, ...effect, message }), undefined, noFailOptions);
}

/** Builds the outcome of a call that was not run. */
export function refusedOutcome(call: Call, kind: FailureKind, facts: FailureFacts): Outcome {
  return errorOutcome(
    call,
    makeFailure(kind, { ...facts, effect: facts.effect ?? 'none', debugId: call.invocationId }),
    undefined,
    noFailOptions,
  );
}

/** Builds the outcome of a call whose deadline passed. */
export function timedOutOutcome(call: Call): Outcome {
  return failedOutcome(call, 'timeout', {
    message: `${call.plan.name} did not finish within ${call.timeoutMs} ms.`,
    cause: 'TimeoutError',
  });
}

/** Builds the outcome of a call that its caller stopped. */
export function abortedOutcome(call: Call): Outcome {
  const reason: unknown = call.context.signal?.reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return failedOutcome(call, 'timeout', { message: `${call.plan.name} did not finish within the caller's time.`, cause: 'TimeoutError' });
  }
  const what = call.ran ? 'was stopped by its caller before it finished' : 'was stopped by its caller and did not run';
  return failedOutcome(call, 'cancelled', { message: `${call.plan.name} ${what}.` });
}

/** Gives the arguments as received, as JSON, unless the tool or toolbox leaves them out. */
export function inputOf(call: Call): JsonValue | undefined {
  if (!(call.plan.echoInput ?? call.settings.echoInput)) return undefined;
  if (call.receivedJson) return call.received as JsonValue;
  const json = toJsonData(call.received, Number.POSITIVE_INFINITY);
  return json.ok ? (json.value as JsonValue) : null;
}

const noFailOptions: FailOptions = Object.freeze({});
const reserved: ReadonlySet<string> = new Set(reservedCodes);

/** States what may have happened outside: nothing before the run, and nobody knows what during the run of a tool that writes. */
function effectOf(call: Call): { effect: Effect; unsafe: boolean; attempt: number | undefined; debugId: string } {
  const { effects, idempotency } = call.plan;
  const effect = call.ran && effects !== 'none' ? 'unknown' : 'none';
  const unsafe = effect === 'unknown' && effects === 'writes' && idempotency === undefined;
  return { effect, unsafe, attempt: call.attempts > 1 ? call.attempts : undefined, debugId: call.invocationId };
}

function errorOutcome(call: Call, failure: Failure, thrown: unknown, { data, failures }: FailOptions): Outcome {
  call.endedAt = performance.now();
  const error = declared(call, failure);
  reportFailure(
    { debugId: call.invocationId, tool: call.plan.name, failure: error, input: call.received, thrown, redactor: call.settings.redactor },
    call.settings.report,
  );
  const fallback = fallbackOf(call);
  const input = inputOf(call);
  const attached = data === undefined ? undefined : toJsonData(data, call.settings.maxResultChars);
  return Object.freeze({
    status: 'error',
    error,
    ...(attached?.ok === true && { data: attached.value as JsonValue }),
    ...(fallback !== undefined && { fallback }),
    ...(failures !== undefined && { failures }),
    ...(input !== undefined && { input }),
    meta: call.meta(),
  });
}

/** Keeps the promise that a tool's codes are the ones it declared. */
function declared(call: Call, failure: Failure): Failure {
  const { failures } = call.plan;
  const { code } = failure;
  if (code === undefined || failures === undefined || Object.hasOwn(failures, code) || reserved.has(code)) return failure;
  call.warn(`the failure code "${code}" is not declared by ${call.plan.name}`);
  const { code: _, ...rest } = failure;
  return Object.freeze({ ...rest, details: { ...failure.details, undeclaredCode: code } });
}

function fallbackOf(call: Call): unknown {
  const { onFailure } = call.plan;
  if (onFailure === undefined) return undefined;
  try {
    return copyInput(typeof onFailure === 'function' ? onFailure(call.input ?? call.received) : onFailure).value;
  } catch {
    call.warn('onFailure failed; there is no fallback');
    return undefined;
  }
}
