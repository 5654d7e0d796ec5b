import type { Outcome } from '../../core/outcome/index.ts';
import type { HostCall } from './host-tools.ts';

/** What a handler may throw to stop an agent's run, by name. All else that it throws is a failure and becomes an answer. */
export const controlFlow = [
  'InputGuardrailTripwireTriggered',
  'OutputGuardrailTripwireTriggered',
  'ToolInputGuardrailTripwireTriggered',
  'ToolOutputGuardrailTripwireTriggered',
] as const;

const names: ReadonlySet<unknown> = new Set(controlFlow);

/** Recognises a tripwire of the SDK: a guardrail of an agent that the handler ran, or one that the handler tripped itself. */
export function isControlFlow(thrown: unknown): boolean {
  try {
    return thrown instanceof Error && names.has(thrown.name);
  } catch {
    return false;
  }
}

/** Makes a call, and throws what its handler threw to stop the run. */
export async function callSteered(call: (facts: HostCall) => Promise<Outcome>, facts: HostCall): Promise<Outcome> {
  let tripped: unknown;
  const watched: HostCall & { readonly isControlFlow: (thrown: unknown) => boolean } = {
    ...facts,
    isControlFlow(thrown) {
      if (!isControlFlow(thrown)) return false;
      tripped = thrown;
      return true;
    },
  };
  const outcome = await call(watched);
  if (tripped !== undefined) throw tripped;
  return outcome;
}
