import { toNameKey } from '../contract/index.ts';
import { isObject } from '../json/index.ts';
import { type ErrorOutcome, makeFailure, type Outcome } from '../outcome/index.ts';
import { toText } from './fields.ts';
import type { Repair } from './repair.ts';
import type { Format, StoredCall, StoredResult } from './transcript.ts';

/** A tool call as a ledger is asked about it. */
export interface LedgerCall {
  /** As stored, unless another call has the same. */
  readonly id: string;
  readonly name: string | undefined;
  /** As stored: an object, or the text the model wrote. */
  readonly args: unknown;
}

/**
 * Knows how calls ended: a function, a map or an object by call id. It answers at once; what lies in a database is fetched before.
 */
export type Ledger =
  | ((callId: string, call: LedgerCall) => Outcome | undefined)
  | ReadonlyMap<string, Outcome>
  | Readonly<Record<string, Outcome>>;

/** An answer to a call that has none, and where it comes from. */
export interface Answer {
  readonly result: StoredResult;
  readonly from: NonNullable<Repair['from']>;
}

/** Answers a call from the ledger, from what was said when approval was asked, or by saying that its end is unknown. */
export function answerCall(call: StoredCall, format: Format, ledger: Ledger | undefined): Answer {
  const known = askLedger(call, format, ledger);
  if (known !== undefined) return { result: known, from: 'ledger' };
  const refused = call.approvalId === undefined || call.approval?.approved === true ? undefined : denied(call);
  return { result: format.encode(call, refused ?? interrupted), from: refused === undefined ? 'nowhere' : 'approval' };
}

/** Returns what the ledger knows about a call, written for its provider. */
export function askLedger(call: StoredCall, format: Format, ledger: Ledger | undefined): StoredResult | undefined {
  if (ledger === undefined || ledger === null) return undefined;
  try {
    const outcome = lookUp(ledger, { id: call.recordedId ?? call.id, name: call.name, args: call.args });
    return isOutcome(outcome) && isAbout(outcome, call.name) ? format.encode(call, outcome) : undefined;
  } catch {
    return undefined;
  }
}

/** Checks whether a result only says that the end of its call is unknown. */
export function isUnknown(result: StoredResult, call: StoredCall, format: Format): boolean {
  return toText(result.content) === toText(format.encode(call, interrupted).content);
}

const interrupted = outcome('interrupted', {
  message: 'The call was interrupted before its result was recorded.',
  effect: 'unknown',
  unsafe: true,
});

const unapproved = outcome('denied', {
  code: 'approval_expired',
  message: 'The approval that was asked for was never given, so the call did not run.',
});

function denied({ approval }: StoredCall): Outcome {
  if (approval === undefined) return unapproved;
  const why = approval.reason === undefined || approval.reason === '' ? '' : ` (${approval.reason})`;
  return outcome('denied', { message: `The user refused this call, so it did not run${why}.` });
}

function outcome(...failure: Parameters<typeof makeFailure>): ErrorOutcome {
  return Object.freeze({ status: 'error', error: makeFailure(...failure), meta: Object.freeze({ tookMs: 0.001, attempts: 1 }) });
}

function lookUp(ledger: Ledger, call: LedgerCall): unknown {
  if (typeof ledger === 'function') return ledger(call.id, call);
  if (ledger instanceof Map) return ledger.get(call.id);
  return Object.hasOwn(ledger, call.id) ? (ledger as Readonly<Record<string, Outcome>>)[call.id] : undefined;
}

const statuses: ReadonlySet<unknown> = new Set<Outcome['status']>(['ok', 'partial', 'error', 'pending']);

function isOutcome(value: unknown): value is Outcome {
  return isObject(value) && statuses.has((value as Outcome).status);
}

/** Some models number their calls anew in every turn, so an id alone may mean another call. Hosts may put something before a name. */
function isAbout({ meta }: Outcome, name: string | undefined): boolean {
  if (meta?.tool === undefined || name === undefined) return true;
  const [ours, theirs] = [toNameKey(meta.tool), toNameKey(name)];
  return ours.endsWith(theirs) || theirs.endsWith(ours);
}
