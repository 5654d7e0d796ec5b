import { drawErrands, runErrand } from './callers.ts';
import { createDesk, type Desk } from './desk.ts';
import { drawFaults, type FaultKind, usualFaults } from './faults.ts';
import type { HistoryEntry } from './history.ts';
import { checkInvariants, type Violation } from './invariants/check-invariants.ts';
import { isOver } from './invariants/every-call-ends.ts';
import type { FinalAnswer, Observations } from './observations.ts';
import { createOperator } from './operator.ts';
import { createWorld, type GraphPool, type Member, type World } from './world.ts';

/** The result of one seed. */
export interface SeedResult {
  readonly seed: number | string;
  readonly violations: readonly Violation[];
  readonly figures: Readonly<Record<string, number>>;
  readonly history: readonly HistoryEntry[];
  /** Two runs of a seed give the same. */
  readonly print: string;
  readonly observations: Observations;
}

/** How a seed is run. */
export interface SeedOptions {
  readonly graphs: GraphPool;
  /** @default the usual ones */
  readonly faults?: ReadonlySet<FaultKind>;
  readonly isWhole?: boolean;
}

/** For so long calls begin, and faults befall them. */
const busyMs = 3_000;
/** When the last fault has ended. */
const calmAtMs = 4_500;
/** For so long calls may take to come to their end once nothing befalls them. */
const patienceMs = 30_000;
/** For so long nothing is written before somebody looks how things stand: a lease, and what it takes to notice that it is over. */
const quietMs = 2_500;

/** Runs a seed: processes, callers, people and faults, then a calm in which everything has to come to its end. */
export async function runSeed(seed: number | string, { graphs, faults = usualFaults, isWhole = false }: SeedOptions): Promise<SeedResult> {
  const world = createWorld({ seed, graphs, isOutsideFaulty: faults.has('outside'), hasNotifier: isNotified(seed), isWhole });
  try {
    await live(world, faults);
    return {
      seed,
      violations: checkInvariants(world.observations),
      figures: figuresOf(world),
      history: world.history.entries(),
      print: world.history.print(),
      observations: world.observations,
    };
  } finally {
    world.close();
  }
}

async function live(world: World, kinds: ReadonlySet<FaultKind>): Promise<void> {
  const { scheduler, random } = world;
  const draw = random.fork('plan');
  const plan = drawFaults(random.fork('faults'), kinds, () => world);
  const desk = createDesk(world);
  const operator = createOperator(world, desk, random.fork('operator'));
  // All on one machine, as with SQLite; or each on its own, as with PostgreSQL, where clocks differ.
  const others = draw.chance(0.5) ? [] : [0, 1].map(() => ({ aheadMs: Math.round(draw.between(-5_000, 5_000)) }));
  const machines = [world.storeMachine, ...others];
  const start = (name: string): Member =>
    world.start(name, { hasWorker: draw.chance(0.75), machine: draw.pick(machines), faults: plan.forProcess(name) });

  const names = Array.from({ length: 3 + draw.below(2) }, (_, place) => `P${place + 1}`);
  for (const name of names) start(name);
  let isCalm = false;
  plan.begin(world, machines, busyMs, ({ process }) => {
    const [name, life = '1'] = process.name.split('.');
    scheduler.after(draw.between(100, 3000), () => isCalm || start(`${name}.${Number(life) + 1}`));
  });

  const errands = drawErrands(random.fork('errands'), busyMs * 0.8);
  let left = errands.length;
  for (const errand of errands) {
    void runErrand(world, desk, errand, random.fork(`caller ${errand.label}`)).then(() => {
      operator.ended.add(errand.label);
      left -= 1;
    });
  }
  void (async () => {
    while (!isCalm) {
      await world.sleep(draw.between(30, 400));
      // Several people: nobody waits for what another one has asked.
      void operator.act();
    }
  })();

  await scheduler.runUntil(calmAtMs);
  isCalm = true;
  plan.end();
  const reader = beginCalm(world);
  await settle(world, async () => {
    await operator.clear(reader, 0.8);
    return left === 0;
  });
  await lookAtAll(world, desk, reader);
  await lookAtNotices(world);
}

/** Ends what keeps processes from working, and starts one more that reads how things stand. */
export function beginCalm(world: World): Member {
  for (const { process, wire } of world.members) {
    wire.heal();
    process.resume();
  }
  world.history.note('fault', 'calm: nothing befalls anything any more');
  return world.start('R');
}

/** Lets time pass until all callers are done and nothing is written for a while, or patience is over. */
async function settle(world: World, areCallersDone: () => Promise<boolean>): Promise<void> {
  const { scheduler } = world;
  const until = scheduler.now() + patienceMs;
  let isDone = false;
  void (async () => {
    for (let pauseMs = 300; !isDone; pauseMs = Math.min(2_000, pauseMs * 1.5)) {
      isDone = await areCallersDone();
      await world.sleep(pauseMs);
    }
  })();
  while ((!isDone || scheduler.now() - world.writtenAt() < quietMs) && scheduler.now() < until)
    await scheduler.runUntil(scheduler.now() + 100);
}

/** Looks how each call stands, again and again where one does not stand as it should or was written meanwhile: what is late is not lost. */
export async function lookAtAll(world: World, desk: Desk, reader: Member): Promise<void> {
  const { scheduler, observations } = world;
  const answers = new Map<string, FinalAnswer>();
  for (const pauseMs of [0, 3_000, 9_000, 18_000]) {
    await scheduler.runUntil(scheduler.now() + pauseMs);
    const lookedAt = scheduler.now();
    observations.finalRows.splice(0, Number.POSITIVE_INFINITY, ...(await desk.lookAtRows()));
    if (pauseMs < 18_000 && !observations.finalRows.every(isOver)) continue;
    await world.runWith(async () => {
      for (const { attempt, rerunOf } of observations.attempts)
        if (rerunOf === undefined) answers.set(attempt, await desk.look(reader, attempt));
    });
    if (world.writtenAt() <= lookedAt) break;
  }
  observations.finals.push(...answers.values());
}

/** In every fifth seed somebody is told of questions. */
function isNotified(seed: number | string): boolean {
  return typeof seed === 'number' && seed % 5 === 4;
}

/** For so long a notice may be on its way: a process that died has it for a minute, and one that failed twice is tried again after 35 seconds. */
const noticePatienceMs = 110_000;

/** Lets time pass until all that is to be told was told, or patience is over. */
export async function lookAtNotices({ scheduler, observations, readStore }: World): Promise<void> {
  const { questions, notices } = observations;
  const until = scheduler.now() + noticePatienceMs;
  for (;;) {
    for (const question of questions) {
      const call = await readStore.calls?.get(question.tenant, question.handle);
      const state = call?.questions.find(({ handle }) => handle === question.handle)?.state;
      question.isClosed = state !== undefined && state !== 'open';
    }
    const isTold = (handle: string, closing: boolean): boolean => notices.some((one) => one.handle === handle && one.isClosing === closing);
    const isDone = questions.every(({ handle, isClosed }) => isTold(handle, false) && (!isClosed || isTold(handle, true)));
    if (isDone || scheduler.now() >= until) return;
    await scheduler.runUntil(scheduler.now() + 2_000);
  }
}

function figuresOf(world: World): Record<string, number> {
  const { observations, counts, members } = world;
  return {
    processes: members.length,
    calls: observations.attempts.length,
    rows: observations.rows.size,
    runs: observations.runs.length,
    steps: observations.steps.length,
    operations: world.storeOperations(),
    schedulerSteps: world.scheduler.steps(),
    virtualMs: world.scheduler.now(),
    ...Object.fromEntries(counts),
  };
}
