import { classify } from '../../classify/index.ts';
import type { FailureCodes } from '../../contract/index.ts';
import { copyInput, peek, takePromise } from '../../json/index.ts';
import {
  type ErrorOutcome,
  type FailOptions,
  type Failure,
  type FailureFacts,
  type FailureKind,
  followItems,
  type ItemFailure,
  type JsonValue,
  makeFailure,
  type Outcome,
  reservedCodes,
  ToolFailure,
  withoutAbsent,
} from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { reportFailure } from '../report.ts';
import { classifyHints } from './classify-hints.ts';
import { effectOf } from './effect-of.ts';
import { itemFailures } from './item-failures.ts';
import { inputOf, toJsonOnly } from './to-json-data.ts';

/** Builds the outcome of a call whose handler threw, or returned what it could have thrown. Never throws. */
export function thrownOutcome(call: Call, thrown: unknown): Outcome {
  try {
    return readThrown(call, thrown);
  } catch {
    return errorOutcome(call, classify(undefined, effectOf(call)));
  }
}

function readThrown(call: Call, thrown: unknown): Outcome {
  if (call.context.isControlFlow && steersHost(call, thrown)) return steeredOutcome(call);
  // A promise that was thrown would end the process if it were rejected.
  takePromise(thrown);
  const during = call.handlerStarted ? 'run' : undefined;
  return errorOutcome(call, classify(thrown, { ...effectOf(call, thrown), ...classifyHints(call), during }), thrown);
}

/** Returns how a failed call may run again: where its steps are remembered, also after an effect that no other call may repeat. */
export function retryOf(call: Call, outcome: Outcome): { readonly retryAfterMs: number | undefined } | undefined {
  if (outcome.status !== 'error') return undefined;
  const { error } = outcome;
  if (error.retryable) return { retryAfterMs: error.retryAfterMs };
  if (call.thrown === undefined || error.effect === 'none' || call.steps?.mayRepeat() !== true) return undefined;
  // Only the effect made this failure final; by itself it may pass.
  const { retryable, retryAfterMs } = classify(call.thrown, { stopped: call.isStopped, during: 'run' });
  return retryable ? { retryAfterMs } : undefined;
}

function steersHost(call: Call, thrown: unknown): boolean {
  try {
    return call.context.isControlFlow?.(thrown) === true;
  } catch {
    return false;
  }
}

/** Builds the outcome of a call whose handler steered the host: what comes of it, only the host knows. */
function steeredOutcome(call: Call): Outcome {
  const pending = Object.freeze({ handle: call.invocationId, reason: 'host' });
  return withoutAbsent({ status: 'pending', pending, input: inputOf(call), meta: call.meta() });
}

/** Builds the outcome of a call that failed in or after its run by our own judgement. */
export function failedOutcome(call: Call, kind: FailureKind, facts: FailureFacts): Outcome {
  return errorOutcome(call, makeFailure(kind, { ...facts, ...effectOf(call), message: call.redactor.text(facts.message, true) }));
}

/** Builds the outcome of a call that was not run. */
export function refusedOutcome(call: Call, kind: FailureKind, facts: FailureFacts): Outcome {
  return errorOutcome(call, makeFailure(kind, { ...facts, debugId: call.invocationId }));
}

/** Builds the outcome of a call that was not made because another one had failed. */
export function skippedOutcome(call: Call, failedId: string): Outcome {
  const message = call.redactor.text(`${call.plan.name} was skipped because call ${failedId} failed; it did not run.`);
  return refusedOutcome(call, 'cancelled', { message, code: 'skipped' });
}

/** Builds the outcome of a call whose deadline passed. */
export function timedOutOutcome(call: Call, time = `${call.timeoutMs} ms`): Outcome {
  return failedOutcome(call, 'timeout', { message: `${call.plan.name} did not finish within ${time}.`, cause: 'TimeoutError' });
}

/** Builds the outcome of a call that its caller stopped. */
export function abortedOutcome(call: Call): Outcome {
  // A reason can be anything, and throw when it is looked at.
  const reason = peek(call.context.signal, 'reason');
  // A caller that stops a call may say why; a server that shuts down does.
  if (ToolFailure.isInstance(reason)) return thrownOutcome(call, reason);
  if (peek(reason, 'name') === 'TimeoutError') return timedOutOutcome(call, "the caller's time");
  const what = call.handlerStarted ? 'before it finished' : 'and did not run';
  return failedOutcome(call, 'cancelled', { message: `${call.plan.name} was stopped by its caller ${what}.` });
}

function errorOutcome(call: Call, failure: Failure, thrown?: unknown): Outcome {
  const { plan } = call;
  // Anything can be thrown, and look like what an author stated.
  const stated = ToolFailure.isInstance(thrown) ? peek(thrown, 'options') : undefined;
  const data = peek(stated, 'data');
  const failures = peek(stated, 'failures');
  call.endedAt = performance.now();
  call.thrown = thrown;
  const items = Array.isArray(failures) ? itemFailures(call, failures) : undefined;
  const followed = items !== undefined && failure.kind === 'all_failed' ? withItems(call, failure, items, thrown) : failure;
  const error = plan.failures ? declared(call, followed, plan.failures) : followed;
  reportFailure(call, error, thrown);
  return withoutAbsent<ErrorOutcome>({
    status: 'error',
    error,
    data: data === undefined ? undefined : (toJsonOnly(data, call) as JsonValue),
    fallback: plan.onFailure === undefined ? undefined : fallbackOf(call),
    failures: items,
    input: inputOf(call),
    // Last, because warnings can come up until here.
    meta: call.meta(),
  });
}

/** Lets the failure of a whole batch follow its items; what its author states of it, or its steps know, is not changed. */
function withItems(call: Call, failure: Failure, items: readonly ItemFailure[], thrown: unknown): Failure {
  const { retryable, retryAfterMs, effect } = (peek(thrown, 'options') ?? {}) as FailOptions;
  return (retryable ?? retryAfterMs ?? effect) === undefined && !call.plan.steps ? followItems(failure, items) : failure;
}

/** Keeps the promise that a tool's codes are the ones it declared. */
function declared(call: Call, failure: Failure, failures: FailureCodes): Failure {
  const { code } = failure;
  if (code === undefined || Object.hasOwn(failures, code) || (reservedCodes as readonly string[]).includes(code)) return failure;
  call.warn(`the failure code "${code}" is not declared in \`failures\` of ${call.plan.name}`);
  return withoutAbsent<Failure>({ ...failure, code: undefined, details: { ...failure.details, undeclaredCode: code } });
}

function fallbackOf(call: Call): unknown {
  const { onFailure, checkOutput } = call.plan;
  try {
    const isMade = typeof onFailure === 'function';
    const given = copyInput(isMade ? (call.input ?? call.received) : onFailure).value;
    const value: unknown = isMade ? onFailure(given) : given;
    // A plain value was checked when the tool was defined; one made from refused arguments may echo them as they are. A schema that can
    // only be checked asynchronously is not.
    const checked = isMade && value !== null && call.input ? checkOutput?.(value) : undefined;
    takePromise(checked);
    const fallback = peek(checked, 'issues') === undefined ? toJsonOnly(value, call) : undefined;
    if (fallback !== undefined) return fallback;
  } catch {
    // Reported below, like any other fallback that cannot be sent.
  }
  call.warn('onFailure threw, or gave a value that breaks the output schema; there is no fallback');
  return undefined;
}
