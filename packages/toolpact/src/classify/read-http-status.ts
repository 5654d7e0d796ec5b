import { catalogue, type FailureKind } from '../outcome/index.ts';
import { readHttpCode } from './codes/http-statuses.ts';
import { toKind } from './reading.ts';

/** Says what an HTTP status above 399 means where nothing else is known, as `classify` does. */
export function readHttpStatus(status: number): { readonly kind: FailureKind; readonly retryable: boolean } {
  const { kind, retryable = catalogue[kind].retryable } = toKind(readHttpCode(status)[0]?.verdict ?? 'upstream');
  return { kind, retryable };
}
