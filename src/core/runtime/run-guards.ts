import type { Outcome } from '../outcome/index.ts';
import type { Call } from './call.ts';
import { refusedOutcome, thrownOutcome } from './error-outcome.ts';
import type { Guard, GuardedCall } from './ports.ts';

/** Runs a call through its guards, outermost first. A guard's own fault becomes a refusal before the run and a warning after it. */
export function runGuards(call: Call, guards: readonly Guard[], run: () => Promise<Outcome>): Promise<Outcome> {
  const guarded = toGuardedCall(call);

  async function enter(index: number): Promise<Outcome> {
    const guard = guards[index];
    if (guard === undefined) return run();
    let inner: Outcome | undefined;
    try {
      return await guard.around(guarded, async () => {
        inner = await enter(index + 1);
        return inner;
      });
    } catch (thrown) {
      if (inner === undefined) return thrownOutcome(call, thrown);
      const warnings = Object.freeze([...(inner.meta.warnings ?? []), `the guard "${guard.name}" failed after the call`]);
      return Object.freeze({ ...inner, meta: Object.freeze({ ...inner.meta, warnings }) });
    }
  }

  return enter(0);
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
    refuse: (kind, message, options) => refusedOutcome(call, kind, { message, ...options, cause: undefined }),
    warn: (text) => call.warn(text),
    emit: (event) => call.watch?.emit(event),
  };
}
