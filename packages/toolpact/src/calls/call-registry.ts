import type { CallContext } from '../contract/index.ts';
import { assertPositive, type Outcome, refuseOptions } from '../outcome/index.ts';
import type { Ledger, Store, TakenCall } from '../ports/index.ts';
import { type BoundedMap, createBoundedMap, systemClock } from '../time/index.ts';
import { createHeldContexts, type HeldContexts } from './go-on/held-contexts.ts';
import { type CallTraces, createCallTraces } from './run/call-trace.ts';
import { toStorableMs } from './store/assert-options.ts';
import { type CallChanges, changesOf } from './store/changes.ts';
import { ledgerOf } from './store/ledger-of.ts';
import { type ProcessLife, processLifeIn } from './store/process-life.ts';
import { createTenantShare, type TenantShare } from './store/tenant-share.ts';

/** How calls are remembered. */
export interface CallsOptions {
  /** How long calls are remembered. @default 604_800_000 */
  readonly keepMs?: number;
  /** How long a process that gives no sign of life is taken to be alive; then its calls are taken over. @default 10_000 */
  readonly leaseMs?: number;
  /** For how long a tool that goes on after its deadline may still bring its result. @default 600_000 */
  readonly lateMs?: number;
  /** Whether all calls are listed, with their arguments; otherwise only those are stored to which something was promised. @default true */
  readonly list?: boolean;
  /** Arguments of more characters than this are listed cut. @default 64_000 */
  readonly maxInputChars?: number;
  /** How many characters of calls are stored per hour for each tenant that calls name, by all processes of the store. @default 100_000_000 */
  readonly maxCharsPerHour?: number;
  /** How many calls of one tenant may wait at a time. @default 1_000 */
  readonly maxWaiting?: number;
}

/** How people are asked whether calls may run. */
export interface ApprovalsOptions {
  /** How long an approval can be given, and used once given. @default 3_600_000 */
  readonly expiresMs?: number;
  /** Whose approval a call can use: all others ask for their own. @default the context's user, and its session, conversation or run */
  readonly scope?: (context: CallContext) => string;
  /** How many characters of the arguments are stored and shown; more is cut, marked and counted. @default 16_000 */
  readonly maxShownCharacters?: number;
  /** Ends the sentence "Only the user may approve it, …", which the model reads of a waiting call. @default nothing is said */
  readonly howToApprove?: (waiting: { readonly handle: string; readonly tenantId: string }) => string | undefined;
}

/** A call that this process makes again: one that it took, or the rerun of one that failed. */
export interface MadeAgain {
  readonly taken?: TakenCall;
  readonly rerun?: Rerun;
  /** Hears that the call was settled without running again: its tool knew what became of it, or nobody does. */
  readonly onSettled?: (how: 'reconciled' | 'interrupted') => void;
  /** Hears what became of the call's own record, where it did not get as far as to write that itself. */
  readonly conclude?: (outcome: Outcome) => Promise<Outcome>;
}

/** A new run of a failed call. */
export interface Rerun {
  /** The call that failed, as it was seen. */
  readonly instead: { readonly id: string; readonly epoch: number };
  /** The call that a person runs again; absent where an equal call comes again by itself. */
  readonly rerunOf?: string;
  readonly origin: string;
  /** The name of the first step that is done again; absent where all that has ended stays. */
  readonly from?: string;
  /** Whether the tool is asked first what became of the call that failed. */
  readonly reconciles?: boolean;
}

/** State that all remembered calls of one toolbox share in this process. */
export interface CallRegistry {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly life: ProcessLife;
  readonly changes: CallChanges;
  readonly leaseMs: number;
  readonly keepMs: number;
  readonly lateMs: number;
  readonly isListed: boolean;
  /** Whether an engine runs the calls. */
  readonly isOnEngine: boolean;
  readonly maxInputChars: number;
  readonly mostWaiting: number;
  readonly approvals: Required<Omit<ApprovalsOptions, 'scope' | 'howToApprove'>> & Pick<ApprovalsOptions, 'scope' | 'howToApprove'>;
  readonly share: TenantShare;
  readonly traces: CallTraces;
  /** Calls that are made again just now, by invocation id: each is there only until its first guard has taken it. */
  readonly again: Map<string, MadeAgain>;
  readonly held: HeldContexts;
  /** Looks for calls of a tenant that make room for others, by tenant. */
  readonly roomLooks: BoundedMap<Promise<boolean>>;
  /** Calls that go on although their callers were answered. */
  readonly deferred: Set<Promise<unknown>>;
}

/** Creates what the remembered calls of a toolbox share. */
export function createCallRegistry(
  store: Store,
  calls: CallsOptions = {},
  approvals: ApprovalsOptions = {},
  isOnEngine = false,
  watch: (ledger: Ledger) => Ledger = (ledger) => ledger,
): CallRegistry {
  refuseOptions<CallsOptions>('calls', calls, {
    keepMs: true,
    leaseMs: true,
    lateMs: true,
    list: 'a boolean',
    maxInputChars: true,
    maxCharsPerHour: true,
    maxWaiting: true,
  });
  refuseOptions<ApprovalsOptions>('approvals', approvals, { expiresMs: true, scope: true, maxShownCharacters: true, howToApprove: true });
  const {
    leaseMs = 10_000,
    lateMs = 600_000,
    list = true,
    maxInputChars = 64_000,
    maxCharsPerHour = 100_000_000,
    maxWaiting = 1_000,
  } = calls;
  const { maxShownCharacters = 16_000, scope, howToApprove } = approvals;
  const keepMs = toStorableMs(calls.keepMs ?? 604_800_000);
  const expiresMs = toStorableMs(approvals.expiresMs ?? 3_600_000);
  assertPositive('calls', { keepMs, leaseMs, lateMs, maxInputChars, maxCharsPerHour, maxWaiting });
  assertPositive('approvals', { expiresMs, maxShownCharacters });
  return {
    store,
    ledger: watch(ledgerOf(store)),
    life: processLifeIn(store, leaseMs),
    changes: changesOf(store),
    leaseMs,
    lateMs,
    keepMs,
    isListed: list,
    isOnEngine,
    maxInputChars,
    mostWaiting: maxWaiting,
    approvals: { expiresMs, maxShownCharacters, ...(scope && { scope }), ...(howToApprove && { howToApprove }) },
    share: createTenantShare(store, maxCharsPerHour),
    traces: createCallTraces(),
    again: new Map(),
    held: createHeldContexts(),
    roomLooks: createBoundedMap({ maxEntries: 1000, now: systemClock.monotonic }),
    deferred: new Set(),
  };
}
