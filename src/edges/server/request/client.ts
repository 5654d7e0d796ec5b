/** The other end of a connection, or of a single request where nothing is known about connections. */
export interface Client {
  /** Fires when the client is gone or `stop` was called. It may belong to a connection and so outlive a request. */
  readonly signal: AbortSignal;
  /** Stops what runs for this client. */
  readonly stop: (reason: Error) => void;
  /** Whether it belongs to a connection, which brings many requests. */
  readonly isLasting: boolean;
  /** What a server keeps for the next request of a connection. */
  kept?: unknown;
}

type Listener = (this: AbortSignal, event: Event) => void;

/**
 * Makes a client. Its signal is an ordinary one that keeps the listeners of calls in a set of its own: every call adds one and takes it
 * away again, and in an `EventTarget` this costs more than the rest of the call's administration.
 */
export function createClient(isLasting: boolean): Client {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<Listener>();
  const { addEventListener, removeEventListener } = signal;
  addEventListener.call(signal, 'abort', (event) => {
    for (const listener of listeners) runAlone(listener, event);
    listeners.clear();
  });
  return {
    signal: Object.assign(signal, {
      addEventListener(type: 'abort', listener: Listener, options?: AddEventListenerOptions) {
        if (isOrdinary(type, listener, options)) listeners.add(listener);
        else addEventListener.call(signal, type, listener, options);
      },
      removeEventListener(type: 'abort', listener: Listener) {
        if (!listeners.delete(listener)) removeEventListener.call(signal, type, listener);
      },
    }),
    stop: (reason) => controller.abort(reason),
    isLasting,
    kept: undefined,
  };
}

/** A listener that is an object, or that another signal removes, is left to the platform. */
function isOrdinary(type: string, listener: unknown, options: AddEventListenerOptions | undefined): boolean {
  return type === 'abort' && typeof listener === 'function' && options?.signal === undefined;
}

/** What a listener throws must not keep the event from the others; the platform reports it in the same way. */
function runAlone(listener: Listener, event: Event): void {
  try {
    listener.call(event.currentTarget as AbortSignal, event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
