/**
 * The closed vocabulary of failures. Everything that depends on a kind (HTTP statuses, docs, schemas, dialects) is derived from
 * this table or typed against it, so a new kind does not compile until every reader has decided what it means.
 */
export const catalogue = {
  invalid_input: refusal('fix_input', 400),
  unknown_tool: refusal('fix_input', 404),
  not_found: refusal('fix_input', 404),
  unauthenticated: refusal('reauth', 401, 424),
  forbidden: refusal('ask_user', 403, 424),
  denied: refusal('ask_user', 403),
  conflict: refusal('fix_input', 409),
  not_ready: refusal('wait', 503),
  not_configured: refusal('stop', 500),
  rate_limited: refusal('wait', 429),
  budget_exhausted: refusal('stop', 402),
  timeout: row('wait', 504),
  cancelled: row('stop', 499),
  interrupted: row('verify', 503),
  unreachable: row('wait', 503),
  upstream: row('wait', 502),
  bad_response: row('other_tool', 502),
  too_large: refusal('fix_input', 413),
  unsupported: refusal('other_tool', 501),
  invalid_output: row('stop', 500),
  all_failed: row('stop', 502),
  failed: row('see_message', 500),
  internal: row('stop', 500),
} as const satisfies Record<string, CatalogueRow>;

/** Names what went wrong, out of a closed set. */
export type FailureKind = keyof typeof catalogue;

/** Lists what a caller can do next. `see_message` leaves it to the message: the author's own words, which nothing else could be read from. */
export const recoveries = ['fix_input', 'wait', 'verify', 'reauth', 'ask_user', 'other_tool', 'stop', 'see_message'] as const;

/** Names what the caller should do next. */
export type Recovery = (typeof recoveries)[number];

/** Holds what is true of a kind everywhere. */
type CatalogueRow = {
  readonly recovery: Recovery;
  /** Whether the same call may succeed later. The runtime may lower it by effect; nothing raises it. */
  readonly retryable: boolean;
  /** Whether it says that the call was refused, so that nothing was changed. All other kinds can come after a change. */
  readonly refusal: boolean;
  readonly http: number;
  /** The HTTP status when the failure came from upstream, where it differs. */
  readonly httpUpstream: number | undefined;
};

/** Lists codes with a fixed meaning that any tool's failure may carry next to its own declared ones. */
export const reservedCodes = [
  'skipped',
  'repeat_refused',
  'circuit_open',
  'key_reused',
  'approval_expired',
  'plan_changed',
  'arguments_truncated',
  'undecodable',
] as const;

/** A code with a fixed meaning, see {@link reservedCodes}. */
export type ReservedCode = (typeof reservedCodes)[number];

/** Checks whether a value names a failure kind. */
export function isFailureKind(value: unknown): value is FailureKind {
  return typeof value === 'string' && Object.hasOwn(catalogue, value);
}

/** Returns the HTTP status of a failure: that of its kind, or the upstream status of its kind if the other side said so. */
export function httpStatus(failure: { kind: FailureKind; upstream?: object | undefined }): number {
  const { http, httpUpstream } = catalogue[failure?.kind] ?? catalogue.internal;
  return failure?.upstream === undefined ? http : (httpUpstream ?? http);
}

type RowOf<TRecovery extends Recovery> = CatalogueRow & { readonly recovery: TRecovery };

function row<const TRecovery extends Recovery>(recovery: TRecovery, http: number): RowOf<TRecovery> {
  return Object.freeze({ recovery, retryable: recovery === 'wait', refusal: false, http, httpUpstream: undefined });
}

function refusal<const TRecovery extends Recovery>(recovery: TRecovery, http: number, httpUpstream?: number): RowOf<TRecovery> {
  return Object.freeze({ recovery, retryable: recovery === 'wait', refusal: true, http, httpUpstream });
}
