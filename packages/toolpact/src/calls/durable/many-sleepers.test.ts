import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import type { StepRunContext } from '../../contract/index.ts';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';
import { journal } from '../journal/journal.ts';
import { createWorker } from './create-worker.ts';

/** The journals of this file read it; the calls sleep by it. */
let time = Date.now();

const file = join(tmpdir(), `toolpact-sleepers-${process.pid}.db`);
afterAll(() => {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
});

type Run = (ctx: StepRunContext, n: number) => unknown;

function processOn(store: Store, run: Run) {
  const own = mortalStore(store);
  const nap = defineTool({
    name: 'nap',
    description: 'Naps.',
    input: z.object({ n: z.number() }),
    steps: true,
    run: ({ n }, ctx) => run(ctx, n) as Promise<string>,
  });
  return { store: own, toolbox: createToolbox([nap], { use: [journal({ store: own, now: () => time })], report: () => undefined }) };
}

test('1,000 calls that sleep on SQLite wake up once each, with two workers', async () => {
  const woken = new Map<number, number>();
  const run: Run = async (ctx, n) => {
    await ctx.sleep(3_600_000);
    return ctx.step('wake', () => woken.set(n, (woken.get(n) ?? 0) + 1).size);
  };
  const store = sqliteStore({ path: file });
  const [began, one, other] = [processOn(store, run), processOn(store, run), processOn(store, run)];
  const handles: string[] = [];
  for (let n = 0; n < 1000; n += 50) {
    const asked = await Promise.all(Array.from({ length: 50 }, (_, at) => began.toolbox.call('nap', { n: n + at })));
    handles.push(...asked.map((outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable())));
  }
  time += 3_602_000;
  const workers = [one, other].map(({ toolbox }) => createWorker(toolbox, { concurrency: 32 }));
  await Promise.all(workers.map((worker) => worker.look()));
  await Promise.all(workers.map((worker) => worker.stop()));
  const ended = await Promise.all(handles.map((handle) => other.toolbox.findPending(handle)));
  expect(ended.filter((call) => call?.outcome?.status !== 'ok')).toEqual([]);
  expect([woken.size, Math.max(...woken.values())]).toEqual([1000, 1]);
  expect(await store.list({ space: 'open-call', tenant: '00000000-0000-0000-0000-000000000000' })).toEqual([]);
});

test.each<[string, () => Store]>([
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore({ path: file })],
])('steps with strange names are told apart and remembered on %s', async (_, open) => {
  const names = ['__proto__', 'constructor', '1:a', 'a', 'a/b', 'x'.repeat(5000), '⛵'];
  const done: string[] = [];
  let isBroken = true;
  const { toolbox } = processOn(open(), async ({ step }) => {
    const results: string[] = [];
    for (const name of names) {
      results.push(
        await step(name, () => {
          done.push(name);
          return `r${names.indexOf(name)}`;
        }),
      );
    }
    if (isBroken) throw new Error('Broken.');
    return results.join();
  });
  const failed = await toolbox.call('nap', { n: 1 });
  isBroken = false;
  expect(await toolbox.rerun(failed.meta.invocationId ?? '')).toMatchObject({
    status: 'ok',
    data: names.map((_name, index) => `r${index}`).join(),
  });
  expect(done).toEqual(names);
});

test.each(['~sleep', '~wait:colour', 'nul\0', 'line\nbreak', 'half \ud83d'])('a step cannot be named %j', async (name) => {
  const { toolbox } = processOn(memoryStore(), ({ step }) => step(name, () => 1));
  expect(await toolbox.call('nap', { n: 1 })).toMatchObject({ status: 'error', error: { effect: 'none', retryable: false } });
});

test('a tool that reports what no store keeps does not use up the share of its tenant', async () => {
  const { toolbox } = processOn(memoryStore(), (ctx) => {
    (ctx as { readonly progress?: (text: string) => void }).progress?.('nul\0');
    return 'fine';
  });
  await toolbox.call('nap', { n: 1 });
  expect((await toolbox.call('nap', { n: 2 })).meta.warnings).toBeUndefined();
});

test('an answer from another process that breaks a rule which JSON Schema does not know is said in the question, and the call keeps waiting', async () => {
  const store = memoryStore();
  const colour = z.string().refine((name) => name !== 'green', 'not green');
  const run: Run = async ({ waitFor }) => (await waitFor('colour', z.object({ colour }))).colour;
  const dying = processOn(store, run);
  const asked: Outcome = await dying.toolbox.call('nap', { n: 1 });
  const handle = asked.status === 'pending' ? asked.pending.handle : expect.unreachable();
  dying.store.stop();
  const { toolbox } = processOn(store, run);
  const worker = createWorker(toolbox);
  expect(await toolbox.settle(handle, { colour: 'green' })).toMatchObject({ status: 'pending' });
  await worker.look();
  expect(await toolbox.wait(handle, { timeoutMs: 0 })).toMatchObject({
    status: 'pending',
    pending: { reason: 'input', ask: { message: expect.stringMatching(/^colour \(.+\)$/) } },
  });
  await toolbox.settle(handle, { colour: 'red' });
  await worker.look();
  expect(await toolbox.wait(handle, { timeoutMs: 10_000 })).toMatchObject({ status: 'ok', data: 'red' });
  await worker.stop();
});
