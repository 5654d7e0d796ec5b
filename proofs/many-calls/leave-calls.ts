import { createToolbox, createWorker, defineTool } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { sleep } from 'toolpact/internal';
import { z } from 'zod';
import { mortalStore } from '../fixtures/mortal-store.ts';
import { countLedger } from './counted-ledger.ts';

const leaseMs = 2_000;
/** So many calls begin at once: a store may take two seconds for each. */
const atOnce = 250;
/** For so long a worker may take for what was left. */
const longestMs = 600_000;
const input = z.object({ id: z.string() });
const calls = { leaseMs };

/** The world outside: how often each order was charged. */
type Charges = Map<string, number>;

/** An order of two steps. @param before is awaited before the first of them */
function orderTool(charges: Charges, before: () => Promise<void> | undefined) {
  return defineTool({
    name: 'order',
    description: 'Charges and ships an order.',
    input,
    steps: true,
    timeoutMs: 3_600_000,
    async run({ id }, ctx) {
      await before();
      await ctx.step('charge', () => charges.set(id, (charges.get(id) ?? 0) + 1).size, { effects: 'writes' });
      return ctx.step('ship', () => 'shipped', { effects: 'none' });
    },
  });
}

const pay = defineTool({ name: 'pay', description: 'Pays.', input, idempotency: { key: ({ id }) => id }, run: () => 'paid' });
const nap = defineTool({
  name: 'nap',
  description: 'Sleeps for a moment.',
  input,
  steps: true,
  async run(_, ctx) {
    await ctx.sleep(50);
    return 'awake';
  },
});

/** Begins so many calls in a process that then dies, and waits until the store takes it for dead. */
export async function leaveCalls(
  store: Store,
  { count, runId = 'left' }: { readonly count: number; readonly runId?: string },
): Promise<void> {
  const own = mortalStore(store);
  let running = 0;
  const { promise: never } = Promise.withResolvers<void>();
  const order = orderTool(new Map(), () => {
    running += 1;
    return never;
  });
  const toolbox = createToolbox([order], { store: own, calls, report: () => undefined });
  /** A store that is slow at that moment refuses a call, which is made again. */
  const begin = async (id: string): Promise<void> => {
    const outcome = await toolbox.call('order', { id }, { runId });
    if (outcome.status === 'error' && outcome.error.kind === 'not_ready') await begin(id);
  };
  for (let first = 0; first < count; first += atOnce) {
    const until = Math.min(first + atOnce, count);
    for (let id = first; id < until; id += 1) void begin(`${runId} ${id}`);
    while (running < until) await sleep(10);
  }
  own.stop();
  await sleep(leaseMs * 1.1);
}

/** The work of a worker on the calls of a dead process, and the times of new calls meanwhile. */
export interface TakeOverReport {
  readonly takenOver: number;
  readonly twice: number;
  readonly seconds: number;
  /** How often the store was asked for calls that are due. */
  readonly looks: number;
  readonly newCalls: number;
  readonly refused: number;
  /** Times of a new call with a key, and of a new call that sleeps for 50 ms, in milliseconds. */
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly slowestNapMs: number;
}

/** Lets a worker take over the calls of a dead process, while new calls are made in its process. */
export async function takeOver(store: Store, count: number): Promise<TakeOverReport> {
  const charges: Charges = new Map();
  const counted = countLedger(store);
  const toolbox = createToolbox([orderTool(charges, () => undefined), pay, nap], { store: counted.store, calls, report: () => undefined });
  const worker = createWorker(toolbox, { everyMs: 100 });
  const startedAt = performance.now();
  const [times, napTimes]: [number[], number[]] = [[], []];
  let refused = 0;
  for (let made = 0; charges.size < count && performance.now() - startedAt < longestMs; made += 1) {
    const beganAt = performance.now();
    const [paid, napped] = await Promise.all([
      toolbox.call('pay', { id: `new ${made}` }).then((outcome) => {
        times.push(performance.now() - beganAt);
        return outcome;
      }),
      toolbox.call('nap', { id: `new ${made}` }),
    ]);
    const woken = napped.status === 'pending' ? await toolbox.calls.wait(napped.pending.handle, { timeoutMs: 30_000 }) : napped;
    napTimes.push(performance.now() - beganAt);
    refused += [paid, woken].filter(({ status }) => status !== 'ok').length;
  }
  await worker.look();
  const seconds = (performance.now() - startedAt) / 1000;
  await worker.stop();
  times.sort((one, other) => one - other);
  return {
    takenOver: charges.size,
    twice: [...charges.values()].filter((often) => often > 1).length,
    seconds,
    looks: counted.counts.get('takeDue') ?? 0,
    newCalls: times.length + napTimes.length,
    refused,
    medianMs: times[times.length >> 1] ?? Number.NaN,
    slowestMs: times.at(-1) ?? Number.NaN,
    slowestNapMs: Math.max(...napTimes),
  };
}

/** The result of resuming a run. */
export interface ResumeReport {
  readonly resumed: number;
  readonly ok: number;
  readonly twice: number;
  /** How many of its calls ran at one moment, at most. */
  readonly atOnce: number;
  readonly seconds: number;
}

/** Resumes a run whose process died, each call of which takes 10 ms and more. */
export async function resumeRun(store: Store, runId: string): Promise<ResumeReport> {
  const charges: Charges = new Map();
  let [running, most] = [0, 0];
  const order = orderTool(charges, async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(10);
    running -= 1;
  });
  const toolbox = createToolbox([order], { store, calls, report: () => undefined });
  const startedAt = performance.now();
  const resumed = await toolbox.calls.resume(runId);
  return {
    resumed: resumed.length,
    ok: resumed.filter(({ outcome }) => outcome.status === 'ok').length,
    twice: [...charges.values()].filter((often) => often > 1).length,
    atOnce: most,
    seconds: (performance.now() - startedAt) / 1000,
  };
}
