/** Work that several can wait for at once. */
export interface Flights<TValue> {
  /** Waits for the work of that name, and starts it if it does not run yet. The work is stopped when its last caller stops waiting. */
  readonly join: (name: string, signal: AbortSignal | undefined, begin: (signal: AbortSignal) => Promise<TValue>) => Promise<TValue>;
}

interface Flight<TValue> {
  readonly controller: AbortController;
  readonly landing: Promise<TValue>;
  waiting: number;
}

/** Creates a place where equal work is shared while it runs. */
export function createFlights<TValue>(): Flights<TValue> {
  const flights = new Map<string, Flight<TValue>>();

  function take(name: string, begin: (signal: AbortSignal) => Promise<TValue>): Flight<TValue> {
    const known = flights.get(name);
    if (known !== undefined) return known;
    const controller = new AbortController();
    const flight: Flight<TValue> = { controller, landing: begin(controller.signal), waiting: 0 };
    const land = (): void => forget(name, flight);
    flight.landing.then(land, land);
    flights.set(name, flight);
    return flight;
  }

  function forget(name: string, flight: Flight<TValue>): void {
    if (flights.get(name) === flight) flights.delete(name);
  }

  return {
    async join(name, signal, begin) {
      signal?.throwIfAborted();
      const flight = take(name, begin);
      flight.waiting += 1;
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          flight.waiting -= 1;
          if (flight.waiting === 0) {
            // The next caller starts the work again.
            forget(name, flight);
            flight.controller.abort(signal?.reason);
          }
          reject(signal?.reason);
        };
        const stay = (): void => signal?.removeEventListener('abort', leave);
        signal?.addEventListener('abort', leave, { once: true });
        flight.landing.then(resolve, reject).then(stay, stay);
      });
    },
  };
}
