import type { ToolboxOptions } from 'toolpact';
import type { Notifier } from 'toolpact/notify';
import { createHistory, type History } from './history.ts';
import type { Graph, Library, LoadedLibrary } from './library.ts';
import { createObservations, type Observations, type ObservedGrantWrite } from './observations.ts';
import { createOutside, type Outside } from './outside.ts';
import { type SimulatedProcess, startProcess } from './process.ts';
import { createRandom, createSteady, type Random } from './random.ts';
import { createScheduler, type Scheduler, type Search } from './scheduler.ts';
import { createTools, type ToolWorld } from './tools.ts';
import { createVirtualClock, type MachineClock } from './virtual-clock.ts';
import { createWire, isWrite, type Wire, type WireFaults, type WireOperation } from './wire.ts';

/** The toolbox of a simulated process, as its callers use it. */
export type SimulatedToolbox = ReturnType<typeof createToolbox>;

/** A process with what runs in it. */
export interface Member {
  readonly process: SimulatedProcess;
  readonly wire: Wire;
  readonly toolbox: SimulatedToolbox;
  readonly hasWorker: boolean;
}

/** How a process is started. */
export interface StartOptions {
  readonly hasWorker?: boolean;
  /** The clock of the machine that it runs on. @default that of the store */
  readonly machine?: MachineClock;
  readonly faults?: WireFaults;
  readonly renamed?: ToolWorld['renamed'];
  readonly onRun?: ToolWorld['onRun'];
  /** Further options of its toolbox. */
  readonly options?: (library: Library) => Pick<ToolboxOptions, 'calls' | 'approvals' | 'use'>;
}

/** One simulated run: its processes, its store and all that is outside. */
export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly history: History;
  readonly observations: Observations;
  readonly outside: Outside;
  /** The clock of the machine of the store. */
  readonly storeMachine: MachineClock;
  readonly start: (name: string, options?: StartOptions) => Member;
  /** All processes that were started, dead ones too. */
  readonly members: readonly Member[];
  readonly living: () => readonly Member[];
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks a process for something. Gives `lost` where it dies, and where it does not answer in time. */
  readonly ask: <TValue>(member: Member, run: () => Promise<TValue>, timeoutMs?: number) => Promise<Asked<TValue>>;
  /** Lets time pass until what was begun has ended. Rejects with what it throws, and where it takes a virtual hour. */
  readonly runWith: (run: () => Promise<unknown>) => Promise<void>;
  /** Reads the store past all wires. */
  readonly readStore: Library['memoryStore'] extends (...given: never[]) => infer TStore ? TStore : never;
  readonly storeOperations: () => number;
  /** When something was written last, signs of life aside. */
  readonly writtenAt: () => number;
  /** Counts something by name, for the figures of a seed. */
  readonly counts: Map<string, number>;
  /** The present plans of calls with a preview, by subject: how often each has changed. */
  readonly plans: Map<string, number>;
  readonly close: () => void;
}

/** The answer of a process to a request. */
export type Asked<TValue> =
  | { readonly is: 'answered'; readonly value: TValue }
  | { readonly is: 'failed'; readonly thrown: unknown }
  | { readonly is: 'lost' };

/** Options of one run. */
export interface WorldOptions {
  readonly seed: number | string;
  readonly graphs: GraphPool;
  /** Whether services refuse and break off. */
  readonly isOutsideFaulty: boolean;
  /** Whether somebody is told of questions. @default false */
  readonly hasNotifier?: boolean;
  /** Whether each store operation is kept in the history. */
  readonly isWhole?: boolean;
  /** Chooses which request comes next, in place of the seed. */
  readonly search?: Search;
}

/** How long processes count as alive without a sign. */
export const leaseMs = 1_200;

/** From then on whoever is told of questions listens. */
const refusesUntilMs = 4_500;

/** Graphs of the library that wait for a process. */
export interface GraphPool {
  readonly take: () => Graph;
  readonly giveBack: (graphs: readonly Graph[]) => void;
}

/** Creates a pool. @param isFresh whether each process gets a graph that no other had */
export function createGraphPool(library: LoadedLibrary, isFresh = false): GraphPool {
  const free: Graph[] = [];
  return {
    take: () => free.pop() ?? library.createGraph(),
    giveBack(graphs) {
      if (!isFresh) free.push(...graphs);
    },
  };
}

/** Creates the world of a seed, in which nothing runs yet. */
export function createWorld({ seed, graphs, isOutsideFaulty, hasNotifier = false, isWhole = false, search }: WorldOptions): World {
  const random = createRandom(seed);
  const scheduler = createScheduler(random.fork('scheduler'), search);
  const history = createHistory(scheduler.now, isWhole);
  const observations = createObservations();
  /** Where a search chooses what comes first, all ways are equally long. */
  const ways = search && createSteady(0.3);
  const outside = createOutside({ scheduler, random: ways ?? random.fork('outside'), history, observations });
  const used: Graph[] = [];
  const members: Member[] = [];
  const counts = new Map<string, number>();
  let writtenAt = 0;
  const takeGraph = (): Graph => {
    const graph = graphs.take();
    used.push(graph);
    return graph;
  };

  // The machine of the store is one more graph, with a clock of its own.
  const storeGraph = takeGraph();
  const storeMachine: MachineClock = { aheadMs: 0 };
  const storeClock = createVirtualClock(scheduler, random.fork('store clock'), (run) => run(), storeMachine);
  const drawn = random.fork('store');
  storeGraph.give({
    now: storeClock.wall,
    monotonic: storeClock.monotonic,
    random: drawn.next,
    setTimer: storeClock.setTimer,
    clearTimer: (timer) => storeClock.clearTimer(timer as object),
    print: () => undefined,
  });
  const store = storeGraph.library.memoryStore({ now: storeClock.wall });

  const onStray = (reason: unknown): void => {
    const text =
      reason instanceof Error ? `${reason.name}: ${reason.message} ${reason.stack?.split('\n')[1]?.trim() ?? ''}` : String(reason);
    observations.strays.push(text);
    history.note('stray', text);
  };
  process.on('unhandledRejection', onStray);

  const count = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  function noteRow({ tenant, id, tool, origin, isPromised }: NewRow): void {
    observations.rows.set(id, { tenant, row: id, tool, origin, isPromised, at: scheduler.now() });
  }
  function changesIn(operation: WireOperation, answer: unknown): readonly Change[] {
    const taken = takenIn(operation, answer);
    for (const { wasDead } of taken) count(wasDead ? 'takenOver' : 'wentOn');
    if (taken.length > 0) return taken.map(({ id, epoch }) => ({ row: id, epoch, isEnd: false }));
    const { is, epoch } = answer as Partial<RowPlace> & { readonly is?: string };
    const at = operation.given[0] as Partial<RowPlace>;
    if (operation.name === 'begin') return is === 'begun' ? [{ row: at.id ?? '', epoch: epoch ?? 1, isBegun: true, isEnd: false }] : [];
    if (is !== 'written' && is !== 'answered' && is !== 'asked' && is !== 'ended') return [];
    const { call } = answer as { readonly call?: { readonly id: string; readonly stage: string } };
    const isEnd = operation.name === 'end' || call?.stage === 'ended';
    return [{ row: at.id ?? call?.id ?? '', epoch: at.epoch ?? 0, isEnd }];
  }

  /** Creates the notifier of a process: its recipient may refuse, or break off before or after it was told. */
  const createNotifier = (process: SimulatedProcess, draw: Random): Notifier =>
    process.library.defineNotifier({
      name: 'hook',
      send: ({ id, type, data: { handle } }) =>
        new Promise((resolve, reject) => {
          const mood =
            isOutsideFaulty && scheduler.now() < refusesUntilMs ? draw.weighted({ served: 80, refused: 10, broken: 10 }) : 'served';
          const end = (run: () => void): unknown => scheduler.after(draw.between(1, 60), () => process.deliver(run));
          scheduler.after(draw.between(1, 60), () => {
            if (mood === 'refused') return end(() => reject(new Error('503')));
            const isTaken = mood === 'served';
            observations.notices.push({
              id,
              handle,
              isClosing: !type.endsWith('.requested'),
              process: process.name,
              at: scheduler.now(),
              isTaken,
            });
            history.note('outside', `is told ${type} of ${handle.slice(0, 18)} by ${process.name}${isTaken ? '' : ', and breaks off'}`);
            return end(isTaken ? () => resolve(undefined) : () => reject(new Error('ECONNRESET')));
          });
        }),
    });
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void scheduler.after(ms, resolve));
  const tries = new Map<string, number>();
  const plans = new Map<string, number>();
  const tools = { outside, scheduler, random: random.fork('services'), isFaulty: isOutsideFaulty, tries, plans };

  return {
    scheduler,
    random,
    history,
    observations,
    outside,
    storeMachine,
    members,
    living: () => members.filter(({ process }) => process.isAlive()),
    start(name, { hasWorker = true, machine = storeMachine, faults = () => undefined, renamed, onRun, options } = {}) {
      const own = random.fork(`process ${name}`);
      const simulated = startProcess({
        name,
        graph: takeGraph(),
        scheduler,
        random: own,
        history,
        machine,
        disturbances: observations.disturbances,
      });
      const wire = createWire({
        store: store as never,
        process: simulated,
        scheduler,
        random: ways ?? own.fork('wire'),
        history,
        faults,
        onDone(operation, answer) {
          const changed = isWrite(operation) ? changesIn(operation, answer) : [];
          if (changed.length > 0) writtenAt = scheduler.now();
          for (const written of grantsIn(operation, answer)) {
            observations.grants.push({ ...written, at: scheduler.now(), clock: storeClock.wall() });
            count(`grant ${written.what}`);
          }
          for (const { isBegun, ...write } of changed) {
            observations.writes.push({ ...write, process: name, name: operation.name, at: scheduler.now() });
            if (isBegun) noteRow(operation.given[0] as NewRow);
          }
          for (const question of questionsIn(operation, answer))
            observations.questions.push({ ...question, at: scheduler.now(), isClosed: false });
          if (isLost(answer)) count('lost');
        },
        onAnswer: ({ name: process }, doneAt, operation, answer) => outside.answered(process, doneAt, rowsIn(operation, answer)),
      });
      history.note(
        'fault',
        `${name} starts${hasWorker ? ' with a worker' : ''}${machine === storeMachine ? '' : `, its clock ${Math.round(machine.aheadMs)} ms off`}`,
      );
      const toolWorld = { ...tools, ...(renamed && { renamed }), ...(onRun && { onRun }) };
      const notifier = hasNotifier ? createNotifier(simulated, own.fork('notifier')) : undefined;
      const toolbox = createToolbox(simulated, wire, toolWorld, notifier, options);
      const member: Member = { process: simulated, wire, toolbox, hasWorker };
      members.push(member);
      if (hasWorker) simulated.library.createWorker(toolbox, { everyMs: 700 });
      return member;
    },
    sleep,
    async runWith(run) {
      let ended: { readonly thrown?: unknown } | undefined;
      const until = scheduler.now() + 3_600_000;
      run().then(
        () => {
          ended = {};
        },
        (thrown: unknown) => {
          ended = { thrown };
        },
      );
      while (ended === undefined && scheduler.now() < until) await scheduler.runUntil(scheduler.now() + 20);
      if (ended === undefined) throw new Error('it takes longer than an hour');
      if ('thrown' in ended) throw ended.thrown;
    },
    ask: (member, run, timeoutMs = 60_000) =>
      new Promise((resolve) => {
        const patience = scheduler.after(timeoutMs, () => resolve({ is: 'lost' }));
        const end = (asked: Asked<never>): void => {
          patience.isOff = true;
          resolve(asked);
        };
        // Whoever is connected to it notices.
        member.process.onDeath(() => scheduler.after(20, () => end({ is: 'lost' })));
        member.process.deliver(() => {
          try {
            run().then(
              (value) => end({ is: 'answered', value } as never),
              (thrown: unknown) => end({ is: 'failed', thrown }),
            );
          } catch (thrown) {
            end({ is: 'failed', thrown });
          }
        });
      }),
    readStore: store,
    writtenAt: () => writtenAt,
    storeOperations: () => members.reduce((sum, { wire }) => sum + wire.count(), 0),
    counts,
    plans,
    close() {
      process.off('unhandledRejection', onStray);
      for (const { process } of members) process.clock.stop();
      graphs.giveBack(used);
    },
  };
}

/** A row of a call as the store names it. */
interface RowPlace {
  readonly id: string;
  readonly epoch: number;
}

interface NewRow extends RowPlace {
  readonly tenant: string;
  readonly tool: string;
  readonly origin: string;
  readonly isPromised: boolean;
}

interface Change {
  readonly row: string;
  readonly epoch: number;
  readonly isBegun?: true;
  readonly isEnd: boolean;
}

/** Gives what an operation did to a standing grant. */
function grantsIn(
  { name, given: [at, given] }: WireOperation,
  answer: unknown,
): readonly Pick<ObservedGrantWrite, 'what' | 'grant' | 'row' | 'reason'>[] {
  const { is, grant, question, call } = (answer ?? {}) as Partial<{
    readonly is: string;
    readonly grant: string;
    readonly question: { readonly call: string };
    readonly call: { readonly id: string; readonly grant: string };
  }>;
  const { id = '' } = (at ?? {}) as { readonly id?: string };
  const { grant: gave, grants } = (given ?? {}) as Partial<{
    readonly grant: { readonly id: string; readonly permit: { readonly reason?: string } };
    readonly grants: readonly string[];
  }>;
  if (name === 'answer' && is === 'answered' && gave !== undefined)
    return [{ what: 'given', grant: gave.id, row: question?.call ?? '', reason: gave.permit.reason }];
  if (name === 'begin' && is === 'begun' && grant !== undefined) return [{ what: 'used', grant, row: id }];
  if (name === 'take' && is === 'taken' && grants !== undefined) return [{ what: 'used', grant: call?.grant ?? '', row: id }];
  return name === 'revoke' && is === 'revoked' ? [{ what: 'revoked', grant: id, row: '' }] : [];
}

/** Returns the calls that an operation took. */
function takenIn({ name }: WireOperation, answer: unknown): readonly (RowPlace & { readonly wasDead: boolean })[] {
  if (name === 'takeDue') return answer as readonly (RowPlace & { readonly wasDead: boolean })[];
  if (name !== 'take') return [];
  const { is, call } = answer as { readonly is: string; readonly call: RowPlace & { readonly wasDead: boolean } };
  return is === 'taken' ? [call] : [];
}

/** Returns the rows that a process may run by an answer. */
function rowsIn(operation: WireOperation, answer: unknown): readonly string[] {
  const taken = takenIn(operation, answer).map(({ id }) => id);
  if (taken.length > 0 || (operation.name !== 'begin' && operation.name !== 'steps')) return taken;
  return [(operation.given[0] as RowPlace).id];
}

function isLost(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && (answer as { readonly is?: string }).is === 'lost';
}

/** Returns the questions that an operation asked, of which somebody is to be told. */
function questionsIn(
  { name, given: [at, given] }: WireOperation,
  answer: unknown,
): readonly { readonly tenant: string; readonly handle: string }[] {
  const { is } = (answer ?? {}) as { readonly is?: string };
  const isAsked = (name === 'begin' && is === 'begun') || (name === 'wait' && is === 'written');
  const { tenant, wait } = at as { readonly tenant: string; readonly wait?: Asks };
  const asks = name === 'begin' ? wait : (given as Asks | undefined);
  return isAsked && asks?.notify !== undefined ? asks.questions.map(({ handle }) => ({ tenant, handle })) : [];
}

interface Asks {
  readonly notify?: readonly string[];
  readonly questions: readonly { readonly handle: string }[];
}

function createToolbox(
  process: SimulatedProcess,
  { store }: Wire,
  tools: ToolWorld,
  notifier: Notifier | undefined,
  options: StartOptions['options'],
) {
  const { library } = process;
  const { calls, ...rest } = options?.(library) ?? {};
  return library.createToolbox(createTools(process, tools), {
    store,
    calls: { leaseMs, ...calls },
    report: () => undefined,
    ...rest,
    ...(notifier && { notify: [notifier] }),
  });
}
