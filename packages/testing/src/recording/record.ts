import type { ToolpactEvent } from 'toolpact';
import type { Guard } from 'toolpact/extend';
import { defineGuard } from 'toolpact/extend';

/** A guard that remembers what passes through it. */
type Recorder = Guard & {
  /** The events that begin and end the calls so far, plain JSON: write them to a file and give them to `replay`. */
  readonly events: () => readonly ToolpactEvent[];
};

/** Remembers the calls of a toolbox as the events that begin and end them, the same that listeners hear. Arguments are redacted. */
export function record(): Recorder {
  const events: ToolpactEvent[] = [];
  const guard = defineGuard({
    name: 'record',
    phase: 'list',
    around(call, next) {
      events.push(call.events.start());
      // Not after `next`: a call also ends while its tool hangs.
      call.onEnd((outcome) => events.push(call.events.end(outcome)));
      return next();
    },
  });
  return { ...guard, events: () => [...events] };
}
