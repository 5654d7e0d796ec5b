import { type Recovery, recoveryOf } from '../outcome/index.ts';
import type { Decision } from './decision.ts';
import type { Echo } from './echo.ts';
import type { Evidence } from './evidence.ts';

/**
 * Checks whether a reading would send somebody off because of words alone: whoever called would change arguments, wait, log in or ask the
 * user because of a sentence that is about the program itself, or has nothing in common with the call. Then neutral advice does no harm.
 */
export function isDoubtful({ kind, retryable, finding }: Decision, evidence: Evidence, echo: Echo): boolean {
  const recovery = recoveryOf(kind, { retryable });
  const { ownText = '', name, answered, coded, response, remoteText, remoteCode, structured } = evidence;
  if (finding === undefined || structured || !sendsOff.has(recovery)) return false;
  const { isSpoken, status, text = '', weight } = finding;
  const isBare = answered === undefined && coded === undefined;
  // The name of an own class says where something failed: `StorageError`.
  const isName = isBare && text === name && text !== ownText;
  const isSentence = isSpoken || (isBare && text === ownText);
  if (isName && /^(?:unreachable|upstream)$/.test(kind)) return true;
  if (isSentence || isName) {
    const hasHappened = recovery === 'wait' && happened.test(ownText);
    if ((!hasHappened && isAboutProgram(ownText, name, echo)) || demands[recovery]?.test(ownText) === false) return true;
  }
  if (status !== undefined || isAboutCall(ownText, echo)) return false;
  // Some words say that there is nothing, too much, or that somebody said no, whatever was asked.
  const isFirm = (weight >= 60 && kind !== 'conflict') || (kind === 'forbidden' && access.test(ownText));
  if (isSpoken) return !isFirm && (recovery === 'fix_input' || recovery === 'ask_user');
  // An author's own code or class that calls something invalid, and not the input.
  const isOwn = response === undefined && remoteText === undefined && remoteCode === undefined;
  return isOwn && !isFirm && recovery === 'fix_input' && vague.test(text);
}

/**
 * Checks whether a sentence is about the program itself: it says what something must be that nobody sent, it names code that the call does
 * not know, or a part that only programs have. What repeats a value of the call, or all words of a parameter, is about the call.
 */
function isAboutProgram(text: string, name: string | undefined, echo: Echo): boolean {
  if (echo.value !== 'none' || echo.parameter === 'whole') return false;
  if (echo.parameter === 'none' && (name === 'TypeError' || constraint.test(text))) return true;
  return !argument.test(text) && (part.test(text) || (text.match(codeName) ?? []).some((word) => !echo.knows(word)));
}

/** Checks whether a sentence repeats something of the call, has a word in common with a parameter, or speaks of arguments. */
function isAboutCall(text: string, { value, parameter, topic }: Echo): boolean {
  return value !== 'none' || parameter !== 'none' || topic || argument.test(text);
}

const sendsOff: ReadonlySet<Recovery> = new Set(['fix_input', 'wait', 'reauth', 'ask_user']);
const vague = /^(?!VALIDATION|\w*(?:ARGUMENT|INPUT|PARAM|REQUEST))\w+$/i;
/** Words that a sentence must contain to mean that a credential must be renewed, and must not contain to mean waiting. */
const demands: Partial<Record<Recovery, RegExp>> = {
  wait: /^(?!.*\b(?:not|n't|never) (?:be )?(?:exist|found|support))/s,
  reauth:
    /auth(?:enticat| fail)|unauth|bearer|credential|expired|\bkey\b|log(?:ged|ging)?[ -]?[io]n\b|password|revoked|session|sign(?:ed)?[ -]?in\b|access[ _-]?token/i,
};
/** That something took too long, or was refused, may be said of any part of a program; so may what `fetch` says. */
const happened = /\b(?:timed out|exceeded|refused|reset|fetch failed|failed to fetch)\b/i;
const access = /access|allow|auth|denied|file ?system|forbidden|mode|permi|scope|user/i;
const argument = /\b(?:arguments?|param(?:eter)?s?)\b/i;
/** "must be positive", "expected a list"; not "must be logged in" or "must be given". */
const constraint =
  /\b(?:must|should)\b(?! be (?:given|provided|specified|supplied)\b|.{0,12}\b(?:auth|log|sign|wait)|.{0,20}\b(?:inside|under|within)\b)|\bexpected\b/i;
const part =
  /^unreachable\b|\b(?:adapter|callback|constructor|context|dispatcher|factor(?:y|ie)|handler|hook|initiali[sz](?:ed|ation)|instan(?:ce|tiated)|internal(?! (?:server )?error)|invariant|listener|manager|middleware|provider|registered|registr(?:y|ie)|scheduler)s?\b/i;
/** `init()`, `<Root>`, `maxDelay`, and the name of a class that does or holds something: `RateLimiter`. */
const codeName =
  /\b\w+\(\)|<[A-Z]\w+>|\b[a-z]{2,}[a-z\d]*[A-Z]\w*[a-z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*(?:(?<!Err)or|er|Client|Context|Registry|Service|Store)\b/g;
