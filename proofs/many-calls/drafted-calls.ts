import type { CallEnd, CallQuery, Ledger, ListedCall, NewCall } from 'toolpact/extend';

/** Two tenants: nine of ten calls belong to the large one. */
export const tenants = { large: '00000000-0000-0000-0000-000000000000', small: '00000000-0000-0000-0000-000000000001' } as const;

const firstAt = Date.UTC(2026, 0, 1);
const kinds = ['timeout', 'not_found', 'upstream'] as const;
const keepMs = 30 * 24 * 3_600_000;
/** So many calls are on their way at once while a store is filled. */
const atOnce = 5_000;

export type CallFilter = Omit<Partial<CallQuery>, 'limit' | 'cursor'>;

/** Returns the values of each filter for a number of calls: common ones, rare ones, and some that no call has. Half of all calls belong to one session. */
export function filtersOf(total: number): Readonly<Record<string, readonly CallFilter[]>> {
  const middle = firstAt + (total / 2) * 1000;
  return {
    tenant: [{ tenant: tenants.small }],
    tool: [
      { tool: ['tool_7'] },
      { tool: ['tool_10'] },
      { tool: ['tool_rare'] },
      { tool: ['none'] },
      { tool: ['tool_1', 'tool_2', 'tool_3'] },
    ],
    status: [{ status: ['ok'] }, { status: ['error'] }, { status: ['running'] }, { status: ['pending', 'running'] }],
    kind: [{ kind: ['upstream'] }, { kind: ['timeout', 'not_found'] }, { kind: ['conflict'] }],
    run: [{ runId: `run_${Math.floor(total / 40)}` }, { runId: 'none' }],
    session: [{ sessionId: 'session_large' }, { sessionId: `session_${Math.floor(total / 2000)}` }],
    key: [{ callerKey: 'key_17' }, { callerKey: 'none' }],
    time: [{ since: middle, until: middle + 3_600_000 }, { since: middle }, { until: firstAt + 60_000 }],
  };
}

/** Returns no filter, each filter, and each pair of filters. */
export function pairsOf(values: Readonly<Record<string, readonly CallFilter[]>>): readonly CallFilter[] {
  const lists = Object.values(values);
  const pairs = lists.flatMap((one, index) =>
    lists.slice(index + 1).flatMap((other) => one.flatMap((first) => other.map((second) => ({ ...first, ...second })))),
  );
  return [{}, ...lists.flat(), ...pairs];
}

/** Drafts the call of a number: what it is decides what its filters are. */
export function draftOf(number: number): NewCall {
  const tenant = number % 10 === 3 ? tenants.small : tenants.large;
  const [begunAt, tool] = [firstAt + number * 1000, number === 17 ? 'tool_rare' : `tool_${number % 20}`];
  return {
    tenant,
    id: `call-${String(number).padStart(30, '0')}`,
    tool,
    process: 'proof',
    isPromised: true,
    key: { text: `key of call ${String(number).padStart(30, '0')}`, countsMs: 3_600_000 },
    origin: `call-${number}`,
    listed: listedOf(number, tool, { status: 'running' }),
    by: {
      begunAt,
      runId: `run_${Math.floor(number / 20)}`,
      sessionId: number % 2 === 0 ? 'session_large' : `session_${Math.floor(number / 1000)}`,
      ...(number % 1000 === 17 && { callerKey: `key_${number}` }),
    },
    start: { input: { order: number, address: 'x'.repeat(150) }, isWhole: true },
    args: { order: number, address: 'x'.repeat(150) },
    keepMs,
  };
}

/** Drafts how the call of a number ends: one of ten fails. */
function endOf(number: number): CallEnd {
  const { tool } = draftOf(number);
  const failed = number % 10 === 0;
  const end = failed ? { status: 'error' as const, kind: kinds[Math.floor(number / 10) % 3] ?? 'timeout' } : { status: 'ok' as const };
  return {
    outcome: { status: 'ok', data: 'x'.repeat(200), meta: { tookMs: 3, attempts: 1 } },
    listed: listedOf(number, tool, end),
    trace: { guards: [], attempts: [{ attempt: 1, tookMs: 3, endedAtMs: 3, status: 'ok' }], steps: [], progress: [] },
    keepsSteps: false,
  };
}

function listedOf(number: number, tool: string, end: Pick<ListedCall, 'status'> & Partial<Pick<ListedCall, 'kind'>>): ListedCall {
  const begunAt = new Date(firstAt + number * 1000).toISOString();
  const ended = end.status === 'running' ? {} : { endedAt: begunAt, tookMs: 3, message: 'It went as it went.' };
  return {
    id: `call-${number}`,
    tool,
    begunAt,
    attempts: 1,
    preview: `order: ${number}, address: ${'x'.repeat(60)}`,
    traceId: 'x'.repeat(32),
    ...ended,
    ...end,
  } as ListedCall;
}

/** Fills a store with so many calls, which have all ended. */
export async function fillCalls(calls: Ledger, total: number): Promise<void> {
  for (let first = 0; first < total; first += atOnce) {
    await calls.heartbeat({ process: 'proof', leaseMs: 3_600_000, ranMs: 3_600_000 });
    await Promise.all(Array.from({ length: Math.min(atOnce, total - first) }, (_, index) => write(calls, first + index)));
  }
}

async function write(calls: Ledger, number: number): Promise<void> {
  const draft = draftOf(number);
  await calls.begin(draft);
  await calls.end({ tenant: draft.tenant, id: draft.id, epoch: 1 }, endOf(number));
}

/** Checks whether the call of a number is one that a filter wants. */
export function fits(number: number, { tenant, tool, status, kind, runId, sessionId, callerKey, since, until }: CallFilter): boolean {
  const { tenant: own, tool: name, by } = draftOf(number);
  const { listed } = endOf(number);
  return (
    own === (tenant ?? tenants.large) &&
    (tool?.includes(name) ?? true) &&
    (status?.includes(listed.status) ?? true) &&
    (kind === undefined || (listed.kind !== undefined && kind.includes(listed.kind))) &&
    (runId ?? by.runId) === by.runId &&
    (sessionId ?? by.sessionId) === by.sessionId &&
    (callerKey ?? by.callerKey) === by.callerKey &&
    by.begunAt >= (since ?? 0) &&
    by.begunAt <= (until ?? Number.POSITIVE_INFINITY)
  );
}
