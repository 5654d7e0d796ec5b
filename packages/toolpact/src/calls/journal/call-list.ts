import { type FailureKind, isFailureKind, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import type { ListedCall, Store } from '../../ports/index.ts';
import type { CallPage } from '../ledger/call-filter.ts';
import { hasText } from '../ledger/has-text.ts';
import { readProgress } from '../store-access/call-progress.ts';
import { pendingKey, readPendingCall } from '../store-access/pending-calls.ts';
import type { EngineEnd } from './engine-end.ts';
import { type CallPlace, type Found, type FoundPage, findAmong, findEnds } from './find-calls.ts';
import { demand } from './journal-records.ts';
import { toEnded, toLabel } from './listed-call.ts';
import { runningSpace } from './running-calls.ts';

/** Which calls to list. All that is given must hold; of several values of one field, one must. */
export interface CallFilter {
  readonly tool?: string | readonly string[] | undefined;
  readonly status?: ListedCall['status'] | readonly ListedCall['status'][] | undefined;
  readonly kind?: FailureKind | readonly FailureKind[] | undefined;
  readonly runId?: string | undefined;
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

/** Where calls are looked for, and what has to be checked of those that are found. */
interface Plan {
  /** A call is at one of these. */
  readonly places: readonly CallPlace[];
  readonly rest?: (call: ListedCall) => boolean;
  /** Whether nearly all that are found pass `rest`. */
  readonly isClose?: boolean;
}

/** How many calls one page looks through for a text, or for what no index holds. */
const maxSearched = 10_000;
const maxFiltered = 1_000;
const stepSize = 500;
const closeStepSize = 50;
const maxListed = 1_000;
/** The most labels that are looked up for one page. */
const maxLabels = 24;

/** Makes what lists the calls of one tenant. Rejects when the store does not answer, and for a filter that cannot be used. */
export function createCallList(store: Store, isAlive: (owner: string) => Promise<boolean>) {
  return async (filter: CallFilter, tenant: string, engineEnd: EngineEnd): Promise<CallPage> => {
    const span = { since: toTime('since', filter.since), until: toTime('until', filter.until) };
    const limit = toCount(filter.limit);
    const { places, rest, isClose } = planOf(filter);
    const text = toText(filter.text);
    const isExact = rest === undefined && text === undefined;
    const calls: Found[] = [];
    let { cursor } = filter;
    const most = text === undefined ? maxFiltered : maxSearched;
    for (let searched = 0; searched < most; ) {
      const missing = limit - calls.length;
      const closeSize = isClose ? Math.max(missing, closeStepSize) : stepSize;
      const size = isExact ? missing : text === undefined ? closeSize : stepSize;
      const page = await findAmong(store, { tenant, cursor, limit: size, ...span }, places);
      const found = await withSettled(store, tenant, await withEnds(store, tenant, page), engineEnd);
      const kept = found.filter(({ call }) => rest?.(call) !== false);
      const wanted = text === undefined ? kept : await containing(store, tenant, kept, text);
      calls.push(...wanted.slice(0, missing));
      searched += size;
      cursor = calls.length >= limit ? calls.at(-1)?.cursor : page.next;
      if (calls.length >= limit || cursor === undefined) break;
    }
    const listed = await withProgress(store, tenant, await markLost(calls, isAlive));
    return { calls: listed, ...(cursor !== undefined && { next: cursor }) };
  };
}

const filterNames = {
  tool: true,
  status: true,
  kind: true,
  runId: true,
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

function refuseUnknown(argument: string, values: readonly string[] | undefined, isKnown: (value: string) => boolean): void {
  const unknown = values?.find((value) => !isKnown(value));
  if (unknown !== undefined) throw new ToolpactError('invalid_argument', `${argument} cannot be ${JSON.stringify(unknown)}`, { argument });
}

/** Chooses the places with the fewest calls. Starts know tool, run and whether the call runs; ends status, kind and tool. */
function planOf(filter: CallFilter): Plan {
  refuseOptions('calls', filter, filterNames);
  const { runId, key, replayOf } = filter;
  const [tool, status, kind] = [valuesOf(filter.tool), valuesOf(filter.status), valuesOf(filter.kind)];
  refuseUnknown('status', status, (one) => Object.hasOwn(statuses, one));
  refuseUnknown('kind', kind, isFailureKind);
  const among = (space: CallPlace['space'], parts: Readonly<Record<string, string>>, wanted: Wanted): Plan => ({
    places: [{ space, label: toLabel(parts) }],
    ...restOf(wanted),
  });
  if (replayOf !== undefined) return among('call-end', { replayOf }, { tool, status, kind, runId: valuesOf(runId), key: valuesOf(key) });
  if (key !== undefined) return among('call', { key }, { tool, status, kind, runId: valuesOf(runId) });
  if (runId !== undefined) return among('call', { runId }, { tool, status, kind });
  // Only failures have a kind.
  if (kind !== undefined) return statusPlan('kind', kind, tool, status?.includes('error') ? {} : { status });
  if (status !== undefined) return statusPlan('status', status, tool, {});
  if (tool === undefined || tool.length > maxLabels) return { places: [{ space: 'call' }], ...restOf({ tool }) };
  return { places: tool.map((one) => ({ space: 'call', label: toLabel({ tool: one }) })) };
}

/** Each status has labels of its own and with its tool. Where these would be very many, tools are looked at one by one. */
function statusPlan(name: 'kind' | 'status', values: readonly string[], tool: readonly string[] | undefined, others: Wanted): Plan {
  const isWide = tool === undefined || values.length * tool.length > maxLabels;
  const places = values.flatMap((value) =>
    (isWide ? [undefined] : tool).flatMap((one) => (value === 'running' ? runningPlaces(one) : endPlaces({ [name]: value, tool: one }))),
  );
  const mayHaveEnded = values.some((value) => value === 'running' || value === 'pending');
  return {
    places,
    // One that runs or waits may have ended since it was recorded.
    ...restOf({ ...others, ...(isWide && { tool }), ...(mayHaveEnded && { status: values }) }),
    isClose: mayHaveEnded && (!isWide || tool === undefined),
  };
}

function endPlaces(parts: Readonly<Record<string, string | undefined>>): CallPlace[] {
  return [{ space: 'call-end', label: toLabel(parts) }];
}

function runningPlaces(tool: string | undefined): CallPlace[] {
  const label = tool === undefined ? {} : { label: toLabel({ tool }) };
  return [
    { space: runningSpace, ...label },
    { space: 'call', isFresh: true, ...label },
  ];
}

type Wanted = Readonly<Partial<Record<'tool' | 'status' | 'kind' | 'runId' | 'key', readonly string[] | undefined>>>;

function restOf(wanted: Wanted): Pick<Plan, 'rest'> {
  const parts = Object.entries(wanted).filter(([, values]) => values !== undefined);
  if (parts.length === 0) return {};
  return { rest: (call) => parts.every(([name, values]) => values?.includes(String(call[name as keyof ListedCall]))) };
}

/** Each value once, in an order that does not depend on how they were given: cursors count on it. An empty list asks for nothing. */
function valuesOf<TValue extends string>(given: TValue | readonly TValue[] | undefined): readonly TValue[] | undefined {
  const values = given === undefined ? [] : [...new Set([given].flat() as TValue[])].sort();
  return values.length === 0 ? undefined : values;
}

/** Shows calls that have ended as they ended. */
async function withEnds(store: Store, tenant: string, { rows }: FoundPage): Promise<readonly Found[]> {
  const isBegun = ({ place }: Found): boolean => place.space !== 'call-end' && !place.isFresh;
  const ends = await findEnds(store, tenant, rows.filter(isBegun));
  return rows.map(({ owner, ...found }) => {
    const call = isBegun(found) ? ends.get(found.key) : undefined;
    return call === undefined ? { ...found, ...(owner !== undefined && { owner }) } : { ...found, call };
  });
}

/** Shows calls that were pending when they were recorded, and have their outcome now, as they ended. */
async function withSettled(store: Store, tenant: string, found: readonly Found[], engineEnd: EngineEnd): Promise<readonly Found[]> {
  return Promise.all(
    found.map(async (row) => {
      const { status, handle } = row.call;
      if (status !== 'pending' || handle === undefined) return row;
      const kept = readPendingCall(await demand(() => store.get(pendingKey(tenant, handle))));
      // What waits on an engine has no record here.
      const onEngine = kept === undefined ? await engineEnd(tenant, row.key, handle) : undefined;
      const { outcome = onEngine, endedAt = onEngine === undefined ? row.at : Date.now() } = kept ?? {};
      return outcome === undefined || outcome.status === 'pending' ? row : { ...row, call: toEnded(row.call, outcome, endedAt) };
    }),
  );
}

/** Keeps the calls in which a text occurs: as they are listed, or in what is stored of them. */
async function containing(store: Store, tenant: string, found: readonly Found[], text: string): Promise<readonly Found[]> {
  const has = hasText(text);
  const values = await demand(() =>
    Promise.all(
      found.flatMap(({ key, call }) => (has(call) ? [] : ['call', 'call-end'].map(async (space) => store.get({ space, tenant, key })))),
    ),
  );
  const keys = new Set(values.flatMap((record) => (record !== undefined && has(record.value) ? [record.key] : [])));
  return found.filter(({ key, call }) => keys.has(key) || has(call));
}

/** Marks the calls whose process is gone: they will not end by themselves. */
async function markLost(found: readonly Found[], isAlive: (owner: string) => Promise<boolean>): Promise<readonly ListedCall[]> {
  const owners = new Set(found.flatMap(({ call, owner }) => (call.status === 'running' && owner !== undefined ? [owner] : [])));
  const gone = new Set<string>();
  for (const owner of owners) if (!(await isAlive(owner))) gone.add(owner);
  return found.map(({ call, owner }) => (owner !== undefined && gone.has(owner) ? { ...call, lost: true } : call));
}

async function withProgress(store: Store, tenant: string, calls: readonly ListedCall[]): Promise<readonly ListedCall[]> {
  const running = calls.flatMap(({ id, status }) => (status === 'running' ? [id] : []));
  const found = await readProgress(store, tenant, running);
  if (found.size === 0) return calls;
  return calls.map((call) => {
    const progress = call.status === 'running' ? found.get(call.id) : undefined;
    return progress === undefined ? call : { ...call, progress };
  });
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
