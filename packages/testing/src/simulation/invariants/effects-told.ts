import { type Observations, type ObservedAnswer, type ObservedRun, rowOf } from '../observations.ts';
import { factsOf } from '../tools.ts';
import { wasUnseen } from './effects-once.ts';
import type { Violation } from './violation.ts';

/** Failures of calls that were refused before they ran: what they say is about themselves alone. */
const refusals: readonly string[] = ['conflict', 'not_ready', 'denied', 'rate_limited', 'not_configured', 'invalid_input', 'not_found'];

/** No answer says `none` when the effect is there or still comes, none says `applied` or `ok` when it is not. */
export function effectsTold(observations: Observations): Violation[] {
  const { answers, attempts, steps, runs, reconciles, writes: stored } = observations;
  return answers.flatMap((answer): Violation[] => {
    const { outcome, tool, id, attempt, at } = answer;
    const { writes, isKeyed, needsApproval } = factsOf(tool);
    if (outcome === undefined || outcome.status === 'pending' || writes.length === 0 || isAboutReading(answer)) return [];
    const there = steps.filter(
      ({ run, effectAt, effects }) => run.tool === tool && run.id === id && effectAt !== undefined && effects !== 'none',
    );
    const before = there.filter(({ effectAt }) => (effectAt as number) <= at);
    const say = (what: string): Violation[] => [
      { invariant: 'effectsTold', at, message: `${answer.way} of ${attempt} (${tool} ${id}) at ${answer.process} said ${what}` },
    ];
    if (outcome.status !== 'error') {
      const missing = writes.filter((step) => !before.some((effect) => effect.step === step));
      return missing.length === 0 ? [] : say(`${outcome.status}, but ${missing.join(', ')} did not take effect`);
    }
    const { effect, kind } = outcome.error;
    if (effect === 'applied' && before.length === 0) return say(`${kind}, effect applied, and there is none`);
    if (effect !== 'none') return [];
    const seen = there.filter((step) => !wasUnseen(step, reconciles, at));
    // Whoever relies on it makes the call anew: nothing of it may come later either.
    const row = rowOf(observations, attempt);
    // Who was refused may have asked for a row that another one runs.
    const isRefused = refusals.includes(kind);
    const isOfOther = (run: ObservedRun): boolean => runs.find((one) => one.row === run.row)?.attempt !== attempt || wasMadeAgain(run);
    // A call that waits for approval runs when somebody makes the same call again, whoever asked for it first.
    const wasMadeAgain = (run: ObservedRun): boolean =>
      needsApproval && attempts.some((one) => one.attempt !== attempt && one.id === id && one.tool === tool && one.beganAt <= run.beganAt);
    const ofCall = seen.find(({ run }) =>
      isRefused ? run.attempt === attempt && !isOfOther(run) : run.attempt === attempt || run.row === row,
    );
    if (ofCall !== undefined) {
      const when = (ofCall.effectAt as number) <= at ? 'had taken effect' : 'took effect later';
      return say(`${kind}, effect none, but ${ofCall.step} ${when}`);
    }
    // Whoever ran under a key speaks for the key.
    const own = attempts.find((one) => one.attempt === attempt);
    const ownRun = runs.find(({ invocationId }) => invocationId === attempt);
    if (own === undefined || !isKeyed || ownRun === undefined || isRefused) return [];
    // A tool that may be repeated frees its key although nobody knows what it did: then each call speaks for itself.
    const wasOver = ({ run, effects }: (typeof there)[number]): boolean =>
      effects === 'idempotent' && stored.some((write) => write.row === run.row && write.isEnd && write.at <= ownRun.beganAt);
    // Others may use the key as soon as the end is stored.
    const saidAt = stored.find((write) => write.row === row && write.isEnd)?.at ?? own.answeredAt ?? ownRun.endedAt ?? at;
    const ofKey = before.filter(
      (step) => (step.effectAt as number) >= own.beganAt && (step.effectAt as number) <= saidAt && !wasOver(step),
    );
    return ofKey.length === 0
      ? []
      : say(`${kind}, effect none, but ${ofKey[0]?.step} took effect under its key for ${ofKey[0]?.run.attempt}`);
  });
}

/** A failure to read a call says nothing about what the call did. */
export function isAboutReading({ outcome, way }: Pick<ObservedAnswer, 'outcome' | 'way'>): boolean {
  return way === 'wait' && outcome?.status === 'error' && outcome.meta.tool === undefined;
}

/** Matches the warning that the record of an outcome is missing. */
export const unrecorded = /^not_recorded/;

/** The answer, for other invariants: what it says for good. Undefined for one that may still change. */
export function definiteEnd({ outcome }: Pick<ObservedAnswer, 'outcome'>): string | undefined {
  if (outcome === undefined || outcome.status === 'pending') return undefined;
  if (outcome.status !== 'error') return `${outcome.status} ${JSON.stringify(outcome.data)}`;
  const { kind, effect } = outcome.error;
  return effect === 'unknown' || kind === 'interrupted' ? undefined : `${kind}, effect ${effect}`;
}
