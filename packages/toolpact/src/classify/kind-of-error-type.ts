import type { FailureKind } from '../outcome/index.ts';
import { readHttpCode } from './codes/http-statuses.ts';
import { readIdentifier } from './read-meaning.ts';
import { toKind } from './reading.ts';

/** Gives the kind an `error.type` value stands for: a status, or a name in anybody's words; `internal` where it means nothing. */
export function kindOfErrorType(errorType: string): FailureKind {
  const readings = /^\d{3}$/.test(errorType) ? readHttpCode(Number(errorType)) : readIdentifier(errorType.slice(0, 100));
  const [best] = readings.toSorted((a, b) => b.weight - a.weight);
  return toKind(best?.verdict ?? 'internal').kind;
}
