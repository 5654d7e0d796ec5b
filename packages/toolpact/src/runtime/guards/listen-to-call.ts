import type { Dispatcher, ToolpactEvent } from '../../events/index.ts';

type Hear = (event: ToolpactEvent) => void;

/** By dispatcher, then by call: one listener for all calls, because each listener costs every event of every call. */
const hearers = new WeakMap<Dispatcher, Map<string, Hear>>();

/** Gives the events of one call to a listener, until the call has ended. */
export function listenToCall(dispatcher: Dispatcher, call: string, listener: Hear): void {
  const known = hearers.get(dispatcher) ?? begin(dispatcher);
  const earlier = known.get(call);
  known.set(call, (event) => {
    earlier?.(event);
    listener(event);
  });
}

function begin(dispatcher: Dispatcher): Map<string, Hear> {
  const calls = new Map<string, Hear>();
  hearers.set(dispatcher, calls);
  dispatcher.subscribe((event) => {
    if (!('call' in event)) return;
    const hear = calls.get(event.call);
    if (event.type === 'call-end') calls.delete(event.call);
    hear?.(event);
  });
  return calls;
}
