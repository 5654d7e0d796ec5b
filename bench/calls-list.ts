import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolbox } from 'toolpact';
import type { Store } from 'toolpact/extend';
import type { CallFilter, ListedCall } from 'toolpact/guards';
import { journal } from 'toolpact/guards';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { endIndex, startIndex } from '../packages/toolpact/src/calls/journal/listed-call.ts';
import { startPostgres } from '../proofs/fixtures/start-postgres.ts';

// How long one page of the list of calls takes in a store of many, and what the indexes cost when calls are written: node --import ./scripts/resolve-peers.ts bench/calls-list.ts [calls]
const total = Number(process.argv[2] ?? 1_000_000);
const tenant = '00000000-0000-0000-0000-000000000000';
const firstAt = Date.UTC(2026, 0, 1);
const kinds = ['timeout', 'not_found', 'upstream'] as const;

const filters: Readonly<Record<string, CallFilter>> = {
  'no filter': {},
  'a tool': { tool: 'tool_7' },
  'a tool that has failed once': { tool: 'tool_rare', status: 'error' },
  failures: { status: 'error' },
  'a kind': { kind: 'upstream' },
  'a kind and a tool': { kind: 'upstream', tool: 'tool_10' },
  'a run': { runId: 'run_5000' },
  'a run and a kind': { runId: 'run_5000', kind: 'timeout' },
  running: { status: 'running' },
  'a tool, running': { tool: 'tool_7', status: 'running' },
  'an unused key': { key: 'none' },
  'an hour in the middle': { since: firstAt + (total / 2) * 1000, until: firstAt + (total / 2) * 1000 + 3_600_000 },
  'text, in the newest 10,000': { text: 'no call contains this' },
};

function callOf(number: number): ListedCall {
  const failed = number % 10 === 0;
  const tool = number === 17 ? 'tool_rare' : `tool_${number % 20}`;
  const end = failed || number === 17 ? { status: 'error' as const, kind: kinds[number % 3] ?? 'timeout' } : { status: 'ok' as const };
  const begunAt = new Date(firstAt + number * 1000).toISOString();
  return {
    id: `call-${number}`,
    tool,
    begunAt,
    endedAt: begunAt,
    tookMs: 3,
    attempts: 1,
    tenantId: tenant,
    traceId: 'x'.repeat(32),
    ...end,
  };
}

/** Writes the start and the end of a call, as the journal does, with or without what they are found by. */
function write(store: Store, number: number, isIndexed = true, owner = tenant): Promise<unknown>[] {
  const [call, at] = [callOf(number), firstAt + number * 1000];
  const start = { type: 'call-start', tool: call.tool, invocationId: call.id, at, runId: `run_${Math.floor(number / 20)}`, input: {} };
  const begun = { v: 1, call: { ...call, status: 'running' as const } } as const;
  const end = { type: 'call-end', at, outcome: { status: 'ok', data: 'x'.repeat(200), meta: { tookMs: 3, attempts: 1 } } };
  const indexes = isIndexed ? [{ index: startIndex(start as never, begun) }, { index: endIndex(call.tool, at, call) }] : [{}, {}];
  return [
    Promise.resolve(store.put({ space: 'call', tenant: owner, key: call.id, value: { v: 1, event: start }, ...indexes[0] }, 0)),
    Promise.resolve(store.put({ space: 'call-end', tenant: owner, key: call.id, value: { v: 1, event: end }, ...indexes[1] }, 0)),
  ];
}

async function fill(store: Store): Promise<void> {
  for (let first = 0; first < total; first += 5000) {
    const numbers = Array.from({ length: Math.min(5000, total - first) }, (_, index) => first + index);
    await Promise.all(numbers.flatMap((number) => write(store, number)));
  }
}

/** Measures what the indexes add to the writing of a call: 100 calls at once, rounds with and without taking turns. */
async function measureWrites(store: Store): Promise<string> {
  const [rounds, atOnce] = [21, 100];
  const taken = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ['with', 'without'] as const) {
      const numbers = Array.from({ length: atOnce }, (_, index) => round * atOnce + index);
      const startedAt = performance.now();
      await Promise.all(numbers.flatMap((number) => write(store, number, way === 'with', `writes-${way}`)));
      taken[way].push(((performance.now() - startedAt) * 1000) / atOnce);
    }
  }
  const median = (times: number[]): string => `${times.sort((a, b) => a - b)[rounds >> 1]?.toFixed(0)} µs`;
  return `${median(taken.with)} with the indexes, ${median(taken.without)} without`;
}

async function measure(store: Store): Promise<Map<string, string>> {
  const toolbox = createToolbox([], { use: [journal({ store })] });
  const times = new Map<string, string>();
  for (const [name, filter] of Object.entries(filters)) {
    const taken: number[] = [];
    let found = 0;
    for (let round = 0; round < 11; round += 1) {
      const startedAt = performance.now();
      found = (await toolbox.calls(filter)).calls.length;
      taken.push(performance.now() - startedAt);
    }
    taken.sort((a, b) => a - b);
    times.set(name, `${taken[5]?.toFixed(1)} ms (slowest ${taken.at(-1)?.toFixed(1)}), ${found} calls`);
  }
  return times;
}

const folder = mkdtempSync(join(tmpdir(), 'toolpact-calls-list-'));
const server = await startPostgres();
const stores = {
  SQLite: sqliteStore({ path: join(folder, 'calls.db'), durability: 'normal' }),
  PostgreSQL: postgresStore({ connectionString: server.connectionString }),
};
const results = new Map<string, Map<string, string>>();
for (const [name, store] of Object.entries(stores)) {
  const startedAt = performance.now();
  await fill(store);
  console.log(`${name}: ${total} calls written in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  results.set(name, await measure(store));
  console.log(`${name}: the records of a call are written in ${await measureWrites(store)} (median, 100 calls at once)`);
  await store.close();
}
console.log(`\n| a page of 50 by | ${[...results.keys()].join(' | ')} |\n|---|${'---:|'.repeat(results.size)}`);
for (const name of Object.keys(filters)) console.log(`| ${name} | ${[...results.values()].map((times) => times.get(name)).join(' | ')} |`);
await server.remove();
rmSync(folder, { recursive: true, force: true });
