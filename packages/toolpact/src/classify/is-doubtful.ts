import { type Recovery, recoveryOf } from '../outcome/index.ts';
import type { Decision } from './decision.ts';
import type { Echo } from './echo.ts';
import type { Evidence } from './evidence.ts';
import { withoutValues } from './say.ts';

/**
 * Checks whether a reading would send somebody off because of words alone: whoever called would change arguments, wait, log in or ask the
 * user because of a sentence that is about the program itself, or has nothing in common with the call. Then neutral advice does no harm.
 */
export function isDoubtful({ kind, retryable, finding }: Decision, evidence: Evidence, echo: Echo): boolean {
  const recovery = recoveryOf(kind, { retryable });
  const { ownText = '', name, code, answered, coded, response, remoteText, remoteCode, structured } = evidence;
  if (structured || !sendsOff.has(recovery)) return false;
  const { isSpoken = true, status, text = '', weight = 0 } = finding ?? {};
  const isBare = answered === undefined && coded === undefined;
  const isOwn = response === undefined && remoteText === undefined && remoteCode === undefined;
  // The name of an own class says where something failed: `StorageError`.
  const isName = isBare && text === name && text !== ownText;
  if (isName && /^(?:unreachable|upstream)$/.test(kind)) return true;
  if (isOwn && status === undefined && [name, code].some((own = '') => ownFault.test(own))) return true;
  // Some words say that there is nothing, too much, or that somebody said no, whatever was asked.
  const isFirm = (weight >= 60 && kind !== 'conflict') || kind === 'forbidden';
  if (isSpoken || isName || (isBare && text === ownText)) {
    const hasHappened = recovery === 'wait' && happened.test(ownText);
    if (!hasHappened && isAboutProgram(ownText, echo)) return true;
    if (demands[recovery]?.test(ownText) === false) return true;
    // What it repeats of the call is not what it finds fault with.
    if (recovery === 'fix_input' && !isFirm && echo.isOnlyPlace) return true;
  }
  if (status !== undefined || echo.value !== 'none' || echo.parameter !== 'none' || echo.topic || argument.test(ownText)) return false;
  if (isSpoken) return !isFirm && (recovery === 'fix_input' || recovery === 'ask_user');
  // A class, or a code that calls something invalid, and not the input.
  return isOwn && !isFirm && recovery === 'fix_input' && (isName || vague.test(text));
}

/**
 * Checks whether a sentence is about the program itself: it names code that the call does not know, or a part that only programs have, or
 * it says what something must be that nobody sent.
 */
function isAboutProgram(text: string, echo: Echo): boolean {
  if (argument.test(text)) return false;
  const { value, parameter } = echo;
  const isEchoed = value !== 'none' || parameter === 'whole';
  if (!isEchoed && parameter === 'none' && constraint.test(text)) return true;
  const isUnknown = (pattern: RegExp) =>
    text.search(pattern) >= 0 && (isEchoed ? statementOf(text) : text).match(pattern)?.some((word) => !echo.knows(word)) === true;
  return isUnknown(part) || (parameter !== 'whole' && isUnknown(codeName));
}

/** Returns the first sentence without what it quotes: advice that follows may name other tools. */
function statementOf(text: string): string {
  return withoutValues(text).replace(/[.;] .*|\{.*|\(\w+\)/s, '');
}

const sendsOff: ReadonlySet<Recovery> = new Set(['fix_input', 'wait', 'reauth', 'ask_user']);
/** Classes and codes by which authors say that the program is wrong: `InvariantError`, `INTERNAL_ERROR`. */
const ownFault = /^bug|assertion|illegal_?state|internal|invariant|unexpected_?state/i;
const vague = /^(?!VALIDATION|\w*(?:ARGUMENT|INPUT|PARAM|REQUEST))\w+$/i;
/** Words that a sentence must contain to mean that a credential must be renewed, and must not contain to mean waiting. */
const demands: Partial<Record<Recovery, RegExp>> = {
  wait: /^(?!.*\b(?:not|n't|never) (?:be )?(?:exist|found|support))(?!.*\bconnection (?:for )?["'`])/s,
  reauth:
    /auth(?:enticat| fail)|unauth|bearer|credential|expired|\bkey\b|log(?:ged|ging)?[ -]?[io]n\b|password|revoked|session|sign(?:ed)?[ -]?in\b|access[ _-]?token/i,
};
/** That something took too long, or was refused, may be said of any part of a program; so may what `fetch` says. */
const happened = /\b(?:timed out|exceeded|refused|reset|fetch failed|failed to fetch)\b/i;
const argument = /\b(?:arguments?|param(?:eter)?s?)\b/i;
/** "must be positive", "expected a list"; not "must be logged in" or "must be given". */
const constraint =
  /\b(?:must|should)\b(?! be (?:given|provided|specified|supplied)\b|.{0,12}\b(?:auth|log|sign|wait)|.{0,20}\b(?:inside|under|within)\b)|\bexpected\b/i;
const part =
  /^unreachable\b|\b(?:adapter|callback|constructor|context|dispatcher|factor(?:y|ie)|handler|hook|initiali[sz](?:ed|ation)|instantiated|internal(?! (?:server )?error)|invariant|listener|manager|middleware|provider|regist(?:ered|ration|ry|rie)|scheduler|transport|corrupt(?:ed)?|inconsistent|unhandled)s?\b(?! it\b)/gi;
/** `init()`, `<Root>`, `maxDelay`, and the name of a class that does or holds something: `RateLimiter`. */
const codeName =
  /\w\(\)|<[A-Z]\w+>|\b[a-z]{2}[a-z\d]*[A-Z]\w*[a-z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*(?:(?<!Err)or|er|Client|Context|Registry|Service|Store)\b/g;
