import type { Approval, CallFilter, CallPage, DecisionFacts, Grant, GrantPageRequest, Outcome, RecordedCall } from 'toolpact';
import type { PageRequest, ResultPage } from 'toolpact/guards';
import { decodeOutcome, sleep } from 'toolpact/internal';
import type { Ask } from './ask.ts';
import type { DecidedOne, RequestOptions, Settlement } from './client.ts';

/** Finds out what became of a call. */
export function findCall(ask: Ask, id: string, options: RequestOptions): Promise<Outcome<RecordedCall>> {
  const path = `/v1/calls/${toPathPart(id)}?dialect=outcome`;
  return ask({ method: 'GET', path, effects: 'none', plain: readRecord, options }) as Promise<Outcome<RecordedCall>>;
}

/** Lists one page of calls. */
export function listCalls(ask: Ask, filter: CallFilter, options: RequestOptions): Promise<Outcome<CallPage>> {
  const plain = (json: unknown): unknown => (Array.isArray((json as { readonly calls?: unknown } | null)?.calls) ? json : undefined);
  const path = `/v1/calls${toQuery({ ...filter })}`;
  return ask({ method: 'GET', path, effects: 'none', plain, options }) as Promise<Outcome<CallPage>>;
}

/** Reads one page of a stored result. */
export function readResult(ask: Ask, ref: string, page: PageRequest, options: RequestOptions): Promise<Outcome<ResultPage>> {
  const { path, offset, limit } = page;
  const query = toQuery({ path, offset, limit });
  return ask({ method: 'GET', path: `/v1/results/${toPathPart(ref)}${query}`, form: 'outcome', effects: 'none', options }) as Promise<
    Outcome<ResultPage>
  >;
}

/** Asks for the outcome of a pending call until it is there or the time is over. */
export async function waitForPending(ask: Ask, handle: string, options: RequestOptions): Promise<Outcome> {
  const { timeoutMs = 30_000 } = options;
  const until = performance.now() + timeoutMs;
  for (;;) {
    const asked = performance.now();
    const leftMs = Math.max(0, until - asked);
    // A server may answer sooner than asked; it does not answer much later.
    const seconds = Math.min(longestWait, Math.ceil(leftMs) / 1000);
    const outcome = await ask({
      method: 'GET',
      path: `/v1/pending/${toPathPart(handle)}?wait=${seconds}`,
      form: 'outcome',
      effects: 'none',
      options: { ...options, timeoutMs: seconds * 1000 + graceMs },
    });
    if (outcome.status !== 'pending' || performance.now() >= until) return outcome;
    // Pause between requests, in case the server answers at once instead of waiting.
    if (performance.now() - asked < leastPauseMs) await sleep(leastPauseMs, options.signal);
  }
}

/** Returns a pending call its outcome. Only the first counts, so saying it twice does no harm. */
export function settlePending(ask: Ask, handle: string, settlement: Settlement, options: RequestOptions): Promise<Outcome> {
  return ask({
    method: 'POST',
    path: `/v1/pending/${toPathPart(handle)}`,
    body: settlement,
    form: 'outcome',
    effects: 'idempotent',
    options,
  });
}

/** Lists the calls that wait for a decision, page by page. */
export function listApprovals(
  ask: Ask,
  filter: Parameters<typeof toQuery>[0],
  options: RequestOptions,
): Promise<Outcome<readonly Approval[]>> {
  return listPages<Approval>(ask, '/v1/approvals', 'approvals', filter, options);
}

/** Decides about several calls that wait, in as few requests as may be. */
export async function decideApprovals(
  ask: Ask,
  { handles, ...decision }: { readonly handles: readonly string[]; readonly decision: 'approve' | 'deny'; readonly reason?: string },
  options: RequestOptions,
): Promise<Outcome<readonly DecidedOne[]>> {
  const plain = (json: unknown): unknown => (json as { readonly decided?: unknown } | null)?.decided;
  const all: DecidedOne[] = [];
  for (let from = 0; ; from += mostAtOnce) {
    const body = { handles: handles.slice(from, from + mostAtOnce), ...decision };
    const answer = (await ask({ method: 'POST', path: '/v1/approvals', body, effects: 'writes', plain, options })) as Outcome<
      readonly DecidedOne[]
    >;
    if (answer.status !== 'ok') return answer;
    all.push(...answer.data);
    if (from + mostAtOnce >= handles.length) return { ...answer, data: all };
  }
}

/** The most that a server decides in one request. */
const mostAtOnce = 100;

/** Lists the standing grants, page by page. */
export function listGrants(
  ask: Ask,
  { all, tool }: Pick<GrantPageRequest, 'all' | 'tool'>,
  options: RequestOptions,
): Promise<Outcome<readonly Grant[]>> {
  return listPages<Grant>(ask, '/v1/grants', 'grants', { ...(all && { all: 'true' }), tool }, options);
}

/** Ends a standing grant. */
export function revokeGrant(ask: Ask, id: string, options: RequestOptions): Promise<Outcome<Grant>> {
  const plain = (json: unknown): unknown => (json as { readonly grant?: unknown } | null)?.grant;
  return ask({ method: 'DELETE', path: `/v1/grants/${toPathPart(id)}`, effects: 'idempotent', plain, options }) as Promise<Outcome<Grant>>;
}

/** Reads all pages of a list. */
async function listPages<TItem>(
  ask: Ask,
  path: string,
  name: string,
  query: Parameters<typeof toQuery>[0],
  options: RequestOptions,
): Promise<Outcome<readonly TItem[]>> {
  const plain = (json: unknown): unknown => (Array.isArray((json as Readonly<Record<string, unknown>> | null)?.[name]) ? json : undefined);
  const all: TItem[] = [];
  for (let after: string | undefined; ; ) {
    const whole = `${path}${toQuery({ ...query, after })}`;
    const page = (await ask({ method: 'GET', path: whole, effects: 'none', plain, options })) as Outcome<Readonly<Record<string, unknown>>>;
    if (page.status !== 'ok') return page as Outcome<never>;
    all.push(...(page.data[name] as readonly TItem[]));
    after = page.data.next as string | undefined;
    if (after === undefined || all.length >= mostListed) return { ...page, data: all };
  }
}

/** The most that are read: a person does not look at more at once. */
const mostListed = 10_000;

/** Decides about a call that waits. A second decision is a conflict, so it is not sent twice. */
export function decideApproval(
  ask: Ask,
  handle: string,
  decision: { readonly decision: 'approve' | 'deny' } & Omit<DecisionFacts, 'by' | 'roles'>,
  options: RequestOptions,
): Promise<Outcome<Approval>> {
  const plain = (json: unknown): unknown => (json as { readonly approval?: unknown } | null)?.approval;
  const path = `/v1/approvals/${toPathPart(handle)}`;
  return ask({ method: 'POST', path, body: decision, effects: 'writes', plain, options }) as Promise<Outcome<Approval>>;
}

/** Writes what is given of a query. */
export function toQuery(parts: Readonly<Record<string, string | number | readonly string[] | undefined>>): string {
  const given = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Writes an id as a part of a path. */
export function toPathPart(id: string): string {
  return encodeURIComponent(String(id).toWellFormed());
}

const longestWait = 20;
const graceMs = 10_000;
const leastPauseMs = 50;

function readRecord(json: unknown): RecordedCall | undefined {
  const record = (json ?? {}) as Partial<RecordedCall>;
  if (typeof record.id !== 'string' || typeof record.tool !== 'string' || typeof record.status !== 'string') return undefined;
  if (record.outcome === undefined) return record as RecordedCall;
  const decoded = decodeOutcome(record.outcome, { effects: 'writes' });
  return decoded.ok ? ({ ...record, outcome: decoded.outcome } as RecordedCall) : undefined;
}
