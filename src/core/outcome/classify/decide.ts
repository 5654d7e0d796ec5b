import { peek } from '../../json/index.ts';
import type { FailureKind } from '../catalogue.ts';
import { recoveryOf } from '../make-failure.ts';
import { type Birthplace, birthplaceOf } from './birthplace.ts';
import type { Evidence, Finding } from './evidence.ts';
import { authorOf, program } from './gather-evidence.ts';
import { peekString } from './peek-string.ts';
import type { Verdict } from './reading.ts';

/** What the evidence comes down to. */
export interface Decision {
  readonly kind: FailureKind;
  /** Set where it differs from the catalogue's. */
  readonly retryable?: boolean | undefined;
  readonly finding?: Finding | undefined;
  /** Where the error was made, if that had to be asked. */
  readonly place?: Birthplace | undefined;
}

/** Weighs the findings against each other and picks the heaviest that nothing else refutes. */
export function decide(evidence: Evidence, thrown: unknown, isRunning: boolean): Decision {
  const { name, status, ownText = '', waits } = evidence;
  let asked: Birthplace | undefined;
  const placeOf = (author: object): Birthplace => {
    if (author !== thrown) return birthplaceOf(author);
    asked ??= birthplaceOf(author);
    return asked;
  };
  const findings = evidence.findings.toSorted((a, b) => b.weight - a.weight || b.depth - a.depth);
  const best = findings.find(
    (finding) => !refutations.some((refutes) => refutes(finding, evidence)) && isBelievable(finding, placeOf, isRunning),
  );
  const { kind, retryable } = toKind(best?.verdict ?? 'internal');
  // What the engine says about our own code may name anything, also a class called TimeoutError; only a code shows that it is the code of others.
  const isBug = isOwnBug(evidence) || (best?.weight ?? 0) < 40;
  if (status === undefined && isBug && engineText.test(ownText)) return { kind: 'internal', place: asked };
  // A schema complains about what came back.
  if (best?.text !== undefined && best.text === evidence.issue && isFine(evidence.response)) return { kind: 'bad_response', finding: best };
  // A service that says nothing but how long to wait has a limit.
  if (best === undefined && waits.length > 0) return { kind: 'rate_limited' };
  // What a client lacks while it is created is not in the arguments of a call.
  if (kind === 'invalid_input' && asked === 'client' && lacking.test(ownText)) return { kind: 'not_configured', place: asked };
  // What a dependency cannot read or does not support, with no sign of an answer, is what it was given; and so is what it refuses in words
  // of its own, or with an assertion that its author explained.
  const isUnclear =
    best === undefined
      ? /[ _]\S/.test(ownText) && !evidence.structured && isForeign(thrown)
      : best.weight < (unclear[kind] ?? (findings.some(isComplaint) ? 36 : 0))
        ? peek(thrown, 'code') === undefined && isForeign(thrown)
        : kind === 'internal' && name?.startsWith('Assert') && !peek(thrown, 'generatedMessage');
  if (isUnclear && !isRunning && (status ?? evidence.response) === undefined) {
    const place = placeOf(thrown as object);
    // The engine checks values too, but a TypeError of its own is a bug.
    const isChecked = best === undefined && name !== undefined && name !== 'TypeError';
    if (/library|client/.test(place) || (isChecked && isTrusted(place, false))) return { kind: 'invalid_input', finding: best, place };
  }
  const isUnread = kind === 'internal' && (best?.weight ?? 0) < 40 && !evidence.structured && ownText !== '';
  return { kind: isUnread && !isBugName(name) ? 'failed' : kind, retryable, finding: best, place: asked };
}

/** Checks whether an error's class says that the program itself is wrong, whatever its message says. */
function isBugName(name = ''): boolean {
  return /^(Type|Reference|Range|Syntax|Eval|URI|Internal|Assertion)Error$/.test(name);
}

const lacking = /^missing|required|must be set|please/i;

/**
 * The weights below which these words, in an error of a dependency without a code, are about what it was given. Others are where the same
 * error also says what is wrong with that: "must contain at least 16 unique characters".
 */
const unclear: Partial<Record<FailureKind, number>> = { bad_response: 42, unsupported: 50 };

function isComplaint({ verdict, weight }: Finding): boolean {
  return verdict === 'invalid_input' && weight > 27;
}

/** Checks whether an error is that of neither a program nor the system, which say anything in any words. */
function isForeign(thrown: unknown): boolean {
  return authorOf(thrown) !== program && peek(thrown, 'syscall') === undefined;
}

/** Each says for what reason a finding counts for nothing. */
const refutations: readonly ((finding: Finding, evidence: Evidence) => boolean)[] = [
  // A service that says "no key" has read a request: the key was rejected there, not missing here.
  ({ verdict }, { response }) => verdict === 'not_configured' && response !== undefined,
  // Who says how long to wait has a limit, no empty account.
  ({ verdict }, { waits }) => verdict === 'budget_exhausted' && waits.some(([, unit]) => unit),
  // A single word in the text of a TypeError says nothing about the outside world, but libraries check arguments with it.
  ({ verdict, weight }, evidence) => weight < 30 && verdict !== 'invalid_input' && isOwnBug(evidence),
  // A service that failed says so in an answer, or its client quotes the number. What complains without either made its number up.
  ({ status: own = 0 }, { response, remoteText, ownText, findings }) =>
    own >= 500 && (response ?? remoteText) === undefined && !ownText?.includes(`${own}`) && findings.some(isComplaint),
  ({ verdict, weight, status: own, text = '' }, { status, response }) => {
    if (status === undefined || own !== undefined) return false;
    switch (verdict) {
      // A service that answered was reached; but some clients put a status of their own on a socket's error.
      case 'unreachable':
      case 'unreachable-':
        return response !== undefined || weight < 62;
      // Where the other side names an error by its status, an odd body is no news.
      case 'bad_response':
        return status >= 400 && !isFine(response);
      // A status of 500 or more says that the service failed, not that the request was too large.
      case 'too_large':
        return status >= 500;
      // What is not available there, or not to us, will not be later; and who says how many requests are too many is up.
      case 'not_ready':
        return (status > 400 && status < 405) || status === 429;
      // These two are mixed up in words, not in numbers.
      case 'unauthenticated':
        return status === 403 && /^unauthorized$/i.test(text);
      // What is not found or not allowed there is the caller.
      case 'forbidden':
      case 'not_found':
        return status === 401;
      // A gateway or an access check answers before anything could be unsupported; 501 is a finding of its own.
      case 'unsupported':
        return status > 400 && status % 100 < 5;
      default:
        return false;
    }
  },
];

/** Checks whether an answer calls itself a success: then what is wrong is its body. */
function isFine(response: unknown): boolean {
  return Number(peek(response, 'status') ?? peek(response, 'statusCode')) < 300;
}

/**
 * Checks whether the words of a plain error count. An application's own words say nothing about the arguments or the outside world;
 * where it is not known whose they are, a lone word is not enough to send the model off.
 */
function isBelievable({ author, verdict, weight }: Finding, placeOf: (author: object) => Birthplace, isRunning: boolean): boolean {
  if (author === undefined) return true;
  const meant = toKind(verdict);
  if (weight >= 40 && keepsStill.test(recoveryOf(meant.kind, meant))) return true;
  const place = placeOf(author);
  // Native code makes plain errors without a place, and some of it names its errors in the text: "Binder Error: …".
  const enough = author === program ? 33 : /^[A-Z]\w+ Error: /.test(peekString(author, 'message') ?? '') ? 0 : sureWeight;
  return isTrusted(place, isRunning) || (place === 'unknown' && weight >= enough);
}

function isTrusted(place: Birthplace, isRunning: boolean): boolean {
  return /library|client|home/.test(place) || (place === 'engine' && !isRunning);
}

// All else a model does in vain when the fault is the tool's own.
const keepsStill = /stop|other/;
const sureWeight = 50;

function isOwnBug({ status, name }: Evidence): boolean {
  return status === undefined && /^(Type|Reference|Eval|Runtime)Error$/.test(name ?? '');
}

function toKind(verdict: Verdict): { readonly kind: FailureKind; readonly retryable: boolean | undefined } {
  const mark = verdict.at(-1);
  return { kind: verdict.replace(/[+-]$/, '') as FailureKind, retryable: mark === '+' || (mark === '-' ? false : undefined) };
}

const engineText =
  /^Cannot (read|set|access|convert (a|un|ob)|destr|delete|assign to|redefine prop|mix BigInt|use 'in'|perform ')|is not (a function|a constructor|an object \(|iterable|extensible)\b|^\S+ is not defined$|^unreachable$|^(Assignment to|Class constr|Illegal inv|Reduce of|Invalid (array|string) len|Converting circ|Do not know how|Method \S+ called on)/;
