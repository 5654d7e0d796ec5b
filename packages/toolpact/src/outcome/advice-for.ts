import type { FailureKind, Recovery } from './catalogue.ts';
import type { Effect } from './failure.ts';

/** Facts from which advice follows. */
export interface AdviceFacts {
  readonly kind: FailureKind;
  readonly recovery: Recovery;
  readonly effect?: Effect | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly debugId?: string | undefined;
  readonly advice?: string | undefined;
}

/** Returns, in one sentence, what to do about a failure: its own `advice`, or what follows from its kind, its recovery, its effect and its wait. */
export function adviceFor(failure: AdviceFacts): string {
  return failure.advice ?? derivedAdvice(failure);
}

/** Returns the advice that an author or a guard stated; undefined where it only says what follows from the failure anyway. */
export function statedAdvice(failure: AdviceFacts): string | undefined {
  return failure.advice === derivedAdvice(failure) ? undefined : failure.advice;
}

/** Says what follows from kind, recovery, effect and wait. Use it where code changes one of them. */
export function derivedAdvice({ kind, recovery, effect, retryAfterMs, debugId }: AdviceFacts): string {
  if (recovery === 'wait') {
    const again =
      retryAfterMs === undefined ? 'Try again in a moment.' : `Wait ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s before trying again.`;
    return effect === 'applied' ? `Part of it has taken effect, and is not done twice if the same call is made again. ${again}` : again;
  }
  if (recovery === 'verify') return `It ${effect === 'applied' ? 'has' : 'may have'} taken effect; check before repeating it.`;
  // The author's words are withheld from this reader: only an operator can read on.
  if (kind === 'failed' && recovery === 'stop' && debugId !== undefined)
    return `Repeating the same call will not help. An operator finds the cause under ${debugId}.`;
  return byKind[kind] ?? byRecovery[recovery];
}

const byRecovery: Readonly<Record<Exclude<Recovery, 'wait' | 'verify'>, string>> = {
  fix_input: 'Change the arguments before trying again.',
  reauth: 'The credential must be renewed before this can work.',
  ask_user: 'Ask the user how to continue.',
  other_tool: 'Try another tool or another way.',
  stop: 'Repeating the same call will not help.',
  see_message: 'If the message names something you sent, correct that; otherwise try another way. Do not repeat the call unchanged.',
};

/** Kinds that call for something more precise than their recovery says. */
const byKind: Readonly<Partial<Record<FailureKind, string>>> = {
  unknown_tool: 'Call a tool that exists.',
  not_found: 'Check the name or id before trying again.',
  denied: 'Do not repeat this call.',
  cancelled: 'Do not repeat this call.',
  conflict: 'Check the current state and change the arguments.',
  forbidden: 'Ask the user for access.',
  not_configured: 'An operator has to fix it.',
  budget_exhausted: 'Repeating will not help until it is raised.',
  too_large: 'Send or ask for less.',
};
