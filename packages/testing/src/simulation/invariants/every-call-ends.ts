import { showOutcome } from '../desk.ts';
import type { Observations } from '../observations.ts';
import { factsOf } from '../tools.ts';
import { unrecorded } from './effects-told.ts';
import type { Violation } from './violation.ts';

/** Once processes live and the store answers, every call ends, or waits for an answer of a person that is asked for. Those who wait for it learn that. */
export function everyCallEnds({ finals, answers, steps, attempts }: Observations): Violation[] {
  return finals.flatMap(({ attempt, tool, id, found, isRecorded, openQuestions, waited }): Violation[] => {
    const begun = attempts.find((one) => one.attempt === attempt);
    const own = answers.filter((answer) => answer.attempt === attempt);
    const wasPending = own.some(
      ({ outcome }) => outcome?.status === 'pending' && !outcome.meta.warnings?.some((text) => unrecorded.test(text)),
    );
    const say = (message: string, isSoft = false): Violation[] => [
      {
        invariant: 'everyCallEnds',
        at: begun?.beganAt ?? 0,
        message: `${attempt} (${tool} ${id}) ${message}`,
        ...(isSoft && { isSoft: true as const }),
      },
    ];
    if (openQuestions > 0) return [];
    if (found?.status === 'pending') return say(`still is ${showOutcome(found)}, and asks for nothing`);
    if (found !== undefined) {
      return waited?.status === 'pending'
        ? say(`has ended (${showOutcome(found)}), but those who wait for it are told: ${showOutcome(waited)}`)
        : [];
    }
    if (isRecorded) {
      // A call without steps or a key is found out by `resume` alone.
      return say('has a start and no end', !factsOf(tool).steps);
    }
    if (wasPending) return say('was answered as pending, and nothing is known of it');
    const wasAnswered = begun?.answeredAt !== undefined;
    const hasEffect = steps.some(({ run, effectAt, effects }) => run.attempt === attempt && effectAt !== undefined && effects !== 'none');
    return !wasAnswered && hasEffect && factsOf(tool).steps ? say('took effect, its caller got no answer, and nothing is known of it') : [];
  });
}
