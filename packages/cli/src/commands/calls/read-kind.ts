import { catalogue, type FailureKind } from 'toolpact';
import { isFailureKind } from 'toolpact/internal';
import { usageError } from '../../cli-error.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';

/** Reads a kind of failure. */
export function readKind(kind: string): FailureKind {
  if (isFailureKind(kind)) return kind;
  throw usageError(`--kind must be a kind of failure, not ${JSON.stringify(kind)}.${didYouMean(kind, Object.keys(catalogue))}`);
}
