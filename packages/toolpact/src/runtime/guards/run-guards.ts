import { isOutcome, type Outcome } from '../../outcome/index.ts';
import { type Guard, type GuardDecision, guardPhases } from '../../ports/index.ts';
import type { Call } from '../call.ts';
import { thrownOutcome } from '../outcomes/error-outcome.ts';
import type { GuardState } from './guard-state.ts';
import { leaveGate } from './leave-gate.ts';

/** Runs a call through guards, outermost first. A guard's own fault becomes a refusal before the run and a warning after it. */
export async function runGuards(
  call: Call,
  state: GuardState,
  guards: readonly Guard[],
  run: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  /** Goes on to a guard, or to the run behind the last one. */
  function enter(index: number): Outcome | Promise<Outcome> {
    // A call that has ended meanwhile must not run any more.
    if (call.outcome !== undefined) return call.outcome;
    const guard = guards[index];
    if (call.gate !== undefined && (guard === undefined ? guards !== call.settings.outer : isBehindGate(guard))) {
      return leaveGate(call).then((skipped) => skipped ?? enter(index));
    }
    return guard === undefined ? run() : runGuard(call, state, guard, () => enter(index + 1));
  }

  return enter(0);
}

async function runGuard(
  call: Call,
  { view, decisions }: GuardState,
  guard: Guard,
  next: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const decide = decisions && noteDecision(call, guard, decisions);
  let inner: Outcome | undefined;
  try {
    const outcome: unknown = await guard.around(view, async () => {
      decide?.('passed');
      inner = await next();
      return inner;
    });
    if (inner !== undefined && outcome === inner) return inner;
    if (!isOutcome(outcome)) throw new TypeError(`the guard "${guard.name}" answered with something that is not an outcome`);
    decide?.(inner === undefined ? 'answered' : 'replaced');
    return outcome;
  } catch (thrown) {
    decide?.('failed');
    if (inner === undefined) return thrownOutcome(call, thrown);
    const warnings = Object.freeze([...(inner.meta.warnings ?? []), `the guard "${guard.name}" failed after the call`]);
    return Object.freeze({ ...inner, meta: Object.freeze({ ...inner.meta, warnings }) });
  }
}

/** Gates end here: what comes after may have effects of its own, so no call of a batch gets there before all have passed. */
function isBehindGate({ phase }: Guard): boolean {
  return guardPhases.indexOf(phase) > guardPhases.indexOf('approval');
}

/** Begins to note what a guard does; gives the function that completes the note. */
function noteDecision(
  { startedAt }: Call,
  { name, phase }: Guard,
  decisions: GuardDecision[],
): (did: NonNullable<GuardDecision['did']>) => void {
  const begunAt = performance.now();
  const at = decisions.push({ guard: name, phase, atMs: begunAt - startedAt, tookMs: 0 }) - 1;
  return (did) => {
    const noted = decisions[at];
    if (noted !== undefined) decisions[at] = { ...noted, did, ...(noted.did === undefined && { tookMs: performance.now() - begunAt }) };
  };
}
