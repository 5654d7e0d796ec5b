import { recognise } from '../frameworks/call-steered.ts';

/**
 * Recognises what a handler may throw to stop an agent's run: a tripwire of a guardrail of an agent that the handler ran, or one that the
 * handler tripped itself. All else that it throws is a failure and becomes an answer.
 */
export const isControlFlow = recognise([
  'InputGuardrailTripwireTriggered',
  'OutputGuardrailTripwireTriggered',
  'ToolInputGuardrailTripwireTriggered',
  'ToolOutputGuardrailTripwireTriggered',
]);
