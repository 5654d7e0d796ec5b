import { noTenant } from '../../core/contract/index.ts';
import type { Store } from '../../core/runtime/index.ts';
import { askStore } from './ask-store.ts';

/** Tells others whether a process is alive. */
export interface OwnerLease {
  readonly owner: string;
  /** Says that a call of this process begins; its end must be told with what this gives. */
  readonly begin: () => Promise<() => void>;
  /** Tells whether the process behind a name is alive; when the store does not say, it is taken to be. */
  readonly isAlive: (owner: string) => Promise<boolean>;
}

/** Keeps a sign of life in the store while calls are in flight, one for the whole process. */
export function createOwnerLease(store: Store, leaseMs: number, now: () => number): OwnerLease {
  const owner = crypto.randomUUID();
  const at = (key: string) => ({ space: 'owner', tenant: noTenant, key });
  const sign = () => askStore(() => store.put({ ...at(owner), value: { v: 1 }, expiresAt: now() + leaseMs }));
  let inFlight = 0;
  let signedAt = Number.NEGATIVE_INFINITY;
  let signing: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setInterval> | undefined;

  function renew(): void {
    signedAt = now();
    signing = sign();
  }
  return {
    owner,
    async begin() {
      inFlight += 1;
      if (timer === undefined) {
        timer = setInterval(renew, Math.max(1, leaseMs / 3));
        (timer as { unref?: () => void }).unref?.();
      }
      if (now() - signedAt >= leaseMs / 3) renew();
      await signing;
      return () => {
        inFlight -= 1;
        if (inFlight > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    async isAlive(other) {
      if (other === owner) return true;
      const answer = await askStore(() => store.get(at(other)));
      return !answer.ok || answer.value !== undefined;
    },
  };
}
