import { isOutcome, type Meta, type Outcome, ToolFailure } from '../outcome/index.ts';
import type { Call } from './call.ts';
import { reconcile } from './conclude.ts';
import { inputOf, skippedOutcome, thrownOutcome } from './error-outcome.ts';
import { pendingOutcome } from './ok-outcome.ts';
import { type Guard, type GuardedCall, type GuardedTool, type GuardState, guardPhases } from './ports.ts';
import type { ToolPlan } from './tool-plan.ts';

/** Runs a call through guards, outermost first. A guard's own fault becomes a refusal before the run and a warning after it. */
export function runGuards(call: Call, guards: readonly Guard[], run: () => Promise<Outcome>): Promise<Outcome> {
  call.guarded ??= guardCall(call);
  const { view } = call.guarded;

  async function enter(index: number): Promise<Outcome> {
    const guard = guards[index];
    // A call that has ended meanwhile must not run any more.
    if (call.ended !== undefined) return call.ended;
    if (call.gate !== undefined && (guard === undefined ? guards !== call.settings.early : isBehindGate(guard))) {
      const { gate } = call;
      call.gate = undefined;
      const failedId = await gate();
      if (failedId !== undefined) return skippedOutcome(call, failedId);
      if (call.ended !== undefined) return call.ended;
    }
    if (guard === undefined) return run();
    let inner: Outcome | undefined;
    try {
      const outcome: unknown = await guard.around(view, async () => {
        inner = await enter(index + 1);
        return inner;
      });
      if (isOutcome(outcome)) return outcome;
      throw new TypeError(`the guard "${guard.name}" answered with something that is not an outcome`);
    } catch (thrown) {
      if (inner === undefined) return thrownOutcome(call, thrown);
      const warnings = Object.freeze([...(inner.meta.warnings ?? []), `the guard "${guard.name}" failed after the call`]);
      return Object.freeze({ ...inner, meta: Object.freeze({ ...inner.meta, warnings }) });
    }
  }

  return enter(0);
}

/** Tells what a guard may know of a tool. */
export function toGuardedTool(plan: ToolPlan): GuardedTool {
  const { name, effects, description, schemas, stated } = plan;
  const { idempotency, retry, cache, deferAfterMs, approval } = stated;
  return {
    name,
    effects,
    description,
    idempotency,
    retry,
    cache,
    deferAfterMs,
    approval,
    canReconcile: stated.reconcile !== undefined,
    schemas,
  };
}

/** Gates end here: what comes after may have effects of its own, so no call of a batch gets there before all have passed. */
function isBehindGate({ phase }: Guard): boolean {
  return guardPhases.indexOf(phase) > guardPhases.indexOf('approval');
}

function guardCall(call: Call): GuardState {
  const state: Omit<GuardState, 'view'> = { key: undefined, late: false, keepsWhole: false, whole: undefined, listeners: [] };
  const { settings } = call;
  let notes: Map<string, unknown> | undefined;
  const view: GuardedCall = {
    tool: toGuardedTool(call.plan),
    get input() {
      return call.input ?? call.received;
    },
    received: call.received,
    context: call.context,
    tenantId: call.tenantId,
    invocationId: call.invocationId,
    get traceId() {
      return call.traceId;
    },
    get attempts() {
      return call.attempts;
    },
    get remainingMs() {
      return call.remainingMs;
    },
    get signal() {
      return call.signal;
    },
    get ended() {
      return call.ended;
    },
    get notes() {
      notes ??= new Map();
      return notes;
    },
    keeps: (promise) => settings.keeps.has(promise),
    refuse: (kind, message, options) => thrownOutcome(call, new ToolFailure(kind, message, options)),
    suspend: (pending, message) => pendingOutcome(call, { status: 'pending', pending, ...(message !== undefined && { message }) }),
    adopt: (outcome, extra) => adopted(call, outcome, extra),
    detach: (outcome) => {
      // Made now, because later it would follow a caller that has gone.
      void call.signal;
      call.detach(outcome);
    },
    useKey: (key) => {
      state.key = key;
    },
    mayTakeEffect: () => {
      call.ran = true;
    },
    keep: (what) => {
      if (what === 'late') state.late = true;
      else state.keepsWhole = true;
    },
    get whole() {
      return state.whole;
    },
    reconcile: () => reconcile(call.plan, settings, call.received, { ...call.context, timeoutMs: call.remainingMs }),
    onEnd: (listener) => {
      state.listeners.push(listener);
    },
    warn: (text) => call.warn(text),
    redact: (value) => settings.redactor.value(value),
    get events() {
      const { watch } = call;
      if (watch === undefined) throw new TypeError('only a guard of the phase "journal" sees events');
      return watch.events;
    },
    emit: (event) => call.watch?.emit(event),
  };
  return Object.assign(state, { view });
}

function adopted(call: Call, { input: _, ...outcome }: Outcome, extra: Partial<Meta> | undefined): Outcome {
  // Whose call it was first is nobody else's business.
  const { callId, sessionId, runId, ingestionRunId, tenantId, warnings = [], ...meta } = outcome.meta;
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
