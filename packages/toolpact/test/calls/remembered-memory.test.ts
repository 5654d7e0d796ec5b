import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox, defineTool } from '../../src/index.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const input = z.object({ text: z.string() });
const report = () => undefined;

const asks = defineTool({
  name: 'asks',
  description: 'Asks a person.',
  input,
  steps: true,
  run: async (_, { waitFor }) => (await waitFor('name', z.object({ name: z.string() }))).name,
});
const naps = defineTool({
  name: 'naps',
  description: 'Sleeps for long.',
  input,
  steps: true,
  run: async (_, ctx) => {
    await ctx.sleep(3_600_000);
    return 1;
  },
});
const keyed = defineTool({
  name: 'keyed',
  description: 'Pays.',
  input,
  idempotency: { key: ({ text }) => text.slice(0, 9) },
  run: () => 1,
});
const approved = defineTool({ name: 'approved', description: 'Asks before it runs.', input, approval: true, run: () => 1 });

test.each([
  ['waits for an answer', asks, 'pending'],
  ['sleeps', naps, 'pending'],
  ['waits for its approval', approved, 'pending'],
  ['has a key and has ended', keyed, 'ok'],
] as const)('a process holds nothing of the arguments of a call that %s', async (_, tool, status) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const folder = await mkdtemp(join(tmpdir(), 'toolpact-memory-'));
  const store = sqliteStore({ path: join(folder, 'calls.db') });
  const toolbox = createToolbox([tool], { store, report });
  const make = async (id: number) => {
    const outcome = await toolbox.answer({ name: tool.name, args: { text: `${id}`.padEnd(400_000, 'x') } }, { runId: `run_${id}` });
    expect(outcome.status).toBe(status);
  };
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  for (let id = 0; id < 5; id += 1) await make(id);
  const before = heap();
  for (let id = 5; id < 55; id += 1) await make(id);
  // Twenty megabytes of arguments.
  expect(heap() - before).toBeLessThan(5);
  await store.close();
  await rm(folder, { recursive: true });
});
