import { classify } from '../../classify/index.ts';
import { fail, makeFailure, type Outcome, type ToolFailure } from '../../outcome/index.ts';
import { type CallableToolbox, endOutside } from '../frameworks/host-tools.ts';
import type { LangchainCall } from './core.ts';

/** Returns the failure that LangChain reports when arguments break a tool's own schema, or undefined for any other error. */
export function refusedArguments(thrown: unknown): ToolFailure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { toolError } = thrown as { toolError?: unknown };
  // An agent wraps it, with the arguments and the stack in its message.
  if (toolError instanceof Error && toolError !== thrown) return refusedArguments(toolError);
  if (thrown.constructor.name !== 'ToolInputParsingException') return undefined;
  const message = `The arguments do not fit the schema: ${thrown.message.replaceAll(/\s+/g, ' ')}`;
  return fail('invalid_input', message, { effect: 'none', cause: thrown });
}

/** Ends a call to a tool that is not of the toolbox and threw. */
export function foreignOutcome(toolbox: Pick<CallableToolbox, 'emit'>, thrown: unknown, { name, id: callId }: LangchainCall): Outcome {
  return endOutside(toolbox, 'langchain', classify(refusedArguments(thrown) ?? thrown, { effect: 'unknown' }), { name, callId }, 1);
}

/** Ends a call to a tool that is not of the toolbox, whose arguments are no JSON. */
export function unreadableOutcome(toolbox: Pick<CallableToolbox, 'emit'>, { name, id: callId }: LangchainCall): Outcome {
  const message = 'The arguments are not valid JSON, so the call did not run.';
  const failure = makeFailure('invalid_input', { message, advice: 'Send them again as one JSON object.' });
  return endOutside(toolbox, 'langchain', failure, { name, callId });
}
