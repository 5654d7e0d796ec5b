import { catalogue } from '../catalogue.ts';
import type { Effect, Failure } from '../failure.ts';
import { makeFailure, recoveryOf } from '../make-failure.ts';
import { defaultRedactor, type Redactor } from '../redact.ts';
import { kindOfErrorType } from '../tool-failure.ts';
import { type Decision, decide } from './decide.ts';
import type { Evidence } from './evidence.ts';
import { failureMessage } from './failure-message.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { asString, isObject, peekString, propertyReader } from './peek.ts';
import { findEndpoint, findHeaders, findHost, readUpstream } from './read-upstream.ts';
import { retryAfter } from './retry-after.ts';
import { statedFailure } from './stated-failure.ts';

/** What `classify` may be told. */
export interface ClassifyHints {
  /** `redacted` (default) quotes the first line of the error, cleaned; `authored` uses our own words only. */
  readonly expose?: 'redacted' | 'authored';
  readonly redactor?: Redactor;
  /** The current time in epoch milliseconds, for waits given as dates. */
  readonly now?: number;
  /** Whether the caller stopped the call. Where it did not, an abort is the tool's own way of giving up on time. */
  readonly stopped?: boolean;
  /** The effect to assume where the thrown value states none, and whether repeating could then do harm. */
  readonly effect?: Effect;
  readonly unsafe?: boolean;
  readonly attempt?: number | undefined;
  readonly debugId?: string;
}

/**
 * Turns anything that was thrown into a failure: what it means, whether trying again may help and when, and what the model may read.
 * Never throws and looks at a bounded part of the value, whatever it is given.
 */
export function classify(thrown: unknown, hints: ClassifyHints = {}): Failure {
  try {
    const redactor = hints.redactor ?? defaultRedactor;
    const stated = isObject(thrown) ? statedFailure(thrown, redactor, hints) : undefined;
    return stated ?? readFailure(thrown, hints, redactor);
  } catch {
    // Only a broken redactor gets here; what it could not clean is not shown.
    return makeFailure('internal', { message: 'The tool failed unexpectedly. Repeating the same call will not help.' });
  }
}

function readFailure(thrown: unknown, hints: ClassifyHints, redactor: Redactor): Failure {
  const evidence = gatherEvidence(thrown);
  const errorType = statedErrorType(thrown);
  const { kind, retryable = catalogue[kind].retryable, finding } = withStopped(withErrorType(decide(evidence), errorType), hints);

  const inward = kind === 'internal' || kind === 'not_configured';
  const endpoint = inward ? undefined : findEndpoint(evidence, redactor);
  const headers = inward ? [] : findHeaders(evidence);
  const upstream = inward || kind === 'unreachable' ? undefined : readUpstream(evidence, headers, endpoint, redactor);
  const texts = [evidence.remoteText, evidence.ownText, finding?.text];
  const now = hints.now ?? Date.now();
  const limited = kind === 'rate_limited';
  const unsafe = hints.unsafe;
  const retryAfterMs = retryable && unsafe !== true ? retryAfter({ headers, nodes: evidence.visited, texts, limited, now }) : undefined;

  const cause = causeOf(thrown, evidence);
  const { remoteCode } = evidence;
  const text = hints.expose === 'authored' ? undefined : (evidence.remoteText ?? sentenceOf(finding?.text) ?? evidence.ownText);
  const host = endpoint === undefined ? (inward ? undefined : findHost(evidence)) : hostOf(endpoint);
  return makeFailure(kind, {
    message: failureMessage(
      { kind, recovery: recoveryOf(kind, { retryable, unsafe }), host, status: upstream?.status, retryAfterMs, cause, text },
      redactor,
    ),
    retryable,
    unsafe,
    retryAfterMs,
    effect: hints.effect,
    attempt: hints.attempt,
    debugId: hints.debugId,
    upstream,
    errorType: errorType === undefined ? undefined : redactor.text(errorType),
    cause,
    details: remoteCode === undefined || remoteCode === cause ? undefined : { code: redactor.text(remoteCode) },
  });
}

/** Reads an `error.type` given at the throw site: a string, or a member of another language's enum. */
function statedErrorType(thrown: unknown): string | undefined {
  if (!isObject(thrown)) return undefined;
  for (const stated of errorTypes.read(thrown)) {
    const text = asString(stated) ?? (isObject(stated) ? peekString(stated, 'value') : undefined);
    if (text !== undefined) return text.slice(0, 100);
  }
  return undefined;
}

const errorTypes = propertyReader((o) => [o.errorType, o.error_type]);

/** The stated type decides the kind, unless a status or code says something more precise. */
function withErrorType(decision: Decision, errorType: string | undefined): Decision {
  if (errorType === undefined || (decision.finding?.weight ?? 0) >= 45) return decision;
  const kind = kindOfErrorType(errorType);
  return kind === 'internal' ? decision : { kind, retryable: undefined, finding: decision.finding };
}

function withStopped(decision: Decision, { stopped }: ClassifyHints): Decision {
  return stopped === false && decision.kind === 'cancelled' ? { ...decision, kind: 'timeout' } : decision;
}

function causeOf(thrown: unknown, { code, name }: Evidence): string | undefined {
  if (code !== undefined && /^[A-Z][A-Z\d_]+$/.test(code)) return code;
  return (name ?? (isObject(thrown) ? peekString(thrown, 'name') : undefined))?.match(/^[\w.$-]{1,64}/)?.[0];
}

/** A finding's own text is quoted only when it is a sentence; a code is named elsewhere. */
function sentenceOf(text: string | undefined): string | undefined {
  return text?.includes(' ') === true ? text : undefined;
}

function hostOf(endpoint: string): string | undefined {
  return /^[\w+.-]+:\/\/([^/]+)/.exec(endpoint)?.[1];
}
