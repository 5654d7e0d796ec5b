import type { CallContext } from '../../contract/index.ts';
import type { Store, WorkerCall } from '../../ports/index.ts';

/** How a worker behaves. */
export interface WorkerOptions {
  /** @default the store of the toolbox's journal */
  readonly store?: Store;
  /** Supplies what the application gives to a call and no store keeps: `auth` and `app`. @default nothing */
  readonly context?: (call: WorkerCall) => CallContext | Promise<CallContext>;
  /** How often the store is looked through. @default 1_000 */
  readonly everyMs?: number;
  /** How many calls it runs at once. @default 8 */
  readonly concurrency?: number;
}

/** A worker that runs. */
export interface Worker {
  /** Looks through the store now; resolves once each call that it took has ended, or waits again. Gives how many there were. */
  readonly look: () => Promise<number>;
  /** Takes no more calls, and waits for those that it runs. */
  readonly stop: () => Promise<void>;
}
