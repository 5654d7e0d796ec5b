import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Postgres, startPostgres } from '../../../../proofs/fixtures/start-postgres.ts';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';
import type { Outcome } from '../../src/index.ts';
import type { Store } from '../../src/ports/index.ts';
import { openStore, type StoreAddress } from '../stores/open-store.ts';
import { createLongToolbox } from './long-toolbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-long-'));
const program = useProgram(new URL('long-worker.ts', import.meta.url));
const patience = { timeout: 60_000 };
// Each test starts and kills several processes, which takes long where the machine is busy.
vi.setConfig({ testTimeout: 240_000 });
const children = new Set<ChildProcess>();
const stores: Store[] = [];
let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});
// The tests run at the same time, so all is closed at their end.
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(stores.map((store) => store.close()));
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const addresses: readonly (readonly [name: string, address: (schema: string) => StoreAddress])[] = [
  ['sqlite', (schema) => ({ path: join(folder, `${schema}.db`) })],
  ['postgres', (schema) => ({ connectionString: server.connectionString, schema })],
];

/** A store, what its tools did, this process, and processes that can be killed. */
function open(address: StoreAddress, name: string) {
  const ledger = join(folder, `${name}.ledger`);
  writeFileSync(ledger, '');
  const store = openStore(address);
  stores.push(store);
  const toolbox = createLongToolbox(store, ledger);
  const runsOf = (id: string): number =>
    readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((line) => line === id).length;

  async function startWorker() {
    const child = spawn(process.execPath, [program(), JSON.stringify({ store: address, ledger })], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.add(child);
    const waiting = new Map<string, (outcome: Outcome) => void>();
    const isReady = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { ready, nonce, outcome } = JSON.parse(line);
      if (ready === true) isReady.resolve();
      else waiting.get(nonce)?.(outcome);
    });
    await isReady.promise;
    const call = (tool: string, args: object, context: object = { runId: 'r' }): Promise<Outcome> =>
      new Promise((resolve) => {
        const nonce = crypto.randomUUID();
        waiting.set(nonce, resolve);
        child.stdin.write(`${JSON.stringify({ nonce, name: tool, args, context })}\n`);
      });
    const kill = (): Promise<void> =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      });
    return { call, kill };
  }
  return { toolbox, store, startWorker, runsOf };
}

const handleOf = (outcome: Outcome): string => (outcome.status === 'pending' ? outcome.pending.handle : `not pending: ${outcome.status}`);
const kindOf = (outcome: Outcome): string => (outcome.status === 'error' ? outcome.error.kind : outcome.status);

describe.concurrent.each(addresses)('on %s, after kill -9', (name, address) => {
  test('deferred calls are interrupted with an honest effect, what has ended stays, and nothing joins a dead call', async () => {
    const schema = `deferred_${name}`;
    const { toolbox, startWorker, runsOf } = open(address(schema), schema);
    const first = await startWorker();
    const [reading, writing, ended] = await Promise.all([
      first.call('read', { id: 'r1' }),
      first.call('write', { id: 'w1' }),
      first.call('write', { id: 'w2', ms: 1 }, {}),
    ]);
    const [read, wrote] = [handleOf(reading), handleOf(writing)];
    // A call that was too quick to be deferred is found in the journal.
    const done = ended.status === 'pending' ? await toolbox.calls.wait(handleOf(ended)) : ended;
    expect(done).toMatchObject({ status: 'ok', data: { id: 'w2' } });
    // While its process lives, an equal call of another process joins it, and its progress can be read there.
    expect(handleOf(await toolbox.call('read', { id: 'r1' }, { runId: 'r' }))).toBe(read);
    const shown = { status: 'pending', pending: { progress: { message: 'working on r1', percent: 25 } } };
    await vi.waitFor(async () => expect(await toolbox.calls.wait(read, { timeoutMs: 0 })).toMatchObject(shown), patience);
    expect(runsOf('r1')).toBe(1);
    await first.kill();

    const [lostRead, lostWrite] = await Promise.all([toolbox.calls.wait(read), toolbox.calls.wait(wrote)]);
    expect(lostRead).toMatchObject({ status: 'error', error: { kind: 'interrupted', effect: 'none' } });
    expect(lostWrite).toMatchObject({ status: 'error', error: { kind: 'interrupted', effect: 'unknown', recovery: 'verify' } });
    expect(kindOf(await toolbox.answer({ name: 'wait_for_result', args: { handle: wrote } }))).toBe('interrupted');
    if (ended.status === 'pending') expect(await toolbox.calls.wait(handleOf(ended))).toEqual(done);
    // The journal has a sign of life of its own, which may end a moment later.
    await vi.waitFor(async () => {
      const { calls } = await toolbox.calls.list({ runId: 'r' });
      expect(calls.filter(({ lost }) => lost === true).map(({ tool }) => tool)).toEqual(expect.arrayContaining(['read', 'write']));
    }, patience);
    const again = await toolbox.call('read', { id: 'r1', ms: 1 }, { runId: 'r' });
    const second = await startWorker();
    const rerun = await second.call('read', { id: 'r1' });
    expect([handleOf(rerun) === read, kindOf(again) === 'interrupted']).toEqual([false, false]);
    await vi.waitFor(() => expect(runsOf('r1')).toBe(3), patience);
    await second.kill();
  });

  test('an approval survives the process that asked, is used once, and a call that died while it ran asks again', async () => {
    const schema = `approved_${name}`;
    const { toolbox, startWorker, runsOf } = open(address(schema), schema);
    const first = await startWorker();
    const asked = handleOf(await first.call('pay', { id: 'p1' }));
    await first.kill();
    expect(await toolbox.approvals.list()).toMatchObject([{ handle: asked, tool: 'pay', state: 'waiting' }]);
    expect(await toolbox.calls.wait(asked, { timeoutMs: 0 })).toMatchObject({ status: 'pending', pending: { reason: 'approval' } });
    expect(await toolbox.approvals.decide(asked, 'approve')).toMatchObject({ ok: true });

    const second = await startWorker();
    void second.call('pay', { id: 'p1' });
    await vi.waitFor(() => expect(runsOf('p1')).toBe(1), patience);
    await second.kill();
    expect(await toolbox.approvals.get(asked)).toMatchObject({ state: 'used' });

    const third = await startWorker();
    // Whoever makes the call again learns first what is known of the one that died; then it is a new call, which asks.
    expect(await third.call('pay', { id: 'p1' })).toMatchObject({ status: 'error', error: { kind: 'interrupted', effect: 'unknown' } });
    const next = handleOf(await third.call('pay', { id: 'p1' }));
    expect([(await toolbox.approvals.get(next))?.state, next === asked, runsOf('p1')]).toEqual(['waiting', false, 1]);
    await toolbox.approvals.decide(next, 'deny');
    await third.kill();
    expect(await toolbox.calls.wait(next)).toMatchObject({ status: 'error', error: { kind: 'denied', effect: 'none' } });
    expect(runsOf('p1')).toBe(1);
  });

  test('a handle that was given is never unknown, and an outcome that was read never changes', async () => {
    const schema = `killed_${name}`;
    const { toolbox, startWorker, runsOf } = open(address(schema), schema);
    const kinds = new Set<string>();
    for (let life = 0; life < 2; life += 1) {
      const worker = await startWorker();
      // Killed while some calls end and others are about to be deferred.
      const ids = Array.from({ length: 20 }, (_, index) => `${life}-${index}`);
      const handles: string[] = [];
      const calls = ids.map((id, index) =>
        worker.call(index % 4 < 2 ? 'read' : 'write', { id, ...(index % 2 === 0 && { ms: 5 + index * 10 }) }, {}),
      );
      for (const call of calls) void call.then((outcome) => outcome.status === 'pending' && handles.push(outcome.pending.handle));
      await vi.waitFor(() => expect(handles.length).toBeGreaterThan(life * 8), patience);
      const early = await Promise.all(handles.map(async (handle) => [handle, await toolbox.calls.wait(handle, { timeoutMs: 0 })] as const));
      await worker.kill();
      const late = new Map(await Promise.all(handles.map(async (handle) => [handle, await toolbox.calls.wait(handle)] as const)));
      for (const outcome of late.values()) kinds.add(kindOf(outcome));
      for (const [handle, outcome] of early) if (outcome.status !== 'pending') expect(late.get(handle)).toEqual(outcome);
      expect(ids.map(runsOf).filter((runs) => runs > 1)).toEqual([]);
    }
    expect([...kinds].filter((kind) => kind !== 'ok' && kind !== 'interrupted')).toEqual([]);
  });

  test('a call that runs in another process is joined, listed as running and cancelled; only the latter ends it', async () => {
    const schema = `cancelled_${name}`;
    const { toolbox, startWorker, runsOf } = open(address(schema), schema);
    const worker = await startWorker();
    const same = { runId: 'r', tenantId: 'a' };
    const own = toolbox.with({ tenantId: 'a' });
    const first = handleOf(await worker.call('write', { id: 'c1' }, same));
    const others = [same, { ...same, runId: 's' }, { ...same, tenantId: 'b' }];
    const handles = await Promise.all(others.map(async (context) => handleOf(await worker.call('write', { id: 'c1' }, context))));
    expect(handles.map((handle) => handle === first)).toEqual([true, false, false]);
    expect(handleOf(await own.call('write', { id: 'c1' }, { runId: 'r' }))).toBe(first);
    const running = () => own.calls.list({ status: 'running', runId: 'r' });
    const [call] = (await running()).calls;
    expect(call).toMatchObject({ tool: 'write', status: 'running', runId: 'r' });
    expect(await toolbox.with({ tenantId: 'b' }).calls.cancel(call?.id ?? '')).toBe(false);
    expect(await own.calls.cancel(call?.id ?? '')).toBe(true);
    expect(await own.calls.wait(first, { timeoutMs: 60_000 })).toMatchObject({
      status: 'error',
      error: { kind: 'cancelled', effect: 'unknown' },
    });
    await vi.waitFor(async () => expect((await running()).calls).toEqual([]), patience);
    expect(await own.calls.cancel(call?.id ?? '')).toBe(false);
    expect(runsOf('c1')).toBe(3);
    await worker.kill();
  });
});
