import { peek } from '../json/index.ts';
import { type FailureKind, recoveryOf } from '../outcome/index.ts';
import { type Birthplace, birthplaceOf } from './birthplace.ts';
import type { Belief } from './decision.ts';
import { type Evidence, isComplaint, program } from './evidence.ts';
import { authorOf } from './gather-evidence.ts';
import { peekString } from './peek-string.ts';
import { toKind } from './reading.ts';

/**
 * Says which findings count of an error of which no call is known. Then the only sign of whose words they are is where the error was made:
 * a dependency talks about what it was given, an application's own words say nothing about the arguments or the outside world.
 */
export function believeAlone(evidence: Evidence, thrown: unknown): Belief {
  const { name, status, ownText = '', response, structured, succeeded } = evidence;
  let thrownPlace: Birthplace | undefined;
  const placeOf = (author: object): Birthplace => {
    if (author !== thrown) return birthplaceOf(author);
    thrownPlace ??= birthplaceOf(author);
    return thrownPlace;
  };
  return {
    believes({ author, verdict, weight }) {
      if (author === undefined) return true;
      const meant = toKind(verdict);
      if (weight >= 40 && keepsStill.test(recoveryOf(meant.kind, meant))) return true;
      const place = placeOf(author);
      return isTrusted(place) || (place === 'unknown' && weight >= enoughOf(author));
    },
    correct(decision, findings) {
      const { kind, finding } = decision;
      // A setting that a client lacks while it is created is not in the arguments of a call.
      if (kind === 'invalid_input' && thrownPlace === 'client' && lacking.test(ownText)) return { kind: 'not_configured' };
      // Input that a dependency cannot read or does not support, with no sign of an answer, is what it was given; and so is what it refuses in
      // words of its own, or with an assertion that its author explained.
      const isUnclear =
        finding === undefined
          ? /[ _]\S/.test(ownText) && !structured && isForeign(thrown)
          : finding.weight < (unclear[kind] ?? (findings.some(isComplaint) ? 36 : 0))
            ? peek(thrown, 'code') === undefined && isForeign(thrown)
            : kind === 'internal' && name?.startsWith('Assert') && !peek(thrown, 'generatedMessage');
      if (!isUnclear || succeeded || (status ?? response) !== undefined) return decision;
      const place = placeOf(thrown as object);
      // The engine checks values too, but a TypeError of its own is a bug.
      const isChecked = finding === undefined && name !== undefined && name !== 'TypeError';
      return /library|client/.test(place) || (isChecked && isTrusted(place)) ? { kind: 'invalid_input', finding } : decision;
    },
  };
}

function isTrusted(place: Birthplace): boolean {
  return /library|client|home|engine/.test(place);
}

/**
 * Returns the weight from which words count whose place is not known: a lone word is not enough to send the model off. Native code makes
 * plain errors without a place, and some of it names its errors in the text: "Binder Error: …".
 */
function enoughOf(author: object): number {
  if (author === program) return 33;
  return /^[A-Z]\w+ Error: /.test(peekString(author, 'message') ?? '') ? 0 : 50;
}

// All else a model does in vain when the fault is the tool's own.
const keepsStill = /stop|other/;
const lacking = /^missing|required|must be set|please/i;

/**
 * The weights below which these words, in an error of a dependency without a code, are about what it was given. Others are where the same
 * error also says what is wrong with that: "must contain at least 16 unique characters".
 */
const unclear: Partial<Record<FailureKind, number>> = { bad_response: 42, unsupported: 50 };

/** Checks whether an error is that of neither a program nor the system, which say anything in any words. */
function isForeign(thrown: unknown): boolean {
  return authorOf(thrown) !== program && peek(thrown, 'syscall') === undefined;
}
