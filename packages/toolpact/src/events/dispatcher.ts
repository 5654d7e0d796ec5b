import { expectArgument } from '../outcome/index.ts';
import type { ToolpactEvent } from './event.ts';
import { isolate } from './isolate.ts';
import { type EventProblem, printProblem, toProblemEvent } from './problem.ts';

/** Takes events. It cannot break what it watches: what it throws or rejects with becomes a `problem` event for the other listeners. */
export type Listener = (event: ToolpactEvent) => unknown;

/** Gives the events of one toolbox to its listeners: at once, in order, each listener isolated. */
export interface Dispatcher {
  /** Whether events have to be made at all. A call without listeners looks at this and at nothing else. */
  readonly active: boolean;
  /** Adds a listener; returns the function that removes it. */
  readonly subscribe: (listener: Listener) => () => void;
  /** Gives an event to every listener; never throws. */
  readonly emit: (event: ToolpactEvent) => void;
}

/** Listeners that answer each event with another must not go on for ever. */
const deepest = 100;

/** Creates a dispatcher. `always` makes it active without listeners, for those that read the events of a call elsewhere. */
export function createDispatcher(always = false): Dispatcher {
  // Never changed in place: a listener may remove itself, or add another, while an event is given out.
  let listeners: readonly { readonly listen: Listener }[] = [];
  let depth = 0;

  function give(event: ToolpactEvent, skipped?: object): void {
    if (depth >= deepest) {
      printProblem({ where: 'a listener', error: 'it emits without end' });
      return;
    }
    depth += 1;
    for (const entry of listeners) if (entry !== skipped) deliver(entry, event);
    depth -= 1;
  }

  function deliver(entry: { readonly listen: Listener }, event: ToolpactEvent): void {
    isolate(
      () => entry.listen(event),
      (error) => {
        const problem: EventProblem = { where: `a listener of ${event.type}`, error, eventId: event.id };
        printProblem(problem);
        // A problem with a problem is only printed.
        if (event.type !== 'problem' && listeners.length > 1) give(toProblemEvent(problem), entry);
      },
    );
  }

  const dispatcher = {
    active: always,
    subscribe(listen: Listener) {
      expectArgument(typeof listen === 'function', 'subscribe takes a function, which is given each event');
      const entry = { listen };
      listeners = [...listeners, entry];
      dispatcher.active = true;
      return () => {
        listeners = listeners.filter((other) => other !== entry);
        dispatcher.active = always || listeners.length > 0;
      };
    },
    emit: (event: ToolpactEvent) => give(event),
  };
  return dispatcher;
}

/** Has no listeners and gets none, for calls that are not calls of a toolbox. */
export const silentDispatcher: Dispatcher = createDispatcher();
