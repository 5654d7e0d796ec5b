import { appendFileSync } from 'node:fs';
import { fromJsonSchema } from '@toolpact/openapi';
import { createToolbox, defineTool } from 'toolpact';
import type { Ledger, Store } from 'toolpact/extend';
import { openStore, type StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { warmUp } from '../../packages/toolpact/test/stores/warm-up.ts';

/** The steps of an order, and what each does to the outside world. */
export const orderSteps = [
  ['price', 'none'],
  ['reserve', 'idempotent'],
  ['charge', 'writes'],
  ['ship', 'writes'],
  ['mail', 'idempotent'],
] as const;

/** Where a process can be when it dies: before a step, in it before and after it wrote to the ledger, and behind it. */
export const moments = ['before', 'begun', 'written', 'behind'] as const;

/** Where it can be when the tool has returned: before its end is stored, and between that and the answer to its caller. */
export const endings = ['order ended', 'order stored'] as const;

export interface StepSettings {
  readonly store: StoreAddress;
  readonly ledger: string;
  readonly leaseMs: number;
}

/** Creates a toolbox whose orders write to a ledger outside of every store. `reached` is asked at each moment of each step. */
export function createOrders({ store: address, ledger, leaseMs }: StepSettings, reached: (id: string, place: string) => Promise<void>) {
  const store = atItsEnd(openStore(address), reached);
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    input: fromJsonSchema<{ id: string }>({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }),
    steps: true,
    timeoutMs: 120_000,
    async run({ id }, ctx) {
      const results: string[] = [];
      for (const [step, effects] of orderSteps) {
        await reached(id, `${step} before`);
        const given = await ctx.step(
          step,
          async () => {
            await reached(id, `${step} begun`);
            appendFileSync(ledger, `${id} ${step}\n`);
            await reached(id, `${step} written`);
            return `${step} of ${id}`;
          },
          { effects },
        );
        results.push(given);
        await reached(id, `${step} behind`);
      }
      return results;
    },
  });
  return { store, toolbox: createToolbox([order], { store, calls: { leaseMs }, report: () => undefined }) };
}

/** Asks `reached` before the end of a call is stored, and before its caller is told. */
function atItsEnd(store: Store, reached: (id: string, place: string) => Promise<void>): Store {
  const calls = store.calls as Ledger;
  return {
    ...store,
    calls: {
      ...calls,
      async end(run, end) {
        await reached(run.id, endings[0]);
        const written = await calls.end(run, end);
        await reached(run.id, endings[1]);
        return written;
      },
    },
  };
}

/** As a program: makes one order for each place, and stands still there until it is killed. */
if (process.argv[2]?.startsWith('{')) {
  const { places, run, ...settings } = JSON.parse(process.argv[2]) as StepSettings & {
    readonly places: readonly string[];
    readonly run: string;
  };
  let standing = 0;
  const { toolbox, store } = createOrders(settings, async (id, place) => {
    if (places[Number(id.split('-').at(-1))] !== place) return;
    standing += 1;
    if (standing === places.length) process.stdout.write('standing\n');
    await new Promise(() => undefined);
  });
  await warmUp(store);
  /** A store that is slow once refuses an order before it runs; it is made again, as any caller would. */
  const order = async (id: string): Promise<void> => {
    const outcome = await toolbox.call('order', { id }, { invocationId: id });
    if (outcome.status === 'error' && outcome.error.kind === 'not_ready' && outcome.error.effect === 'none') await order(id);
  };
  for (const [index] of places.entries()) void order(`${run}-${index}`);
}
