import type { JsonValue, Outcome, ToolpactEvent } from 'toolpact';
import { ToolpactError } from 'toolpact';
import type { Guard, GuardedCall } from 'toolpact/extend';
import { defineGuard } from 'toolpact/extend';
import { canonicalJson } from 'toolpact/internal';
import { unsoundness } from '../tools/tool-outcome.ts';

/** A guard that answers from a recording. */
type Player = Guard & {
  /** The calls that were not recorded. */
  readonly misses: () => readonly { readonly tool: string; readonly input: JsonValue }[];
};

/**
 * Answers calls from recorded events, those of `record`, and never runs a tool. Equal calls get their outcomes in the order in
 * which they were recorded, and the last one from then on. A call that was not recorded fails loudly as `not_configured`.
 * Throws at once for something that is not a recording.
 */
export function replay(events: readonly ToolpactEvent[]): Player {
  const recorded = readRecording(events);
  const misses: { readonly tool: string; readonly input: JsonValue }[] = [];
  const guard = defineGuard({
    name: 'replay',
    phase: 'list',
    // A recording stands in for all that a store would do for a tool.
    provides: ['idempotency', 'reconcile', 'retry', 'cache', 'deferAfterMs', 'approval'],
    around(call) {
      const input = call.redact(call.received);
      const outcomes = recorded.get(keyOf(call.tool.name, input));
      const outcome = outcomes !== undefined && outcomes.length > 1 ? outcomes.shift() : outcomes?.[0];
      if (outcome !== undefined) return call.replay(outcome, { replayed: true });
      misses.push({ tool: call.tool.name, input });
      return missed(call, input, recorded.size);
    },
  });
  return { ...guard, misses: () => [...misses] };
}

function missed(call: GuardedCall, input: JsonValue, size: number): Outcome {
  const message = `Nothing was recorded for ${call.tool.name} ${JSON.stringify(input).slice(0, 300)} (${size} other calls were). A replay never runs a tool: record this call first.`;
  return call.refuse('not_configured', message, { effect: 'none' });
}

function readRecording(events: readonly ToolpactEvent[]): Map<string, Outcome[]> {
  const keys = new Map<string, string>();
  const recorded = new Map<string, Outcome[]>();
  if (!Array.isArray(events)) throw new ToolpactError('invalid_argument', 'a recording is a list of events, as record().events() gives it');
  for (const event of events as readonly ToolpactEvent[]) {
    if (event?.type === 'call-start') keys.set(event.call, keyOf(event.tool, event.input));
    if (event?.type !== 'call-end') continue;
    const key = keys.get(event.call);
    if (key === undefined) throw new ToolpactError('invalid_argument', `the recording has the end of call ${event.call} but not its start`);
    const problem = unsoundness(event.outcome);
    if (problem !== undefined)
      throw new ToolpactError(
        'invalid_argument',
        `the recording ends call ${event.call} with something that is not an outcome: ${problem}`,
      );
    recorded.set(key, [...(recorded.get(key) ?? []), event.outcome]);
  }
  return recorded;
}

function keyOf(tool: string, input: JsonValue): string {
  return `${tool} ${canonicalJson(input)}`;
}
