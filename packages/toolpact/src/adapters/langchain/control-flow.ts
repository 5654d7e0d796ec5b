import { isObject } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { callSteered } from '../frameworks/call-steered.ts';
import type { HostCall } from '../frameworks/host-tools.ts';

/** Errors that a handler may throw to steer LangGraph. All else that it throws is a failure and becomes an answer. */
const names: ReadonlySet<unknown> = new Set(['GraphInterrupt', 'NodeInterrupt', 'ParentCommand', 'GraphDrained']);

/** Recognises what steers LangGraph: interrupts, commands for a parent graph, a drained graph, and a thrown `Command`. */
export function isControlFlow(thrown: unknown): boolean {
  try {
    if (!isObject(thrown)) return false;
    const { name, is_bubble_up } = thrown as { name?: unknown; is_bubble_up?: unknown };
    return isCommand(thrown) || (is_bubble_up === true && names.has(name));
  } catch {
    return false;
  }
}

/** Recognises a `Command`, which LangGraph takes as a tool's result. */
export function isCommand(value: unknown): boolean {
  return isObject(value) && (value as { lg_name?: unknown }).lg_name === 'Command';
}

/** Makes a call, and throws what its handler threw to steer LangGraph. A command is given back: it is a result. */
export async function callInGraph<TCommand extends object>(
  call: (watched: HostCall) => Promise<Outcome>,
  facts: HostCall,
): Promise<{ readonly outcome: Outcome; readonly command?: undefined } | { readonly command: TCommand }> {
  try {
    return { outcome: await callSteered(call, facts, isControlFlow) };
  } catch (thrown) {
    if (isCommand(thrown)) return { command: thrown as TCommand };
    throw thrown;
  }
}
