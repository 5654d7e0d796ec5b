import { type Meta, type Outcome, ToolFailure } from '../../outcome/index.ts';
import type { GuardedCall } from '../../ports/index.ts';
import { toLocalRun } from '../begin-step.ts';
import type { Call } from '../call.ts';
import { toDurableRun } from '../durable-run.ts';
import { effectOf } from '../outcomes/effect-of.ts';
import { retryOf, thrownOutcome } from '../outcomes/error-outcome.ts';
import { pendingOutcome } from '../outcomes/ok-outcome.ts';
import { inputOf } from '../outcomes/to-json-data.ts';
import { emitProgress } from '../watch-call.ts';
import type { GuardState } from './guard-state.ts';
import { toGuardedTool } from './guarded-tool.ts';
import { leaveGate } from './leave-gate.ts';
import { listenToCall } from './listen-to-call.ts';

/** Creates the state that the guards of a call share, and the view of the call that they are given. */
export function guardCall(call: Call, runs: Pick<GuardedCall, 'preview' | 'reconcile' | 'useInput'>): GuardState {
  const state: Omit<GuardState, 'view'> = {
    key: undefined,
    keepsLateResult: false,
    keepsFullResult: false,
    fullResult: undefined,
    memory: call.plan.steps ? toLocalRun(call) : undefined,
    listeners: [],
    fences: [],
    decisions: undefined,
  };
  return Object.assign(state, { view: new GuardView(call, state, runs) });
}

/** A call as its guards see it. Its functions are its own, so that a guard may take them off. */
class GuardView implements GuardedCall {
  readonly #call: Call;
  readonly #state: Omit<GuardState, 'view'>;
  readonly preview: GuardedCall['preview'];
  readonly reconcile: GuardedCall['reconcile'];
  readonly useInput: GuardedCall['useInput'];
  readonly notes: GuardedCall['notes'] = new Map();

  constructor(
    call: Call,
    state: Omit<GuardState, 'view'>,
    { preview, reconcile, useInput }: Pick<GuardedCall, 'preview' | 'reconcile' | 'useInput'>,
  ) {
    this.#call = call;
    this.#state = state;
    this.preview = preview;
    this.reconcile = reconcile;
    this.useInput = useInput;
  }

  get tool(): GuardedCall['tool'] {
    return toGuardedTool(this.#call.plan);
  }
  get input(): unknown {
    return this.#call.input ?? this.#call.received;
  }
  get received(): unknown {
    return this.#call.received;
  }
  get context(): GuardedCall['context'] {
    return this.#call.context;
  }
  get tenantId(): string {
    return this.#call.tenantId;
  }
  get invocationId(): string {
    return this.#call.invocationId;
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
  get fullResult(): unknown {
    return this.#state.fullResult;
  }
  get redact(): GuardedCall['redact'] {
    return this.#call.settings.redactor.value;
  }
  get redactText(): GuardedCall['redactText'] {
    return this.#call.settings.redactor.text;
  }
  get events(): GuardedCall['events'] {
    const { watch } = this.#call;
    if (watch === undefined) throw new TypeError('only a guard of the phase "journal" sees events');
    return watch.events;
  }

  readonly provides: GuardedCall['provides'] = (promise) => this.#call.settings.provides.has(promise);
  /** A guard may have seen another call with the same key: what it refuses has not run, and may have taken effect all the same. */
  readonly refuse: GuardedCall['refuse'] = (kind, message, options) =>
    thrownOutcome(this.#call, new ToolFailure(kind, message, { effect: effectOf(this.#call).effect, ...options }));
  readonly pending: GuardedCall['pending'] = (pending, message) =>
    pendingOutcome(this.#call, { status: 'pending', pending, ...(message !== undefined && { message }) });
  readonly replay: GuardedCall['replay'] = (outcome, extra) => replayed(this.#call, outcome, extra);
  readonly detach: GuardedCall['detach'] = (outcome) => {
    // Made now, because later it would follow a caller that has gone.
    void this.#call.signal;
    this.#call.detach(outcome);
  };
  readonly abort: GuardedCall['abort'] = (reason) => this.#call.abort(reason);
  readonly end: GuardedCall['end'] = (outcome) => this.#call.settle(outcome);
  readonly useKey: GuardedCall['useKey'] = (key) => {
    this.#state.key = key;
  };
  readonly markMayHaveEffect: GuardedCall['markMayHaveEffect'] = () => {
    this.#call.handlerStarted = true;
  };
  readonly keepLateResult: GuardedCall['keepLateResult'] = () => {
    this.#state.keepsLateResult = true;
  };
  readonly keepFullResult: GuardedCall['keepFullResult'] = () => {
    this.#state.keepsFullResult = true;
  };
  readonly hear: GuardedCall['hear'] = (listener) => listenToCall(this.#call.settings.dispatcher, this.events.start().call, listener);
  readonly keepDecisions: GuardedCall['keepDecisions'] = () => {
    this.#state.decisions ??= [];
    return this.#state.decisions;
  };
  readonly fence: GuardedCall['fence'] = (check) => {
    this.#state.fences.push(check);
  };
  readonly remember: GuardedCall['remember'] = (memory) => {
    this.#state.memory = toDurableRun(this.#call, memory);
  };
  readonly mayRetry: GuardedCall['mayRetry'] = (outcome) => retryOf(this.#call, outcome);
  readonly onEnd: GuardedCall['onEnd'] = (listener) => {
    const state = this.#state;
    const entry = (outcome: Outcome): void => listener(outcome);
    state.listeners = [...state.listeners, entry];
    return () => {
      state.listeners = state.listeners.filter((other) => other !== entry);
    };
  };
  readonly passGate: GuardedCall['passGate'] = () => leaveGate(this.#call);
  readonly warn: GuardedCall['warn'] = (text) => this.#call.warn(text);
  readonly progress: GuardedCall['progress'] = (message) => emitProgress(this.#call, message);
  readonly emit: GuardedCall['emit'] = (event) => this.#call.watch?.emit(event);
}

/** Creates the outcome of another call the answer to this one, with what is this call's own. */
function replayed(call: Call, { input: _, ...outcome }: Outcome, extra: Partial<Meta> | undefined): Outcome {
  // Drop the ids of the caller that first made this call.
  const { callId, sessionId, runId, ids, tenantId, warnings = [], ...meta } = outcome.meta;
  const { invocationId = call.invocationId, attempts } = meta;
  const own = call.meta({ ...extra, invocationId, attempts });
  const all = [...warnings, ...(own.warnings ?? [])];
  const input = inputOf(call);
  return Object.freeze({
    ...outcome,
    ...(input !== undefined && { input }),
    meta: Object.freeze({ ...meta, ...own, ...(all.length > 0 && { warnings: Object.freeze(all) }) }),
  } as Outcome);
}
