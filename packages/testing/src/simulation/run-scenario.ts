import { createDesk, type Desk } from './desk.ts';
import type { HistoryEntry } from './history.ts';
import { checkInvariants, type Violation } from './invariants/check-invariants.ts';
import { beginCalm, lookAtAll, lookAtNotices } from './run-seed.ts';
import type { Search } from './scheduler.ts';
import type { WireFault, WireFaults } from './wire.ts';
import { createWorld, type GraphPool, type Member, type StartOptions, type World } from './world.ts';

/** Where a scenario plays. */
export interface Stage {
  readonly world: World;
  readonly desk: Desk;
  readonly start: (name: string, options?: StartOptions) => Member;
  readonly sleep: (ms: number) => Promise<void>;
  /** Makes a call; `attempt` is also the name of its run. */
  readonly call: (member: Member, tool: string, id: string, attempt: string) => ReturnType<Desk['call']>;
  /** Lets a fault befall the first operations that look so, or those from the `skip`-th on. It must come. */
  readonly befall: (pattern: RegExp, fault: WireFault, which?: { readonly skip?: number; readonly times?: number }) => WireFaults;
  /** States that something is wrong that no invariant says. */
  readonly complain: (message: string) => void;
}

/** A history that somebody wrote: what befalls which operation is said, not drawn. */
export interface Scenario {
  readonly name: string;
  /** The violation to look for, in one sentence. */
  readonly about: string;
  readonly run: (stage: Stage) => Promise<void>;
  /** Whether somebody is told of questions. @default false */
  readonly hasNotifier?: boolean;
}

/** Plays a scenario, lets everything come to its end, and judges it as a seed is judged. */
export async function runScenario(
  { name, run, hasNotifier = false }: Scenario,
  graphs: GraphPool,
  { isWhole = false, search }: { readonly isWhole?: boolean; readonly search?: Search & { readonly end: () => void } } = {},
): Promise<{ readonly violations: readonly Violation[]; readonly history: readonly HistoryEntry[] }> {
  const world = createWorld({ seed: name, graphs, isOutsideFaulty: false, hasNotifier, isWhole, ...(search && { search }) });
  const complaints: Violation[] = [];
  const awaited = new Set<RegExp>();
  const complain = (message: string): void => void complaints.push({ invariant: 'scenario', message, at: world.scheduler.now() });
  try {
    const desk = createDesk(world);
    await world.runWith(() =>
      run({
        world,
        desk,
        start: world.start,
        sleep: world.sleep,
        call(member, tool, id, attempt) {
          const [label = attempt] = attempt.split('-');
          return desk.call(member, { tool, id, attempt, label, runId: `run ${label}` });
        },
        befall(pattern, fault, { skip = 0, times = 1 } = {}) {
          let seen = 0;
          awaited.add(pattern);
          return ({ what }) => {
            if (!pattern.test(what)) return undefined;
            seen += 1;
            if (seen <= skip || seen > skip + times) return undefined;
            awaited.delete(pattern);
            return fault;
          };
        },
        complain,
      }),
    );
    for (const pattern of awaited) complain(`the fault of ${pattern} never came`);
    search?.end();
    await lookAtAll(world, desk, beginCalm(world));
    await lookAtNotices(world);
    return { violations: [...checkInvariants(world.observations), ...complaints], history: world.history.entries() };
  } finally {
    world.close();
  }
}

/** Never resolves: for a handler that hangs. */
export const never = (): Promise<void> => new Promise(() => undefined);
