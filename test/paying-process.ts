import { z } from 'zod';
import type { Store } from '../src/extend.ts';
import { createToolbox, defineTool, type Outcome } from '../src/index.ts';
import { idempotency } from '../src/parts/guards/index.ts';

/** What a process that pays does. */
interface Paying {
  readonly name: string;
  readonly ledger: string[];
  /** What happens in the tool before its step, and after the step took effect. */
  readonly before?: () => unknown;
  readonly after?: () => unknown;
  readonly store: Store;
  readonly reconcile?: boolean;
  /** @default 120 */
  readonly leaseMs?: number;
}

/** A process whose tool writes one line in the ledger, in a step. */
export function startPaying({ name, ledger, before, after, store, reconcile = true, leaseMs = 120 }: Paying) {
  const signals: AbortSignal[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ order: z.string() }),
    idempotency: { key: ({ order }) => order },
    steps: true,
    ...(reconcile && {
      reconcile: () => (ledger.length === 0 ? { effect: 'none' as const } : { effect: 'applied' as const, data: 'paid' }),
    }),
    async run(_, { step, signal }) {
      signals.push(signal);
      await before?.();
      await step('pay', () => void ledger.push(name));
      await after?.();
      return 'paid';
    },
  });
  const box = createToolbox([pay], { use: [idempotency({ store, leaseMs })], report: () => undefined });
  return { signals, pay: () => box.call('pay', { order: 'o1' }, { timeoutMs: 20_000 }) };
}

/** Gives kind and effect of a failure, or how a call ended otherwise. */
export const shown = (outcome: Outcome) => (outcome.status === 'error' ? [outcome.error.kind, outcome.error.effect] : outcome.status);
