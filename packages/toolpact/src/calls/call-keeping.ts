import { waitForResult } from '../contract/index.ts';
import {
  type CallSupply,
  type Guard,
  type GuardedTool,
  type GuardedToolbox,
  type ListedCall,
  type Notifier,
  type Store,
  untilWritten,
} from '../ports/index.ts';
import { systemClock } from '../time/index.ts';
import { type ApprovalMethods, createApprovalMethods } from './approvals/approval-methods.ts';
import { type ApprovalsOptions, type CallsOptions, createCallRegistry } from './call-registry.ts';
import { type ContextSupply, createGoOn } from './go-on/go-on.ts';
import { toCallQuery } from './read/call-filter.ts';
import { type CallMethods, createCallMethods, type InnerCallMethods } from './read/call-methods.ts';
import { resultWaiter } from './read/result-reader.ts';
import { createRememberingGuards } from './run/remember.ts';
import { askStore, demandOf } from './store/ask-store.ts';
import { assertStore } from './store/assert-options.ts';
import { ledgerOf } from './store/ledger-of.ts';
import { workersName } from './store/workers-name.ts';

/** Methods that a store adds to a toolbox. */
export interface StoreMethods {
  /** Reads, answers and stops remembered calls. */
  readonly calls: CallMethods;
  /** Finds and answers the questions whether calls may run. */
  readonly approvals: ApprovalMethods;
}

/** The part of a toolbox that remembers its calls. */
export interface CallKeeping {
  readonly guards: readonly Guard[];
  /** The tool with which models wait for results, where a tool can be pending. */
  readonly toolsFor: (given: readonly GuardedTool[]) => readonly unknown[];
  readonly methods: (toolbox: GuardedToolbox) => StoreMethods & { readonly inner: InnerCallMethods };
  readonly supply: Omit<CallSupply, 'keep' | 'tenant'>;
  /** Returns the newest call of each tool that has one, for one tenant; none where the store does not answer. */
  readonly lastCalls: (tenant: string, tools: readonly string[]) => Promise<readonly ListedCall[]>;
  /** Waits until no call goes on in this process after it was answered, and all is sent and written that nobody waited for. */
  readonly idle: () => Promise<void>;
}

const demand = demandOf('The calls');
/** How long a call whose time has come is left to the process that began it. */
const graceMs = 1_000;
/** For so long after a worker asked for calls others trust that one looks after them. */
const workersMs = 60_000;

/** Creates what makes a toolbox remember its calls in a store. `isOnEngine` says that an engine runs them, `notifiers` who is told of questions. */
export function createCallKeeping(
  store: Store,
  calls: CallsOptions | undefined,
  approvals: ApprovalsOptions | undefined,
  isOnEngine: boolean,
  notifiers: readonly Notifier[] = [],
): CallKeeping {
  assertStore('createToolbox', { store });
  const outbox = notifiers[0]?.createOutbox({
    ledger: ledgerOf(store),
    notifiers,
    redact: (text) => base?.redact(text) ?? text,
    emit: (event) => base?.emit(event),
  });
  const registry = createCallRegistry(store, calls, approvals, isOnEngine, outbox?.watch);
  const { ledger, life, deferred } = registry;
  let base: GuardedToolbox | undefined;
  const goOn = createGoOn(registry, () => base as GuardedToolbox);
  const guards = createRememberingGuards(registry, goOn);
  life.releaseBy(goOn.release);
  const callMethods = createCallMethods(registry, goOn);
  const approvalMethods = createApprovalMethods(registry);
  let workersSignedAt = Number.NEGATIVE_INFINITY;

  const supply: Omit<CallSupply, 'keep' | 'tenant'> = {
    store,
    async takeDue(limit, tools) {
      const signing = await life.sign();
      if (signing?.ok === false) throw new Error(`The calls cannot be read: ${signing.why}.`, { cause: signing.cause });
      return demand(() => ledger.takeDue({ process: life.name, tools, limit, graceMs }));
    },
    goOn: (taken, context) => goOn.run(taken, context as ContextSupply),
    sendNotices: async () => outbox?.look(),
    async signWorkers() {
      if (systemClock.monotonic() - workersSignedAt < workersMs / 3) return;
      const answer = await askStore(() => ledger.heartbeat({ process: workersName, leaseMs: workersMs, ranMs: 0 }));
      if (answer.ok) workersSignedAt = systemClock.monotonic();
    },
  };

  return {
    guards,
    toolsFor: (given) =>
      given.some(
        ({ deferAfterMs, approval, name }) => name !== waitForResult.name && (deferAfterMs !== undefined || (approval ?? false) !== false),
      )
        ? [resultWaiter(store)]
        : [],
    methods(toolbox) {
      // The toolbox as it was created comes first: calls that go on bring their own tenant along.
      base ??= toolbox;
      const { keep, tenant, ...ofCalls } = callMethods(toolbox);
      return { calls: ofCalls, approvals: approvalMethods(toolbox), inner: { keep, tenant } };
    },
    supply,
    async lastCalls(tenant, tools) {
      await untilWritten(store);
      const answers = await Promise.all(
        tools.map(async (tool) => askStore(() => ledger.list(toCallQuery({ tool, status: ['ok', 'partial', 'error'], limit: 1 }, tenant)))),
      );
      return answers.flatMap((answer) => (answer.ok ? answer.value.rows.map(({ listed }) => listed) : []));
    },
    async idle() {
      while (deferred.size > 0) await Promise.all(deferred);
      await outbox?.idle();
      await untilWritten(registry.store);
    },
  };
}
