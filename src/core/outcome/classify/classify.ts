import { catalogue } from '../catalogue.ts';
import type { Effect, Failure } from '../failure.ts';
import { makeFailure, recoveryOf } from '../make-failure.ts';
import { nextStep } from '../next-step.ts';
import { defaultRedactor, type Redactor } from '../redact.ts';
import { kindOfErrorType } from '../tool-failure.ts';
import { type Decision, decide } from './decide.ts';
import type { Evidence } from './evidence.ts';
import { failureMessage } from './failure-message.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { isObject, peekString } from './peek.ts';
import { readHeaders, retryAfter } from './retry-after.ts';
import { makeUpstream, statedFailure } from './stated-failure.ts';

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
    const plain = plainMessage(thrown);
    if (plain !== undefined) return plainFailure(plain, thrown, hints, redactor);
    const stated = isObject(thrown) ? statedFailure(thrown, redactor, hints) : undefined;
    return stated ?? readFailure(thrown, hints, redactor);
  } catch {
    // Only a broken redactor gets here; what it could not clean is not shown.
    const { effect, unsafe, attempt, debugId } = hints;
    const next = nextStep({ kind: 'internal', recovery: recoveryOf('internal', { unsafe }) });
    return makeFailure('internal', { message: `The tool failed unexpectedly. ${next}`, effect, unsafe, attempt, debugId });
  }
}

/** Gives the message of an error that is nothing but a message: most bugs are one. */
function plainMessage(thrown: unknown): string | undefined {
  try {
    if (!(thrown instanceof Error) || Object.getPrototypeOf(thrown) !== Error.prototype) return undefined;
    for (const name of Object.getOwnPropertyNames(thrown)) if (name !== 'stack' && name !== 'message') return undefined;
    // Read as data: a getter could say something else the next time.
    const message: unknown = Object.getOwnPropertyDescriptor(thrown, 'message')?.value;
    return typeof message === 'string' && message.length < 300 ? message : undefined;
  } catch {
    return undefined;
  }
}

/** What was made of a message, and what was known besides. */
interface Reading {
  readonly failure: Failure;
  readonly hints: ClassifyHints;
}

// What keeps failing keeps failing in the same words; ids inside them must not fill the memory.
const readings = new Map<string, Reading>();

function plainFailure(message: string, thrown: unknown, hints: ClassifyHints, redactor: Redactor): Failure {
  const known = readings.get(message);
  if (known !== undefined && isAlike(known.hints, hints)) {
    return makeFailure(known.failure.kind, {
      ...known.failure,
      unsafe: hints.unsafe,
      effect: hints.effect,
      attempt: hints.attempt,
      debugId: hints.debugId,
    });
  }
  const failure = readFailure(thrown, hints, redactor);
  if (readings.size >= 256) readings.clear();
  readings.set(message, { failure, hints });
  return failure;
}

function isAlike(a: ClassifyHints, b: ClassifyHints): boolean {
  return a.redactor === b.redactor && a.expose === b.expose && a.unsafe === b.unsafe && a.stopped === b.stopped;
}

function readFailure(thrown: unknown, hints: ClassifyHints, redactor: Redactor): Failure {
  const evidence = gatherEvidence(thrown);
  const { errorType } = evidence;
  const { kind, retryable = catalogue[kind].retryable, finding } = settle(decide(evidence), errorType, hints);
  const { unsafe } = hints;
  const { code, remoteCode, status, response } = evidence;

  const inward = kind === 'internal' || kind === 'not_configured';
  const endpoint = inward ? undefined : findEndpoint(evidence, redactor);
  const answered = !inward && kind !== 'unreachable' && (status ?? response) !== undefined;
  const headers = inward ? undefined : readHeaders(evidence);
  const retryAfterMs =
    headers !== undefined && retryable && unsafe !== true
      ? retryAfter(
          headers,
          evidence,
          `${evidence.remoteText}\n${evidence.ownText}\n${finding?.text}`.slice(0, 2000),
          kind === 'rate_limited',
          hints.now ?? Date.now(),
        )
      : undefined;
  const requestId = answered ? (evidence.requestId ?? [...(headers ?? [])].find(([name]) => name.endsWith('id'))?.[1]) : undefined;

  const cause = causeName(code, evidence.name ?? peekString(thrown, 'name'), redactor);
  // A finding's own text is quoted only when it is a sentence; a code is named elsewhere.
  const said = finding?.text?.includes(' ') === true ? finding.text : undefined;
  return makeFailure(kind, {
    message: failureMessage(
      {
        kind,
        recovery: recoveryOf(kind, { retryable, unsafe }),
        host: inward ? undefined : (/\/\/([^/]+)/.exec(endpoint ?? '')?.[1] ?? evidence.host),
        status: answered ? status : undefined,
        retryAfterMs,
        cause,
        text: hints.expose === 'authored' ? undefined : (evidence.remoteText ?? said ?? evidence.ownText),
      },
      redactor,
    ),
    retryable,
    unsafe,
    retryAfterMs,
    effect: hints.effect,
    attempt: hints.attempt,
    debugId: hints.debugId,
    upstream: answered ? makeUpstream(status, endpoint, requestId && redactor.text(requestId.slice(0, 128))) : undefined,
    errorType: errorType && redactor.text(errorType),
    cause,
    details: remoteCode === undefined || remoteCode === cause ? undefined : { code: redactor.text(remoteCode) },
  });
}

/** Names the cause: a system code, or what the exception is called. */
function causeName(code: string | undefined, name: string | undefined, redactor: Redactor): string | undefined {
  if (code !== undefined && /^[A-Z][A-Z\d_]+$/.test(code)) return redactor.text(code);
  if (name === undefined || name === 'Error' || name === 'TypeError') return name;
  const [word] = /^[\w.$-]{1,64}/.exec(name) ?? [];
  return word && redactor.text(word);
}

/** A stated type decides the kind, unless a status or code says something more precise; an abort that nobody asked for is the tool's own deadline. */
function settle(decision: Decision, errorType: string | undefined, { stopped }: ClassifyHints): Decision {
  const stated = errorType === undefined || (decision.finding?.weight ?? 0) >= 45 ? 'internal' : kindOfErrorType(errorType);
  if (stated !== 'internal') return { ...decision, kind: stated, retryable: undefined };
  return stopped === false && decision.kind === 'cancelled' ? { ...decision, kind: 'timeout' } : decision;
}

/** Finds the address that was called, without query or credentials. */
function findEndpoint({ urls, ownText }: Evidence, redactor: Redactor): string | undefined {
  // A link to the manual is no endpoint: only an address that something was sent to counts.
  const quoted = /\b(?:to|from|calling|fetch|GET|POST|PUT|PATCH|DELETE) ["'`]?(https?:\/\/[^\s"'`<>)]+)/.exec(
    ownText?.slice(0, 1000) ?? '',
  );
  for (const url of [...urls, quoted?.[1]]) {
    const endpoint = url && redactor.endpoint(url);
    if (endpoint) return endpoint;
  }
  return undefined;
}
