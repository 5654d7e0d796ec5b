// Lives once: makes its calls, resumes earlier runs, and tells each outcome once it has it: live-once.ts <lifetime as JSON>
import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
import { openStore } from '../../packages/toolpact/test/stores/open-store.ts';
import { warmUp } from '../../packages/toolpact/test/stores/warm-up.ts';
import { type Lifetime, type Phase, type PlannedCall, type Told, toEnding } from './lifetime.ts';
import { withHooks } from './with-hooks.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as Lifetime;
const leaseMs = 50;
let visits = 0;

/** Kills this process if this is where it has to die. */
function reach(at: Phase): void {
  if (plan.dies?.at !== at) return;
  visits += 1;
  if (visits !== plan.dies.nth) return;
  tell({ type: 'dies', at });
  process.kill(process.pid, 'SIGKILL');
}

function tell(told: Told): void {
  const line = `${JSON.stringify(told)}\n`;
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      // The pipe is full; the reader is slower than we are.
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
    }
  }
}

/** Takes effect: appends a line that stays whatever happens to this process. */
async function execute(tool: string, id: string): Promise<{ receipt: string }> {
  await delay(Math.random() * 4);
  reach('before the effect');
  const receipt = `${tool}-${crypto.randomUUID()}`;
  appendFileSync(plan.ledger, `${tool} ${id} ${receipt} ${plan.runId}\n`);
  reach('after the effect');
  await delay(Math.random() * 4);
  return { receipt };
}

/** Looks into the ledger, as a bank would be asked. */
function lookUp(tool: string, id: string): { effect: 'applied'; data: { receipt: string } } | { effect: 'none' } {
  reach('while asking what became of it');
  const line = readFileSync(plan.ledger, 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${tool} ${id} `));
  return line === undefined ? { effect: 'none' } : { effect: 'applied', data: { receipt: line.split(' ')[2] ?? '' } };
}

const common = { description: 'Acts.', input: z.object({ id: z.string() }) };
const ownKey = { idempotency: { key: ({ id }: { id: string }) => id } };
const tools = [
  defineTool({ ...common, ...ownKey, name: 'pay', run: ({ id }) => execute('pay', id) }),
  defineTool({
    ...common,
    ...ownKey,
    name: 'transfer',
    reconcile: ({ id }) => lookUp('transfer', id),
    run: ({ id }) => execute('transfer', id),
  }),
  defineTool({ ...common, name: 'post', run: ({ id }) => execute('post', id) }),
  defineTool({
    ...common,
    name: 'post_checked',
    reconcile: ({ id }) => lookUp('post_checked', id),
    run: ({ id }) => execute('post_checked', id),
  }),
  defineTool({ ...common, name: 'upload', effects: 'idempotent', run: ({ id }) => execute('upload', id) }),
  defineTool({ ...common, name: 'look_up', effects: 'none', run: ({ id }) => delay(2, { found: id }) }),
] as const;

const { lateMs, late, forgets } = plan;
const store = withHooks(openStore(plan.store), { reach, tell, lateMs, late, forgets });
const toolbox = createToolbox(tools, {
  store,
  calls: { leaseMs },
  report: () => undefined,
});

async function call({ tool, id }: PlannedCall): Promise<void> {
  // A key of the caller's own for the one tool that makes none.
  const key = tool === 'upload' ? { idempotencyKey: id } : {};
  const outcome = await toolbox.call(tool, { id }, { runId: plan.runId, callId: id, ...key });
  tell({ type: 'answer', tool, id, ...toEnding(outcome) });
  reach('after the answer');
}

async function resume(runId: string): Promise<void> {
  for (;;) {
    // Rejects where the store does not answer in time: then it is asked again.
    const calls = await toolbox.calls.resume(runId).catch(() => undefined);
    if (calls === undefined || calls.some(({ how }) => how === 'running')) {
      await delay(10);
      continue;
    }
    tell({
      type: 'resumed',
      runId,
      calls: calls.map(({ tool, callId = '', how, outcome }) => ({ tool, id: callId, how, ...toEnding(outcome) })),
    });
    return;
  }
}

// First connections take long and are not part of the calls.
await warmUp(store);
tell({ type: 'ready' });
await Promise.all([...plan.resumes.map(resume), ...plan.calls.map(call)]);
await store.close();
tell({ type: 'ends' });
