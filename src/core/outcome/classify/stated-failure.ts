import { type FailureKind, isFailureKind } from '../catalogue.ts';
import type { Effect, Failure, Issue, Upstream } from '../failure.ts';
import type { JsonObject } from '../json.ts';
import { makeFailure } from '../make-failure.ts';
import type { Redactor } from '../redact.ts';
import { ToolFailure } from '../tool-failure.ts';
import { peek, peekString } from './peek.ts';

/** What is assumed where a failure does not state it. */
export interface StatedHints {
  readonly effect?: Effect;
  readonly unsafe?: boolean;
  readonly attempt?: number | undefined;
  readonly debugId?: string;
}

/** Takes a ToolFailure (of any copy of this package) or a plain Failure at its word: every field is checked and redacted, none is guessed. */
export function statedFailure(thrown: object, redactor: Redactor, hints: StatedHints): Failure | undefined {
  const stated = peek(thrown, 'kind');
  if (typeof stated !== 'string') return undefined;
  const branded = isToolFailure(thrown);
  const facts: unknown = branded ? peek(thrown, 'options') : thrown;
  const message = peekString(thrown, 'message');
  if (!branded && (!isFailureKind(stated) || message === undefined || typeof peek(thrown, 'retryable') !== 'boolean')) return undefined;

  const kind: FailureKind = isFailureKind(stated) ? stated : 'internal';
  const text = (key: string) => redactedText(peekString(facts, key), redactor);
  const effect = readEffect(peek(facts, 'effect'));
  return makeFailure(kind, {
    message: redactor.text(message ?? 'The tool failed without saying why.'),
    // A kind from a newer copy of the package: its meaning is unknown, so it is never repeated.
    code: kind === stated ? text('code') : redactor.text(stated.slice(0, 100)),
    retryable: kind === stated ? readBoolean(peek(facts, 'retryable')) : false,
    retryAfterMs: readCount(peek(facts, 'retryAfterMs')),
    effect: effect ?? hints.effect,
    unsafe: hints.unsafe === true && (effect ?? 'unknown') === 'unknown',
    issues: readIssues(peek(facts, 'issues'), redactor),
    upstream: readUpstream(peek(facts, 'upstream'), redactor),
    errorType: text('errorType'),
    attempt: hints.attempt ?? readCount(peek(facts, 'attempt')),
    cause: causeName(peek(facts, 'cause')),
    details: readDetails(peek(facts, 'details'), redactor),
    debugId: hints.debugId ?? text('debugId'),
  });
}

const problems: readonly unknown[] = ['missing', 'type', 'format', 'extra', 'rule'];
const effects: readonly unknown[] = ['none', 'applied', 'unknown'];

function isToolFailure(thrown: object): boolean {
  try {
    return ToolFailure.isInstance(thrown);
  } catch {
    return false;
  }
}

function redactedText(text: string | undefined, redactor: Redactor): string | undefined {
  return text === undefined ? undefined : redactor.text(text);
}

function readBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function readEffect(value: unknown): Effect | undefined {
  return effects.includes(value) ? (value as Effect) : undefined;
}

function readIssues(value: unknown, redactor: Redactor): readonly Issue[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, 100).flatMap((item) => readIssue(item, redactor) ?? []);
}

function readIssue(item: unknown, redactor: Redactor): Issue | undefined {
  const path = peek(item, 'path');
  const problem = peek(item, 'problem');
  const message = peekString(item, 'message');
  if (!Array.isArray(path) || !problems.includes(problem) || message === undefined) return undefined;
  const stated = ['format', 'expected', 'received', 'hint'].flatMap((key) => {
    const text = peekString(item, key);
    return text === undefined ? [] : [[key, redactor.text(text)]];
  });
  return {
    path: path.slice(0, 32).map((step) => (typeof step === 'number' ? step : redactor.text(String(step)))),
    problem: problem as Issue['problem'],
    ...(Object.fromEntries(stated) as Pick<Issue, 'format' | 'expected' | 'received' | 'hint'>),
    message: redactor.text(message),
  };
}

function readUpstream(value: unknown, redactor: Redactor): Upstream | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const status = readCount(peek(value, 'status'));
  const url = peekString(value, 'endpoint');
  const endpoint = url === undefined ? undefined : redactor.endpoint(url);
  const requestId = redactedText(peekString(value, 'requestId'), redactor);
  return {
    ...(status !== undefined && { status }),
    ...(endpoint !== undefined && { endpoint }),
    ...(requestId !== undefined && { requestId }),
  };
}

function readDetails(value: unknown, redactor: Redactor): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const copy = redactor.value(value);
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? (copy as JsonObject) : undefined;
}

function causeName(cause: unknown): string | undefined {
  if (typeof cause === 'string') return /^[\w.]{1,64}$/.test(cause) ? cause : undefined;
  return typeof cause === 'object' && cause !== null ? (peekString(cause, 'code') ?? peekString(cause, 'name'))?.slice(0, 64) : undefined;
}
