import { isOutcome, type Outcome, ToolFailure } from '../../outcome/index.ts';
import { type Guard, type GuardedCall, type GuardedTool, guardPhases } from '../../ports/index.ts';
import { armDeadline, disarmDeadline } from '../../time/index.ts';
import type { Call } from '../call.ts';
import { reconcile } from '../conclude.ts';
import { toDurableRun } from '../durable-run.ts';
import { toLocalRun } from '../local-run.ts';
import { effectOf } from '../outcomes/effect-of.ts';
import { failedOutcome, retryOf, skippedOutcome, thrownOutcome } from '../outcomes/error-outcome.ts';
import { pendingOutcome } from '../outcomes/ok-outcome.ts';
import type { ToolPlan } from '../tool-plan.ts';
import type { GuardState } from './guard-state.ts';
import { listenToCall } from './listen-to-call.ts';
import { noteDecision } from './note-decision.ts';
import { replayed } from './replayed-outcome.ts';

/** Runs a call through guards, outermost first. A guard's own fault becomes a refusal before the run and a warning after it. */
export function runGuards(call: Call, guards: readonly Guard[], run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  const state = guardedOf(call);
  const { view } = state;

  /** Goes on to a guard, or to the run behind the last one. Waits for nothing by itself: each function that waits costs a call more than most guards do. */
  function enter(index: number): Outcome | Promise<Outcome> {
    const guard = guards[index];
    // A call that has ended meanwhile must not run any more.
    if (call.outcome !== undefined) return call.outcome;
    const isGated = call.gate !== undefined && (guard === undefined ? guards !== call.settings.outer : isBehindGate(guard));
    if (isGated) return passGate(index);
    return guard === undefined ? run() : runGuard(guard, index);
  }

  async function passGate(index: number): Promise<Outcome> {
    const { gate, remainingMs } = call;
    call.gate = undefined;
    // The time of a call does not count while its siblings are judged, or run before it.
    disarmDeadline(call);
    const failedId = await gate?.();
    if (call.outcome === undefined) armDeadline(call, Math.ceil(remainingMs), performance.now());
    return failedId === undefined ? enter(index) : skippedOutcome(call, failedId);
  }

  // Not an asynchronous function either; what a guard throws is handled like what it rejects with.
  function runGuard(guard: Guard, index: number): Promise<Outcome> {
    let inner: Outcome | undefined;
    const decide = state.decisions && noteDecision(call, guard, state.decisions);
    const note = (outcome: Outcome): Outcome => {
      inner = outcome;
      return outcome;
    };
    const next = (): Promise<Outcome> => {
      decide?.('passed');
      try {
        return Promise.resolve(enter(index + 1)).then(note);
      } catch (bug) {
        return Promise.reject(bug);
      }
    };
    const judge = (outcome: unknown): Outcome => {
      if (inner !== undefined && outcome === inner) return inner;
      try {
        if (!isOutcome(outcome)) throw new TypeError(`the guard "${guard.name}" answered with something that is not an outcome`);
        decide?.(inner === undefined ? 'answered' : 'replaced');
        return outcome;
      } catch (thrown) {
        return excuse(thrown);
      }
    };
    const excuse = (thrown: unknown): Outcome => {
      decide?.('failed');
      if (inner === undefined) return thrownOutcome(call, thrown);
      const warnings = Object.freeze([...(inner.meta.warnings ?? []), `the guard "${guard.name}" failed after the call`]);
      return Object.freeze({ ...inner, meta: Object.freeze({ ...inner.meta, warnings }) });
    };
    try {
      return Promise.resolve(guard.around(view, next)).then(judge, excuse);
    } catch (thrown) {
      return Promise.resolve(excuse(thrown));
    }
  }

  return Promise.resolve(enter(0));
}

/** Most calls have no listener for most of their time. */
const none: GuardState['listeners'] = [];

const guardedTools = new WeakMap<ToolPlan, GuardedTool>();

/** Gives the part of a tool that guards may see: the same for all its calls. */
export function toGuardedTool(plan: ToolPlan): GuardedTool {
  const known = guardedTools.get(plan);
  if (known !== undefined) return known;
  const tool = Object.freeze(readTool(plan));
  guardedTools.set(plan, tool);
  return tool;
}

function readTool(plan: ToolPlan): GuardedTool {
  const { name, effects, steps, description, schemas, guardOptions } = plan;
  const { idempotency, retry, cache, deferAfterMs, approval } = guardOptions;
  return {
    name,
    effects,
    steps,
    description,
    idempotency,
    retry,
    cache,
    deferAfterMs,
    approval,
    canReconcile: guardOptions.reconcile !== undefined,
    schemas,
  };
}

/** Gates end here: what comes after may have effects of its own, so no call of a batch gets there before all have passed. */
function isBehindGate({ phase }: Guard): boolean {
  return guardPhases.indexOf(phase) > guardPhases.indexOf('approval');
}

function guardedOf(call: Call): GuardState {
  call.guarded ??= guardCall(call);
  return call.guarded;
}

function guardCall(call: Call): GuardState {
  const state: Omit<GuardState, 'view'> = {
    key: undefined,
    keepsLateResult: false,
    keepsFullResult: false,
    fullResult: undefined,
    memory: call.plan.steps ? toLocalRun(call) : undefined,
    listeners: none,
    fences: [],
    decisions: undefined,
  };

  return Object.assign(state, { view: new GuardView(call, state) });
}

/** A class, because an object with getters of its own is given a new hidden class each time, which costs more than the whole call. */
class GuardView implements GuardedCall {
  readonly #call: Call;
  readonly #state: Omit<GuardState, 'view'>;
  #notes: Map<string, unknown> | undefined;
  readonly tool: GuardedTool;
  readonly received: unknown;
  readonly context: GuardedCall['context'];
  readonly tenantId: string;
  readonly invocationId: string;

  constructor(call: Call, state: Omit<GuardState, 'view'>) {
    this.#call = call;
    this.#state = state;
    this.tool = toGuardedTool(call.plan);
    this.received = call.received;
    this.context = call.context;
    this.tenantId = call.tenantId;
    this.invocationId = call.invocationId;
  }

  // Getters that make functions, so that a guard may take them off the view, and none is made that no guard asks for.
  get provides(): GuardedCall['provides'] {
    return (promise) => this.#call.settings.provides.has(promise);
  }
  get refuse(): GuardedCall['refuse'] {
    // A guard may have seen another call with the same key: what it refuses has not run, and may have taken effect all the same.
    return (kind, message, options) =>
      thrownOutcome(this.#call, new ToolFailure(kind, message, { effect: effectOf(this.#call).effect, ...options }));
  }
  get pending(): GuardedCall['pending'] {
    return (pending, message) => pendingOutcome(this.#call, { status: 'pending', pending, ...(message !== undefined && { message }) });
  }
  get replay(): GuardedCall['replay'] {
    return (outcome, extra) => replayed(this.#call, outcome, extra);
  }
  get detach(): GuardedCall['detach'] {
    return (outcome) => {
      // Made now, because later it would follow a caller that has gone.
      void this.#call.signal;
      this.#call.detach(outcome);
    };
  }
  get abort(): GuardedCall['abort'] {
    return (reason) => this.#call.abort(reason);
  }
  get cancel(): GuardedCall['cancel'] {
    return (message) => this.#call.settle(failedOutcome(this.#call, 'cancelled', { message }));
  }
  get useKey(): GuardedCall['useKey'] {
    return (key) => {
      this.#state.key = key;
    };
  }
  get markMayHaveEffect(): GuardedCall['markMayHaveEffect'] {
    return () => {
      this.#call.handlerStarted = true;
    };
  }
  get keepLateResult(): GuardedCall['keepLateResult'] {
    return () => {
      this.#state.keepsLateResult = true;
    };
  }
  get keepFullResult(): GuardedCall['keepFullResult'] {
    return () => {
      this.#state.keepsFullResult = true;
    };
  }
  get hear(): GuardedCall['hear'] {
    return (listener) => listenToCall(this.#call.settings.dispatcher, this.events.start().call, listener);
  }
  get keepDecisions(): GuardedCall['keepDecisions'] {
    return () => {
      this.#state.decisions ??= [];
      return this.#state.decisions;
    };
  }
  get fence(): GuardedCall['fence'] {
    return (check) => {
      this.#state.fences.push(check);
    };
  }
  get remember(): GuardedCall['remember'] {
    return (memory) => {
      this.#state.memory = toDurableRun(this.#call, memory);
    };
  }
  get mayRetry(): GuardedCall['mayRetry'] {
    return (outcome) => retryOf(this.#call, outcome);
  }
  get reconcile(): GuardedCall['reconcile'] {
    return () => {
      const { plan, settings, received, context, remainingMs } = this.#call;
      return reconcile(plan, settings, received, { ...context, timeoutMs: remainingMs });
    };
  }
  get onEnd(): GuardedCall['onEnd'] {
    return (listener) => {
      const state = this.#state;
      const own = (outcome: Outcome): void => listener(outcome);
      state.listeners = [...state.listeners, own];
      return () => {
        state.listeners = state.listeners.filter((other) => other !== own);
      };
    };
  }
  get warn(): GuardedCall['warn'] {
    return (text) => this.#call.warn(text);
  }
  get redact(): GuardedCall['redact'] {
    return this.#call.settings.redactor.value;
  }
  get redactText(): GuardedCall['redactText'] {
    return this.#call.settings.redactor.text;
  }
  get emit(): GuardedCall['emit'] {
    return (event) => this.#call.watch?.emit(event);
  }

  get input(): unknown {
    return this.#call.input ?? this.#call.received;
  }
  get traceId(): string {
    return this.#call.traceId;
  }
  get attempts(): number {
    return this.#call.attempts;
  }
  get remainingMs(): number {
    return this.#call.remainingMs;
  }
  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get outcome(): Outcome | undefined {
    return this.#call.outcome;
  }
  get key(): string | undefined {
    return this.#state.key;
  }
  get notes(): Map<string, unknown> {
    this.#notes ??= new Map();
    return this.#notes;
  }
  get fullResult(): unknown {
    return this.#state.fullResult;
  }
  get events(): GuardedCall['events'] {
    const { watch } = this.#call;
    if (watch === undefined) throw new TypeError('only a guard of the phase "journal" sees events');
    return watch.events;
  }
}
