import { hideValues, isObject, peek } from '../json/index.ts';
import {
  catalogue,
  defaultRedactor,
  type Failure,
  type FailureFacts,
  type FailureKind,
  isInternalHost,
  makeFailure,
  type Redactor,
  toEndpoint,
  type Upstream,
  withoutAbsent,
} from '../outcome/index.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { type Echo, findEcho } from './echo.ts';
import type { Evidence } from './evidence.ts';
import { longestText, plainSentence, shownWords } from './failure-message.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { kindOfErrorType } from './kind-of-error-type.ts';
import { asString, peekString } from './peek-string.ts';
import { isPlainAbort } from './plain-abort.ts';
import { readHeaders, retryAfter } from './retry-after.ts';
import { isSentence } from './say.ts';
import { showsRefusal } from './shows-refusal.ts';
import { type StatedHints, statedFailure } from './stated-failure.ts';

/** Options of `classify`. */
export interface ClassifyHints extends StatedHints {
  /** `words` (default) reads sentences too; `structure` reads statuses, codes, names and causes only. */
  readonly classify?: 'words' | 'structure';
  readonly redactor?: Redactor;
  /** The subject of the message, if the error has no words of its own. @default 'The tool' */
  readonly subject?: string;
  /** `run`: thrown inside a handler, whose arguments had passed their schema before. */
  readonly during?: 'run' | undefined;
  /** The arguments of the call, and the names of the tool's parameters. A message that repeats one of them is about the arguments. */
  readonly args?: unknown;
  readonly params?: readonly string[];
  /** The current time in epoch milliseconds, for waits given as dates. */
  readonly now?: number;
  /** Whether the caller stopped the call. Where it did not, an abort is the tool's own way of giving up on time. */
  readonly stopped?: boolean;
}

/**
 * Turns anything that was thrown into a failure: what it means, whether trying again may help and when, and what the model may read.
 * Never throws and looks at a bounded part of the value, whatever it is given.
 */
export function classify(thrown: unknown, hints: ClassifyHints = {}): Failure {
  try {
    const redactor = hints.redactor ?? defaultRedactor;
    const stated = isObject(thrown) ? statedFailure(thrown, redactor, hints) : undefined;
    if (stated !== undefined) return stated;
    const facts = readFacts(thrown, hints, redactor);
    const { effect, unsafe, writes, attempt, debugId } = hints;
    // Steps know better than the error they ended with.
    const isRefused = effect === 'unknown' && hints.leastEffect === undefined && showsRefusal(facts.kind, thrown);
    return makeFailure(facts.kind, { ...facts, ...(isRefused ? refused : { effect, unsafe, writes }), attempt, debugId });
  } catch {
    // Only a broken redactor gets here; what it could not clean is not shown.
    return makeFailure('internal', { ...hints, message: 'The tool failed unexpectedly.' });
  }
}

/** The effect if an error proves that nothing was done. */
const refused = { effect: 'none', unsafe: false } as const;

/** The facts read from an error. */
type ReadFacts = FailureFacts & { readonly kind: FailureKind };

/** Reads what a thrown value says. */
function readFacts(thrown: unknown, hints: ClassifyHints, redactor: Redactor): ReadFacts {
  const isRunning = hints.during === 'run';
  const evidence = gatherEvidence(thrown, { structured: hints.classify === 'structure', isRunning });
  const { code, number, remoteCode, errorType, response } = evidence;
  const echo = findEcho(evidence.ownText ?? '', hints.args, hints.params ?? []);
  const decision = settle(decide(evidence, thrown, echo), evidence, echo, hints);
  const { kind, retryable = catalogue[kind].retryable, finding } = decision;

  const inward = kind === 'internal' || kind === 'failed' || kind === 'not_configured';
  const isPublic = hints.expose === 'authored';
  const stated = shownEndpoint(toEndpoint(evidence.endpoint ?? '', redactor), isPublic);
  const called = inward ? undefined : evidence.urls.map((url) => redactor.endpoint(url)).find(Boolean);
  const endpoint = stated ?? shownEndpoint(called, isPublic);
  const answered = !inward && kind !== 'unreachable' && (evidence.status ?? evidence.grpcStatus ?? response) !== undefined;
  const status = answered ? (evidence.status ?? evidence.grpcStatus) : undefined;
  const headers = readHeaders(inward ? [] : evidence.headers);
  const retryAfterMs = retryable
    ? retryAfter(headers, evidence, finding?.text, kind === 'rate_limited', hints.now ?? Date.now())
    : undefined;
  const requestId = answered ? (evidence.requestId ?? [...headers].find(([name]) => name.endsWith('id'))?.[1]) : undefined;

  const cause = causeName(code, evidence.name ?? evidence.className ?? peekString(thrown, 'name'), redactor);
  const said = aggregateText(thrown) ?? tellingText(evidence, decision);
  const word = remoteCode ?? code;
  const shownCode = number ?? (word && redactor.text(word));
  const { expose = 'redacted' } = hints;
  const isWhole = expose === 'full' || expose === 'verbatim';
  const whole = isWhole ? asString(isObject(thrown) ? peek(thrown, 'message') : String(thrown ?? ''), longestText) : undefined;
  const words = shownWords(whole ?? withoutIssueValues(said, evidence), redactor, isWhole && whole === undefined ? 'redacted' : expose);
  return {
    kind,
    message: words || plainSentence(kind, hints.subject),
    withheld: words === '',
    retryable,
    retryAfterMs,
    upstream:
      answered || stated !== undefined
        ? withoutAbsent<Upstream>({ status, endpoint, requestId: requestId && redactor.text(requestId.slice(0, 128)) })
        : undefined,
    errorType: errorType && redactor.text(errorType),
    cause,
    details: shownCode === undefined || shownCode === cause ? undefined : { code: shownCode },
  };
}

/**
 * Picks the words to show: those of the service that answered, else the author's. What lies behind an error is told only where its own
 * message says nothing ("fetch failed"), and without addresses, which are nobody's business. A code is named elsewhere.
 */
function tellingText(
  { issue, preface, remoteText, complaints, causeText, codeText, ownText, reason }: Evidence,
  { kind, finding }: Decision,
): string | undefined {
  const { text, isBehind = false } = finding ?? {};
  // A system error names its path in a field too; said twice it says no more.
  if (text !== undefined && text === issue) return ownText !== undefined && saysAll(ownText, text) ? ownText : text;
  if (remoteText !== undefined) {
    const all = complaints.length === 0 ? remoteText : `${remoteText.replace(/[.:]$/, '')}: ${complaints.join('; ')}`;
    return preface === undefined || preface.includes(remoteText) ? all : `${preface} ${all}`;
  }
  if (kind === 'cancelled' && reason !== undefined && ownText !== undefined && isPlainAbort(ownText)) return reason.replace(address, '');
  // Only a part of the message was read.
  if (text?.includes(' ') && !isBehind) return ownText?.includes(text) ? ownText : text;
  if (ownText !== undefined && isSentence(ownText)) return ownText;
  const behind = causeText ?? (text?.includes(' ') ? text : isBehind || kind === 'unreachable' ? codeText : undefined);
  return behind?.replace(address, '') ?? ownText;
}

/** Takes the values out of the words of a schema library: they came from elsewhere, and may be anything. */
function withoutIssueValues(said: string | undefined, { issue, issueValues }: Evidence): string | undefined {
  if (said === undefined || issue === undefined) return said;
  return hideValues(said, issueValues);
}

/** Checks whether a text holds every part of a complaint that is made of a field and that text. */
function saysAll(text: string, complaint: string): boolean {
  return complaint.endsWith(`: ${text}`) && text.includes(complaint.slice(0, -text.length - 2));
}

const address =
  / ?\(?(?:\b[a-z]{1,20}:\/\/)?(?:\b\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f]{0,4}:[\da-f:]{0,40}:[\da-f]{0,4}\]?|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}(?=:\d))(?::\d+)?(?:\/\S*)?\)?/gi;

/** Names the cause: a system code, or what the exception is called. */
function causeName(code: string | undefined, name: string | undefined, redactor: Redactor): string | undefined {
  if (code !== undefined && /^[A-Z][A-Z\d_]+$/.test(code)) return redactor.text(code);
  const [word] = /^[\w.$-]{1,64}/.exec(name ?? '') ?? [];
  return word && redactor.text(word);
}

/**
 * Looks at a decision again with what is known about the call. A stated type decides the kind, unless a status or code is more precise.
 * An abort that was not asked for is the tool's own deadline, but one that gives a reason, or says that it was cancelled, is not. And while a tool runs, a schema
 * complains about data from elsewhere, because the arguments were checked before; that the engine could not read a text does not say
 * whose text it was, unless it repeats what the model sent.
 */
function settle(
  decision: Decision,
  { errorType, issue, preface, status, reason, code, ownText = 'aborted' }: Evidence,
  echo: Echo,
  { stopped, during }: ClassifyHints,
): Decision {
  const { kind, finding } = decision;
  const stated = errorType === undefined || (finding?.weight ?? 0) >= 45 ? 'internal' : kindOfErrorType(errorType);
  if (stated !== 'internal') return { ...decision, kind: stated, retryable: undefined };
  if (
    stopped === false &&
    kind === 'cancelled' &&
    reason === undefined &&
    isPlainAbort(ownText) &&
    !/cancel/i.test(`${finding?.text ?? finding?.status ?? 'cancel'}`)
  )
    return { ...decision, kind: 'timeout' };
  // The types of the arguments were checked, so a value of another type was made by the tool.
  const isMade = finding?.text === 'SyntaxError' || (code === 'ERR_INVALID_ARG_TYPE' && kind === 'invalid_input');
  if (during && isMade && echo.value === 'none') return { ...decision, kind: 'internal' };
  const isForeign = during && kind === 'invalid_input' && status === undefined && issue !== undefined && finding?.text === issue;
  // But the author may check them once more, and says so before the complaints.
  if (isForeign && preface !== undefined && !/\brespon[ds]/i.test(preface) && (aboutArguments.test(preface) || echo.parameter !== 'none'))
    return decision;
  return isForeign ? { ...decision, kind: 'bad_response' } : decision;
}

const aboutArguments = /\b(?:arguments?|input|param(?:eter)?s?)\b/i;

/** Keeps the message of an AggregateError and names up to three of its errors. */
function aggregateText(thrown: unknown): string | undefined {
  const errors = peekString(thrown, 'name') === 'AggregateError' ? peek(thrown, 'errors') : undefined;
  if (!Array.isArray(errors)) return undefined;
  const parts = new Set(errors.slice(0, 20).flatMap((error) => asString(peekString(error, 'message') ?? error, 120) ?? []));
  const [own, named] = [peekString(thrown, 'message'), [...parts].slice(0, 3).join('; ')];
  return own === undefined ? named || undefined : `${own}${named && `: ${named}`}`;
}

/** Shows the other side without query or credentials; of names that are no public addresses strangers learn nothing. */
function shownEndpoint(endpoint: string | undefined, isPublic: boolean): string | undefined {
  return isPublic && isInternalHost(URL.parse(endpoint ?? '')?.hostname ?? 'localhost') ? undefined : endpoint;
}
