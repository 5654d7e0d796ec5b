import { toStorableMs, type WhenStoreFails, whenStoreFailsRule } from '../../calls/index.ts';
import {
  assertPositive,
  type FailureKind,
  isFailureKind,
  type Outcome,
  refuseOption,
  refuseOptions,
  ToolpactError,
  withWarning,
} from '../../outcome/index.ts';
import type { Guard, GuardedCall, LimitState, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { createBoundedMap } from '../../time/index.ts';
import { type Circuit, type CircuitChange, type CircuitRule, openCircuit, type Passage, readCircuit } from './circuit.ts';
import { createKnownLimits } from './known-limits.ts';
import { createLimitKey, type LimitBy, type LimitKey } from './limit-key.ts';
import { assertLimitStore, createProcessStore, type LimitStore } from './process-store.ts';

/** When circuits open, and for how long. */
export interface CircuitBreakerOptions extends Partial<CircuitRule> {
  /** How many failures without a success in between open the circuit. @default 5 */
  readonly failures?: number;
  /** Failures further apart than this do not add up. @default 60_000 */
  readonly windowMs?: number;
  /** How long it stays open at first; twice as long each time the probe fails. @default 60_000 */
  readonly openMs?: number;
  /** @default 600_000 */
  readonly maxOpenMs?: number;
  /** The failures that count. @default ['unreachable', 'upstream', 'timeout'] */
  readonly kinds?: readonly FailureKind[];
  /** Which calls share a circuit. @default 'tool-and-tenant' */
  readonly by?: LimitBy;
  /** Creates the circuits those of all processes that share it. @default this process alone */
  readonly store?: Store;
  /** How to treat calls while the store does not answer; not to be confused with the circuit's own state. @default 'allow' */
  readonly whenStoreFails?: WhenStoreFails;
  /** Hears of every circuit that this process opens or closes. */
  readonly onChange?: (change: CircuitChanged) => void;
  readonly now?: () => number;
}

/** Reports that a circuit was opened or closed. */
export interface CircuitChanged {
  readonly tool: string;
  readonly tenantId: string;
  readonly state: 'open' | 'closed';
  /** For how long it is open now. */
  readonly openMs?: number;
}

/**
 * Keeps calls away from what is down: after some failures without a success the circuit opens and calls are answered `unreachable` with the
 * code `circuit_open`, without running. When its time is over exactly one call, of all processes, tries whether it works again.
 * `rate_limited` does not count by default, because the other side is up and says itself when to come back.
 * No call needs this guard in order to be right: while the store fails calls run with a warning, unless `whenStoreFails` is `refuse`.
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): Guard {
  refuseOptions<CircuitBreakerOptions>('circuitBreaker', options, {
    failures: true,
    windowMs: true,
    openMs: true,
    maxOpenMs: true,
    kinds: 'an array',
    by: true,
    store: true,
    whenStoreFails: whenStoreFailsRule,
    onChange: 'a function',
    now: 'a function',
  });
  const { failures = 5, onChange, now = Date.now } = options;
  const { kinds = ['unreachable', 'upstream', 'timeout'], by = 'tool-and-tenant', whenStoreFails = 'allow' } = options;
  const windowMs = toStorableMs(options.windowMs ?? 60_000);
  const openMs = toStorableMs(options.openMs ?? 60_000);
  const maxOpenMs = toStorableMs(options.maxOpenMs ?? 600_000);
  const rule: CircuitRule = { failures, windowMs, openMs, maxOpenMs };
  assertPositive('circuitBreaker', { ...rule });
  if (maxOpenMs < openMs) refuseOption('circuitBreaker', 'maxOpenMs', 'at least openMs');
  const unknown = kinds.find((kind) => !isFailureKind(kind));
  if (unknown !== undefined)
    throw new ToolpactError('invalid_option', `circuitBreaker: kinds holds the unknown kind "${String(unknown)}"`, { option: 'kinds' });
  assertLimitStore('circuitBreaker', options.store);
  const store: LimitStore = options.store ?? createProcessStore(now);
  const keyOf = createLimitKey('circuitBreaker', by);
  const known = createKnownLimits(now);
  /** The failures this process has counted since its last success, so that a success can take them back. */
  const owed = createBoundedMap<number>({ maxEntries: 10_000, now });

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const { name } = call.tool;
    const key = keyOf(call);
    if (key === undefined)
      return call.refuse('not_configured', `The circuit breaker does not know the circuit of ${name}: its \`by\` failed, or gave no text.`);
    if (typeof by === 'function') known.note({ ...key, limit: failures, until: Number.POSITIVE_INFINITY });
    const circuit = openCircuit(call, store, key, rule, now);
    const passage = await circuit.pass();
    if (passage.is === 'open') return shut(call, passage.retryAfterMs);
    if (passage.is === 'hidden') {
      if (whenStoreFails === 'refuse')
        return call.refuse('not_ready', `${name} did not run because its circuit is not known: ${passage.why}.`);
      call.warn(`the circuit was not checked: ${passage.why}`);
      return next();
    }
    let isTold = false;
    const tell = async (outcome: Outcome): Promise<string | undefined> => {
      if (isTold) return undefined;
      isTold = true;
      return announce(call, await conclude(circuit, key, passage, verdictOf(call, outcome)));
    };
    // A tool that ignores its deadline never comes back; its failure counts all the same.
    call.onEnd((outcome) => void tell(outcome));
    const outcome = await next();
    const warning = await tell(outcome);
    return warning === undefined ? outcome : withWarning(outcome, warning);
  }

  function verdictOf({ attempts }: GuardedCall, outcome: Outcome): 'bad' | 'good' | undefined {
    // A call that did not run says nothing about the service.
    if (attempts === 0) return undefined;
    if (outcome.status !== 'error') return 'good';
    if (kinds.includes(outcome.error.kind)) return 'bad';
    return silent.includes(outcome.error.kind) ? undefined : 'good';
  }

  async function conclude(circuit: Circuit, key: LimitKey, passage: Passage, verdict: 'bad' | 'good' | undefined): Promise<CircuitChange> {
    const id = JSON.stringify([key.tenant, key.key]);
    if (passage.is === 'probe') {
      owed.delete(id);
      return circuit.endProbe(passage, verdict);
    }
    if (verdict === 'bad') {
      const { change, until } = await circuit.countFailure();
      owed.set(id, (owed.get(id) ?? 0) + 1, until);
      return change;
    }
    const count = owed.get(id) ?? 0;
    if (verdict === 'good' && count > 0) {
      owed.delete(id);
      await circuit.takeBack(count);
    }
    return undefined;
  }

  /** Reports a change, and gives the warning for the outcome. */
  function announce({ tool, tenantId }: GuardedCall, change: CircuitChange): string | undefined {
    if (change === undefined) return undefined;
    if (change.to === 'hidden') return `the circuit could not be updated: ${change.why}`;
    const { to: state } = change;
    try {
      onChange?.({ tool: tool.name, tenantId, state, ...(change.to === 'open' && { openMs: change.openMs }) });
    } catch {
      // A listener that throws does not break a call.
    }
    return change.to === 'open'
      ? `the circuit of ${tool.name} is open for ${change.openMs} ms`
      : `the circuit of ${tool.name} is closed again`;
  }

  /** The circuits of tools and tenants have known names; those that a function names are known once a call came to them. */
  function circuitsOf(tenantId: string, tools: readonly string[]): readonly (LimitKey & { readonly tool?: string })[] {
    if (typeof by === 'function') return known.of(tenantId);
    const named = tools.flatMap((tool) => {
      const key = keyOf({ tool: { name: tool }, tenantId } as GuardedCall);
      return key === undefined ? [] : [{ ...key, tool }];
    });
    return by === 'tenant' ? named.slice(0, 1).map(({ tenant, key }) => ({ tenant, key })) : named;
  }

  async function limits({ tenantId, tools }: { readonly tenantId: string; readonly tools: readonly string[] }): Promise<LimitState[]> {
    const states = circuitsOf(tenantId, tools).map(async ({ tenant, key, tool }): Promise<LimitState> => {
      const used = owed.get(JSON.stringify([tenant, key])) ?? 0;
      const open = await readCircuit(store, { tenant, key }, now);
      return { key, used, limit: failures, state: 'closed', ...open, ...(tool !== undefined && { tool }) };
    });
    return Promise.all(states);
  }

  return defineGuard({ name: 'circuit-breaker', phase: 'limit', around, limits });
}

/** Failures that do not show whether the other side is there. Any other answer does, be it "not found". */
const silent: readonly FailureKind[] = ['cancelled', 'interrupted', 'timeout', 'unreachable', 'upstream', 'failed', 'internal'];

function shut(call: GuardedCall, retryAfterMs: number): Outcome {
  return call.refuse('unreachable', `${call.tool.name} has failed too often recently, so this call did not run.`, {
    code: 'circuit_open',
    retryAfterMs,
    effect: 'none',
  });
}
