import { type FailureKind, isFailureKind, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import type { CallQuery, ListedCall } from '../../ports/index.ts';

/** Which calls to list. All that is given must hold; of several values of one field, one must. */
export interface CallFilter {
  readonly tool?: string | readonly string[] | undefined;
  readonly status?: ListedCall['status'] | readonly ListedCall['status'][] | undefined;
  readonly kind?: FailureKind | readonly FailureKind[] | undefined;
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Calls that were made with this idempotency key. */
  readonly key?: string | undefined;
  /** Calls that were answered with the outcome of this one. */
  readonly replayOf?: string | undefined;
  /** @default the tenant that the toolbox is bound to */
  readonly tenantId?: string | undefined;
  /** Calls that began then or later, and then or earlier: ISO 8601, or epoch milliseconds. */
  readonly since?: string | number | undefined;
  readonly until?: string | number | undefined;
  /** Text that the arguments, the result, a message or an id contains, in any case. */
  readonly text?: string | undefined;
  /** @default 50, at most 1,000 */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
}

/** A page of calls, newest first. One page looks through at most 10,000 calls for a text, so it may be short, even empty: `next` says whether more may follow. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next?: string;
}

const maxListed = 1_000;
const filterNames = {
  tool: true,
  status: true,
  kind: true,
  runId: true,
  sessionId: true,
  key: true,
  replayOf: true,
  tenantId: true,
  since: true,
  until: true,
  text: true,
  limit: true,
  cursor: true,
} as const;
const statuses: Readonly<Record<ListedCall['status'], true>> = { running: true, ok: true, partial: true, error: true, pending: true };

/** Reads a filter; throws for one that cannot be used. */
export function toCallQuery(filter: CallFilter, tenant: string): CallQuery & { readonly text: string | undefined } {
  refuseOptions('calls.list', filter, filterNames);
  const { runId, sessionId, key, replayOf, cursor } = filter;
  const [tool, status, kind] = [valuesOf(filter.tool), valuesOf(filter.status), valuesOf(filter.kind)];
  refuseUnknown('status', status, (one) => Object.hasOwn(statuses, one));
  refuseUnknown('kind', kind, isFailureKind);
  return {
    tenant: filter.tenantId ?? tenant,
    tool,
    status,
    kind,
    runId,
    sessionId,
    callerKey: key,
    replayOf,
    since: toTime('since', filter.since),
    until: toTime('until', filter.until),
    limit: toCount(filter.limit),
    cursor,
    text: toText(filter.text),
  };
}

function refuseUnknown(argument: string, values: readonly string[] | undefined, isKnown: (value: string) => boolean): void {
  const unknown = values?.find((value) => !isKnown(value));
  if (unknown !== undefined) throw new ToolpactError('invalid_argument', `${argument} cannot be ${JSON.stringify(unknown)}`, { argument });
}

/** Each value once, in an order that does not depend on how they were given: cursors count on it. An empty list asks for nothing. */
function valuesOf<TValue extends string>(given: TValue | readonly TValue[] | undefined): readonly TValue[] | undefined {
  const values = given === undefined ? [] : [...new Set([given].flat() as TValue[])].sort();
  return values.length === 0 ? undefined : values;
}

function toTime(name: string, given: string | number | undefined): number | undefined {
  if (given === undefined) return undefined;
  const time = typeof given === 'number' ? given : Date.parse(given);
  if (!Number.isFinite(time)) throw new ToolpactError('invalid_argument', `${name} must be a time`, { argument: name });
  return time;
}

function toText(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') throw new ToolpactError('invalid_argument', 'text must be a string', { argument: 'text' });
  return text;
}

function toCount(limit = 50): number {
  if (!(Number.isInteger(limit) && limit > 0))
    throw new ToolpactError('invalid_argument', 'limit must be a whole number from 1', { argument: 'limit' });
  return Math.min(limit, maxListed);
}
