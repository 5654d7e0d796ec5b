/** The other end of a connection, or of a single request where nothing is known about connections. */
export interface Client {
  /** Fires when the client is gone or `stop` was called. It may belong to a connection and so outlive a request. */
  readonly signal: AbortSignal;
  /** Stops what runs for this client. */
  readonly stop: (reason: Error) => void;
  /** Whether it belongs to a connection, which brings many requests. */
  readonly isLasting: boolean;
  /** A value that the server stores for the next request of the same connection. */
  kept?: unknown;
}

type Listener = ((this: AbortSignal, event: Event) => void) | EventListenerObject;

/** The listeners of calls, counted by hand: an array that becomes empty by `pop` throws its table away, and the next call would need a new one. */
interface Listed {
  readonly listeners: (Listener | undefined)[];
  count: number;
}

const listed = Symbol('toolpact.listeners');
type ClientSignal = AbortSignal & { [listed]: Listed };
const { addEventListener, removeEventListener } = EventTarget.prototype;

/**
 * Makes a signal that keeps the listeners of calls in a list of its own: every call adds one and takes it away again, and in an `EventTarget` this costs
 * more than the rest of the call's administration, because Node makes a function for each that lives until the next full collection. In a `Set` it
 * is no better: each table that such a set outgrows keeps the calls that were in it. For all others it is an ordinary signal.
 */
function createController(): AbortController {
  const controller = new AbortController();
  const signal = controller.signal as ClientSignal;
  signal[listed] = { listeners: [], count: 0 };
  // The same functions for all clients: where nothing is known about connections, every request has one.
  signal.addEventListener = addListed;
  signal.removeEventListener = removeListed;
  addEventListener.call(signal, 'abort', giveListed);
  return controller;
}

/** Makes the client of a connection. */
export function createClient(): Client {
  const controller = createController();
  return { signal: controller.signal, stop: (reason) => controller.abort(reason), isLasting: true, kept: undefined };
}

function addListed(this: AbortSignal, type: string, listener: unknown, options?: AddEventListenerOptions | boolean): void {
  const own = (this as ClientSignal)[listed];
  if (!isOrdinary(type, listener, options)) addEventListener.call(this, type, listener as EventListener, options);
  else if (!own.listeners.includes(listener)) {
    own.listeners[own.count] = listener;
    own.count += 1;
  }
}

function removeListed(this: AbortSignal, type: string, listener: unknown): void {
  const own = (this as ClientSignal)[listed];
  const { listeners } = own;
  // Mostly a connection brings one call at a time.
  const last = own.count - 1;
  const place = listeners[last] === listener ? last : listeners.indexOf(listener as Listener);
  if (place < 0) {
    removeEventListener.call(this, type, listener as EventListener);
    return;
  }
  own.count = last;
  if (place === last) listeners[last] = undefined;
  else listeners.splice(place, 1);
}

function giveListed(this: EventTarget, event: Event): void {
  const own = (this as ClientSignal)[listed];
  const all = own.listeners.splice(0, own.count) as Listener[];
  own.count = 0;
  for (const listener of all) runAlone(listener, event);
}

/** A listener that another signal removes is left to the platform. */
function isOrdinary(type: string, listener: unknown, options: AddEventListenerOptions | boolean | undefined): listener is Listener {
  return type === 'abort' && listener !== null && (typeof options !== 'object' || options.signal === undefined);
}

/** Runs one listener. Its error is thrown later, as the platform does, so that the other listeners get the event too. */
function runAlone(listener: Listener, event: Event): void {
  try {
    if (typeof listener === 'function') listener.call(event.currentTarget as AbortSignal, event);
    else listener.handleEvent(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** The part of a client that is needed to stop its work. */
export type Stoppable = Pick<Client, 'signal' | 'stop'>;

/** Makes something stoppable of a signal that fires when its caller is gone. */
export function toStoppable(signal: AbortSignal | undefined): Client & { readonly release: () => void } {
  const controller = createController();
  const forward = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) forward();
  else signal?.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    stop: (reason) => controller.abort(reason),
    isLasting: false,
    kept: undefined,
    release: () => signal?.removeEventListener('abort', forward),
  };
}
