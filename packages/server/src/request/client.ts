/** The other end of a request. */
export type Client = {
  /** Fires when the client is gone or `stop` was called. */
  readonly signal: AbortSignal;
  /** Stops the work that runs for this client. */
  readonly stop: (reason: Error) => void;
};

/** Creates a client. */
export function createClient(): Client {
  const controller = new AbortController();
  return { signal: controller.signal, stop: (reason) => controller.abort(reason) };
}

/** Creates a client from a signal that fires when its caller is gone. `release` stops listening to that signal. */
export function toClient(signal: AbortSignal | undefined): Client & { readonly release: () => void } {
  const client = createClient();
  const forward = (): void => client.stop(signal?.reason as Error);
  if (signal?.aborted === true) forward();
  else signal?.addEventListener('abort', forward, { once: true });
  return { ...client, release: () => signal?.removeEventListener('abort', forward) };
}
