import { recognise } from '../frameworks/call-steered.ts';

/** What a handler may throw to stop an agent's run, by name. All else that it throws is a failure and becomes an answer. */
export const controlFlow = [
  'InputGuardrailTripwireTriggered',
  'OutputGuardrailTripwireTriggered',
  'ToolInputGuardrailTripwireTriggered',
  'ToolOutputGuardrailTripwireTriggered',
] as const;

/** Recognises a tripwire of the SDK: a guardrail of an agent that the handler ran, or one that the handler tripped itself. */
export const isControlFlow = recognise(controlFlow);
