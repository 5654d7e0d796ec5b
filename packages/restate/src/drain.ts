/** The part of a request that counts here. */
export interface DrainedRequest {
  readonly url?: string | undefined;
}

/** The part of a response that counts here. */
export interface DrainedResponse {
  statusCode: number;
  readonly end: (text: string) => unknown;
  readonly once: (event: 'close', listener: () => void) => unknown;
}

/** Lets a worker end in order. */
export interface Drain {
  /** Counts a request until its connection is closed; false where it must be refused. */
  readonly enter: (request: DrainedRequest, response: DrainedResponse) => boolean;
  /** Counts a piece of work until it has ended. */
  readonly track: (work: Promise<unknown>) => void;
  /** Refuses runs from now on, and resolves when nothing that was counted is left. */
  readonly drain: () => Promise<void>;
}

/** Creates a counter of the runs in progress. */
export function createDrain(): Drain {
  const open = new Set<object>();
  const { promise, resolve } = Promise.withResolvers<void>();
  let isDraining = false;
  const leave = (work: object): void => {
    open.delete(work);
    if (isDraining && open.size === 0) resolve();
  };
  return {
    enter(request, response) {
      // Refuse new runs only: questions about calls are answered at once, and calls that still run may wait for those answers.
      if (isDraining && request.url?.endsWith('/run') === true) return false;
      open.add(response);
      response.once('close', () => leave(response));
      return true;
    },
    track(work) {
      open.add(work);
      work.then(
        () => leave(work),
        () => leave(work),
      );
    },
    drain() {
      isDraining = true;
      if (open.size === 0) resolve();
      return promise;
    },
  };
}
