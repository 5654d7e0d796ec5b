import { type Outcome, ToolFailure } from '../outcome/index.ts';
import type { Call } from './call.ts';
import { thrownOutcome } from './error-outcome.ts';
import type { Guard, GuardedCall } from './ports.ts';

/** Runs a call through its guards, outermost first. A guard's own fault becomes a refusal before the run and a warning after it. */
export function runGuards(call: Call, guards: readonly Guard[], run: () => Promise<Outcome>): Promise<Outcome> {
  const guarded = toGuardedCall(call);

  async function enter(index: number): Promise<Outcome> {
    const guard = guards[index];
    // A call that has ended meanwhile must not run any more.
    if (call.ended !== undefined) return call.ended;
    if (guard === undefined) return run();
    let inner: Outcome | undefined;
    try {
      const outcome: unknown = await guard.around(guarded, async () => {
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

function isOutcome(value: unknown): value is Outcome {
  const { status, meta } = (value ?? {}) as Partial<Outcome>;
  return typeof meta === 'object' && (status === 'ok' || status === 'partial' || status === 'error' || status === 'pending');
}

function toGuardedCall(call: Call): GuardedCall {
  const { name, effects, idempotency } = call.plan;
  return {
    tool: { name, effects, idempotency },
    input: call.input,
    context: call.context,
    invocationId: call.invocationId,
    get attempts() {
      return call.attempts;
    },
    get remainingMs() {
      return call.remainingMs;
    },
    get signal() {
      return call.signal;
    },
    refuse: (kind, message, options) => thrownOutcome(call, new ToolFailure(kind, message, options)),
    warn: (text) => call.warn(text),
    emit: (event) => call.watch?.emit(event),
  };
}
