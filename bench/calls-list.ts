import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallQuery, Ledger, ListedCall, NewCall, Store } from 'toolpact/extend';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { startPostgres } from '../proofs/fixtures/start-postgres.ts';

// How long one page of the list of calls takes in a store of many, by each filter and each pair of them; what a call costs to write; how long a
// worker takes for the calls of a dead process: node --import ./scripts/resolve-peers.ts bench/calls-list.ts [calls] [sqlite|postgres]
const total = Number(process.argv[2] ?? 1_000_000);
const only = process.argv[3];
const tenant = '00000000-0000-0000-0000-000000000000';
const firstAt = Date.UTC(2026, 0, 1);
const kinds = ['timeout', 'not_found', 'upstream'] as const;
const keepMs = 30 * 24 * 3_600_000;
const middle = firstAt + (total / 2) * 1000;

type Filter = Omit<Partial<CallQuery>, 'tenant' | 'limit' | 'cursor'>;

/** Values of each filter: common ones, rare ones, and some that no call has. Half of all calls belong to one session. */
const values: Readonly<Record<string, readonly Filter[]>> = {
  'no filter': [{}],
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

function draftOf(number: number): NewCall {
  const [begunAt, tool] = [firstAt + number * 1000, number === 17 ? 'tool_rare' : `tool_${number % 20}`];
  return {
    tenant,
    id: `call-${String(number).padStart(30, '0')}`,
    tool,
    process: 'bench',
    isPromised: true,
    key: { text: `key of call ${String(number).padStart(30, '0')}`, countsMs: 3_600_000 },
    origin: `call-${number}`,
    listed: listedOf(number, tool, begunAt, { status: 'running' }),
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

function listedOf(number: number, tool: string, begunAt: number, end: Pick<ListedCall, 'status' | 'kind'>): ListedCall {
  const ended = end.status === 'running' ? {} : { endedAt: new Date(begunAt).toISOString(), tookMs: 3, message: 'It went as it went.' };
  return {
    id: `call-${number}`,
    tool,
    begunAt: new Date(begunAt).toISOString(),
    attempts: 1,
    preview: `order: ${number}, address: ${'x'.repeat(60)}`,
    tenantId: tenant,
    traceId: 'x'.repeat(32),
    ...ended,
    ...end,
  } as ListedCall;
}

async function write(calls: Ledger, number: number): Promise<void> {
  const draft = draftOf(number);
  const { id, tool, by } = draft;
  await calls.begin(draft);
  const failed = number % 10 === 0;
  const end = failed ? { status: 'error' as const, kind: kinds[Math.floor(number / 10) % 3] ?? 'timeout' } : { status: 'ok' as const };
  await calls.end(
    { tenant, id, epoch: 1 },
    {
      outcome: { status: 'ok', data: 'x'.repeat(200), meta: { tookMs: 3, attempts: 1 } },
      listed: listedOf(number, tool, by.begunAt, end as Pick<ListedCall, 'status' | 'kind'>),
      trace: { guards: [], attempts: [{ attempt: 1, tookMs: 3, endedAtMs: 3, status: 'ok' }], steps: [], progress: [] },
      keepsSteps: false,
    },
  );
}

async function fill(calls: Ledger): Promise<void> {
  const atOnce = 5000;
  for (let first = 0; first < total; first += atOnce) {
    await calls.heartbeat({ process: 'bench', leaseMs: 3_600_000, ranMs: 3_600_000 });
    await Promise.all(Array.from({ length: Math.min(atOnce, total - first) }, (_, index) => write(calls, first + index)));
  }
}

/** Measures what writing a call costs, so many of them at once. */
async function measureWrites(calls: Ledger, atOnce: number, from: number): Promise<string> {
  const rounds = 21;
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: atOnce }, (_, index) => write(calls, from + round * atOnce + index)));
    times.push((performance.now() - startedAt) / atOnce);
  }
  return `${(median(times) * 1000).toFixed(0)} µs`;
}

/** Measures how long a worker takes for each hundred of many calls of a process that has died. */
async function measureTakes(calls: Ledger, many: number): Promise<string> {
  const tool = 'of_the_dead';
  await Promise.all(
    Array.from({ length: many }, (_, index) =>
      calls.begin({ ...draftOf(index), id: `dead-${index}`, key: undefined, tool, process: 'dead' }),
    ),
  );
  await calls.heartbeat({ process: 'worker', leaseMs: 3_600_000, ranMs: 3_600_000 });
  const times: number[] = [];
  let taken = 0;
  for (;;) {
    const startedAt = performance.now();
    const batch = await calls.takeDue({ process: 'worker', tools: [tool], limit: 100 });
    if (batch.length === 0) break;
    times.push(performance.now() - startedAt);
    taken += batch.length;
  }
  return `${taken} of ${many} taken, 100 in ${median(times).toFixed(1)} ms (slowest ${Math.max(...times).toFixed(1)})`;
}

interface PageTime {
  readonly name: string;
  readonly ms: number;
  readonly slowest: number;
  readonly found: number;
}

async function measurePages(calls: Ledger): Promise<readonly PageTime[]> {
  const names = Object.keys(values);
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  const filters = pairs.flatMap(([one, other]) =>
    (values[one] ?? []).flatMap((first) => (values[other] ?? []).map((second) => ({ ...first, ...second }))),
  );
  const taken: PageTime[] = [];
  for (const filter of [{}, ...filters]) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < 7; round += 1) {
      const startedAt = performance.now();
      found = (await calls.list({ tenant, limit: 50, ...filter })).rows.length;
      times.push(performance.now() - startedAt);
    }
    taken.push({ name: JSON.stringify(filter), ms: median(times), slowest: Math.max(...times), found });
  }
  return taken.sort((one, other) => other.slowest - one.slowest);
}

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[times.length >> 1] ?? 0;
}

async function measure(name: string, store: Store): Promise<void> {
  const calls = store.calls as Ledger;
  const tell = (text: string) => console.log(`${name}: ${text}`);
  const startedAt = performance.now();
  await fill(calls);
  tell(`${total} calls begun and ended in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const pages = await measurePages(calls);
  tell(`${pages.length} filters, a page of 50: median ${median(pages.map(({ ms }) => ms)).toFixed(1)} ms; the slowest, of 7 rounds each:`);
  for (const { name: filter, ms, slowest, found } of pages.slice(0, 12))
    tell(`  ${ms.toFixed(1)} ms (slowest ${slowest.toFixed(1)}), ${found} calls: ${filter}`);
  for (const atOnce of [1, 100])
    tell(`begin and end, ${atOnce} at once: ${await measureWrites(calls, atOnce, total + atOnce * 1000)} a call`);
  tell(`a dead process: ${await measureTakes(calls, 10_000)}`);
}

const folder = mkdtempSync(join(tmpdir(), 'toolpact-calls-list-'));
try {
  if (only !== 'postgres') {
    const path = join(folder, 'calls.db');
    const store = sqliteStore({ path, durability: 'normal' });
    await measure('SQLite', store);
    await store.close();
    console.log(`SQLite: ${(statSync(path).size / 1e9).toFixed(2)} GB`);
  }
  if (only !== 'sqlite') {
    const server = await startPostgres();
    const store = postgresStore({ connectionString: server.connectionString });
    await measure('PostgreSQL', store);
    await store.close();
    await server.remove();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
