import { catalogue, type FailureKind, recoveryOf } from '../outcome/index.ts';
import type { Belief, Decision } from './decision.ts';
import type { Echo } from './echo.ts';
import type { Evidence } from './evidence.ts';
import { isBugName } from './is-bug-name.ts';
import { isDoubtful } from './is-doubtful.ts';
import { namesSetting } from './read-meaning.ts';
import { toKind } from './reading.ts';
import { isNotReturned } from './say.ts';

/**
 * Says which findings count of an error that a handler threw. Statuses, codes and names do. An author's sentence about the arguments counts
 * where it repeats something of the call; one that blames no argument counts where it is more than a lone word. Where the error was made
 * says nothing: the same code may run as a source file, bundled, or installed as a dependency.
 */
export function believeAtCall(evidence: Evidence, echo: Echo): Belief {
  const { name } = evidence;
  return {
    believes({ isSpoken, isAuthors, verdict, weight, status, text = '' }) {
      if (status === 500 && text === '' && isDefaultStatus(evidence)) return false;
      const { kind, retryable } = toKind(verdict);
      if (!isSpoken) return weight >= faintest && !(kind === 'not_configured' && isSentProgram(text, echo));
      if (report.test(text) || (verdict === 'unreachable' && namesWhatFailed.test(text) && !/: fetch failed/.test(text))) return false;
      if (isAuthors) return !(kind === 'not_configured' && isArgument(text, echo));
      switch (recoveryOf(kind, { retryable })) {
        case 'fix_input':
          return (
            weight >= (enoughAlone[kind] ?? Number.POSITIVE_INFINITY) ||
            inResponse.test(text) ||
            namesSetting(text) ||
            isEchoed(echo, weight)
          );
        case 'stop':
        case 'other_tool':
          // Whether that is a response or an argument is seen below.
          if (kind === 'bad_response' && isEchoed(echo, plain)) return true;
          return weight >= (enoughAlone[kind] ?? 40) && !(kind === 'not_configured' && isArgument(text, echo));
        default:
          return weight >= 50;
      }
    },
    correct(given) {
      const decision = correct(given, evidence, echo);
      return isDoubtful(decision, evidence, echo) ? { kind: isBugName(name) ? 'internal' : 'failed' } : decision;
    },
  };
}

/** Tells what is missing or wrong in the call from what is missing or wrong in an answer or a setting. */
function correct(decision: Decision, { ownText = '', structured }: Evidence, echo: Echo): Decision {
  const { kind, finding } = decision;
  if (finding === undefined) {
    if (echo.value !== 'whole') return decision;
    return structured || saysNothing.test(ownText) ? decision : { kind: 'invalid_input' };
  }
  if (!finding.isSpoken) return decision;
  const isAboutInput = catalogue[kind].recovery === 'fix_input';
  if (isAboutInput && (inResponse.test(ownText) || isNotReturned(ownText))) return { kind: 'bad_response', finding };
  if (isAboutInput && namesSetting(ownText) && echo.value === 'none' && echo.parameter === 'none')
    return { kind: 'not_configured', finding };
  // An unreadable value is the model's, if the message repeats it.
  const isUnreadable = kind === 'bad_response' && !/respon|return/i.test(ownText) && !isNotReturned(ownText);
  return isUnreadable && isEchoed(echo, plain) ? { kind: 'invalid_input', finding } : decision;
}

/** A finding that is not a sentence counts from here on: a word in the name of a class may be about anything. */
const faintest = 18;

/** The weights from which an author's sentence counts that repeats nothing of the call, where they are not the usual ones. */
const enoughAlone: Partial<Record<FailureKind, number>> = {
  conflict: 65,
  not_configured: 30,
  not_found: 63,
  too_large: 30,
  unsupported: 20,
};

/** A value shows more than the name of a parameter, next to which a vague word is not enough. */
function isEchoed({ value, parameter }: Echo, weight: number): boolean {
  return value !== 'none' || (parameter !== 'none' && weight >= plain);
}

/** The weight of words that are not vague. */
const plain = 26;

/** Checks whether what is missing is a program that the model named, which no operator has to install. */
function isSentProgram(text: string, { value }: Echo): boolean {
  return /\bspawn/.test(text) && value !== 'none';
}

/** Checks whether what is missing is a parameter, or a program that the model named, and not a setting. */
function isArgument(text: string, echo: Echo): boolean {
  const { value, parameter } = echo;
  if (/\bspawn/.test(text)) return isSentProgram(text, echo);
  return (parameter !== 'none' || value === 'whole') && !/env|config|install|setting|[A-Z]_[A-Z]/.test(text);
}

/** Checks whether nothing shows that a service answered with 500: many classes have it for want of something better. */
export function isDefaultStatus({ response, remoteText, ownText, requested }: Evidence): boolean {
  return (response ?? remoteText) === undefined && !requested && ownText?.includes('500') !== true;
}

// A failed test of somebody, in words that are about anything.
const report = /\bAssertionError\b|\b(?:tests?|specs?|assertions?) failed\b/i;
// "Failed to fetch the picture" says what failed, and not that the network did.
const namesWhatFailed = /\bfail\w* (?:to )?fetch(?:ing)? (?!after|from|with|due|because)\w/i;
// That something failed, or lacks a part, blames no value that it repeats.
const saysNothing = /fail|error|\b(?:has no|does not have)\b/i;
const inResponse =
  /\b(?:in|from|of) (?:the |its |their )?(?:\w+ ){0,2}(?:response|reply)\b|\b(?:response|reply) (?:is |was )?(?:has no|lacks?|missing|without)\b|\bfrom (?:the )?(?:\w+ ){0,2}(?:API|endpoint|service|upstream)\b/i;
