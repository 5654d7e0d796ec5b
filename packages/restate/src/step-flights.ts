import { createBoundedMap } from 'toolpact/internal';
import type { HandOver } from './hand-over.ts';

/** The steps of one call that run in this process, or ran in it. */
export interface StepFlights {
  readonly of: (id: string) => StepFlight;
  /** Resolves when none of them runs. */
  readonly idle: () => Promise<void>;
  /** Hands those that write over to the process that goes on with the call: Restate does not have their ends. */
  readonly giveAway: (handOver: HandOver) => void;
  /** Forgets them: the call has ended. */
  readonly end: () => void;
}

/** One step, however often Restate asks for it. */
export interface StepFlight {
  /** Notes that this process is about to run the step, and gives this run a name. */
  readonly begin: () => string;
  /** Notes that this process runs the step now under this name, in place of the one that had begun it. */
  readonly own: (owner: string) => void;
  /** Checks whether the run of this name belongs to this process, which has not begun it or given it away. */
  readonly mayRun: (owner: string) => boolean;
  readonly running: () => Promise<unknown> | undefined;
  readonly start: <TEnd>(run: () => Promise<TEnd>) => Promise<TEnd>;
  /** Notes that Restate has the end of the step. */
  readonly end: () => void;
}

interface Flight {
  running?: Promise<unknown>;
  /** The name under which other processes look for its end. */
  owner?: string;
  isGiven?: boolean;
  isEnded?: boolean;
}

/** How many calls whose connection broke are remembered, and for how long. A forgotten one counts as interrupted, so forgetting repeats no step. */
const calls = createBoundedMap<Map<string, Flight>>({ maxEntries: 10_000, now: Date.now });
const keptMs = 86_400_000;

/**
 * Returns the steps of a call that run here, by the id that Restate gave the call: an attempt that comes after a broken connection joins them. Each
 * that starts is given to `track`.
 */
export function stepFlightsOf(call: string, track: (running: Promise<unknown>) => void): StepFlights {
  const flights = calls.get(call) ?? new Map<string, Flight>();
  calls.set(call, flights, Date.now() + keptMs);
  const flightOf = (id: string): Flight => {
    const flight = flights.get(id) ?? {};
    flights.set(id, flight);
    return flight;
  };
  return {
    of: (id) => ({
      begin() {
        const owner = crypto.randomUUID();
        flights.set(id, { owner });
        return owner;
      },
      own(owner) {
        Object.assign(flightOf(id), { owner, isGiven: false });
      },
      mayRun(owner) {
        const flight = flights.get(id);
        return flight?.owner === owner && flight.running === undefined && flight.isGiven !== true;
      },
      running: () => flights.get(id)?.running,
      start(run) {
        const running = run();
        const flight = flightOf(id);
        flight.running = running;
        // A later attempt does not join a step that failed to begin here.
        track(running.catch(() => void delete flight.running));
        return running;
      },
      end() {
        flightOf(id).isEnded = true;
      },
    }),
    giveAway(handOver) {
      for (const [id, flight] of flights) {
        const { owner, isEnded, isGiven, running } = flight;
        if (owner === undefined || isEnded === true || isGiven === true) continue;
        flight.isGiven = true;
        track(handOver.give(id, owner, running));
      }
    },
    idle: async () =>
      void (await Promise.allSettled([...flights.values()].flatMap(({ running }) => (running === undefined ? [] : [running])))),
    end: () => calls.delete(call),
  };
}
