import { runScenario, type Scenario } from './run-scenario.ts';
import type { GraphPool } from './world.ts';
import { leaseMs } from './world.ts';

/** The result of an exhaustive search. */
export interface SearchResult {
  readonly histories: number;
  /** Whether all histories were searched, and not only as many as may. */
  readonly isWhole: boolean;
  /** The histories that broke something, by the choices that lead there. */
  readonly broken: readonly { readonly choices: readonly number[]; readonly messages: readonly string[] }[];
}

/** How a scenario is searched. */
export interface SearchOptions {
  readonly graphs: GraphPool;
  /** How many requests of a history something befalls: its process dies, before or after it is done, or stands still beyond its lease. */
  readonly mostFaults: number;
  /** @default all */
  readonly mostHistories?: number;
}

/**
 * Plays a scenario in every order in which the store can get the requests of its processes, and with every way in which a process dies or stands
 * still at one of them. Depth first: each history repeats the choices of the one before up to the last that can be made otherwise.
 */
export async function searchScenario(
  scenario: Scenario,
  { graphs, mostFaults, mostHistories = Number.POSITIVE_INFINITY }: SearchOptions,
): Promise<SearchResult> {
  const broken: { choices: readonly number[]; messages: readonly string[] }[] = [];
  let histories = 0;
  for (let begun: readonly number[] | undefined = []; begun !== undefined; ) {
    if (histories >= mostHistories) return { histories, isWhole: false, broken };
    const { made, violations } = await playChoices(scenario, graphs, mostFaults, begun);
    histories += 1;
    if (violations.length > 0)
      broken.push({
        choices: made.map(({ chosen }) => chosen),
        messages: violations.map(({ invariant, message }) => `${invariant}: ${message}`),
      });
    begun = nextChoices(made);
  }
  return { histories, isWhole: true, broken };
}

interface Choice {
  readonly chosen: number;
  readonly options: number;
}

/** Plays one history: the choices that are given, and after them the first of each. */
export async function playChoices(scenario: Scenario, graphs: GraphPool, mostFaults: number, given: readonly number[], isWhole = false) {
  const made: Choice[] = [];
  let isOver = false;
  const search = {
    mostFaults,
    pauseMs: 3 * leaseMs,
    choose(options: number): number {
      if (isOver || options < 2) return 0;
      const chosen = given[made.length] ?? 0;
      made.push({ chosen, options });
      return chosen;
    },
    end(): void {
      isOver = true;
    },
  };
  return { made, ...(await runScenario(scenario, graphs, { isWhole, search })) };
}

/** Returns the choices of the next history: the last that can be made otherwise is. */
function nextChoices(made: readonly Choice[]): readonly number[] | undefined {
  const last = made.findLastIndex(({ chosen, options }) => chosen + 1 < options);
  return last < 0 ? undefined : [...made.slice(0, last).map(({ chosen }) => chosen), (made[last] as Choice).chosen + 1];
}
