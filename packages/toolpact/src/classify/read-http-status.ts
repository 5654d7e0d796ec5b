import { catalogue, type FailureKind } from '../outcome/index.ts';
import { readHttpCode } from './codes/http-statuses.ts';

/** Says what an HTTP status above 399 means where nothing else is known, as `classify` does. */
export function readHttpStatus(status: number): { readonly kind: FailureKind; readonly retryable: boolean } {
  const verdict = readHttpCode(status)[0]?.verdict ?? 'upstream';
  const kind = verdict.replace(/[+-]$/, '') as FailureKind;
  return { kind, retryable: verdict.endsWith('+') || (catalogue[kind].retryable && !verdict.endsWith('-')) };
}
