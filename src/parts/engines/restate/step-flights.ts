import { createBoundedMap } from '../../../core/time/index.ts';

/** The steps of one call that run in this process, or ran in it. */
export interface StepFlights {
  /** Names this process. */
  readonly process: string;
  readonly of: (id: string) => StepFlight;
  /** Resolves when none of them runs. */
  readonly idle: () => Promise<void>;
  /** Forgets them: the call has ended. */
  readonly end: () => void;
}

/** One step, however often Restate asks for it. */
export interface StepFlight {
  /** Notes that this process is about to run the step, and gives the name of the process. */
  readonly begin: () => string;
  /** Checks whether the process that the journal names is this one, and has not run the step yet. */
  readonly mayRun: (owner: string) => boolean;
  readonly running: () => Promise<unknown> | undefined;
  readonly start: <TEnd>(run: () => Promise<TEnd>) => Promise<TEnd>;
}

const ownProcess = crypto.randomUUID();
/** So many calls, and for so long, whose connection broke. What is forgotten counts as interrupted, so forgetting repeats no step. */
const calls = createBoundedMap<Map<string, Promise<unknown> | undefined>>({ maxEntries: 10_000, now: Date.now });
const keptMs = 86_400_000;

/**
 * Gives the steps of a call that run here, by the id that Restate gave the call: an attempt that comes after a broken connection joins them. Each
 * that starts is given to `track`.
 */
export function stepFlightsOf(call: string, track: (running: Promise<unknown>) => void): StepFlights {
  const flights = calls.get(call) ?? new Map<string, Promise<unknown> | undefined>();
  calls.set(call, flights, Date.now() + keptMs);
  return {
    process: ownProcess,
    of: (id) => ({
      begin() {
        flights.set(id, undefined);
        return ownProcess;
      },
      mayRun: (owner) => owner === ownProcess && flights.has(id) && flights.get(id) === undefined,
      running: () => flights.get(id),
      start(run) {
        const running = run();
        flights.set(id, running);
        track(running);
        return running;
      },
    }),
    idle: async () => void (await Promise.allSettled([...flights.values()].map((running) => Promise.resolve(running)))),
    end: () => calls.delete(call),
  };
}
