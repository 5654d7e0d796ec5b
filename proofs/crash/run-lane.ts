import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { keyed, type Lifetime, type PlannedCall, phases, type Told, toolNames } from './lifetime.ts';

/** One process: what it was to do, what it told, and how it ended. */
export interface Life {
  readonly plan: Lifetime;
  readonly told: readonly Told[];
  readonly end: 'by itself' | 'by its own hand' | 'from outside';
}

/** All processes that lived on one lane, one after the other, and what their tools did to the world. */
export interface History {
  readonly lives: readonly Life[];
  readonly ledger: readonly string[];
}

export interface LaneOptions {
  readonly name: string;
  /** The file to run, made by `bundleProgram`. */
  readonly program: string;
  readonly store: StoreAddress;
  readonly folder: string;
  readonly seed: number;
  readonly kills: number;
  /** Goes on beyond the number of kills until a process has died at every point. */
  readonly everyPoint?: boolean;
  readonly forgets?: number;
  /** How long guards wait for the store, as the program was made. @default 2,000 */
  readonly storeMs?: number;
  readonly late?: Lifetime['late'];
  /** Is called for every process that was killed. */
  readonly onKill?: () => void;
}

const patienceMs = 60_000;
/** Every fourth process is killed from outside, at any moment; the others die where they are told to. */
const fromOutside = 4;
/** Longer than most processes take for their calls. */
const longestMs = 40;

/**
 * Lets one process after the other work on the same calls, each killed until there were enough; each makes new calls, resumes the runs of
 * the earlier ones and repeats their keys. The last one is left alone and asks for everything once more.
 */
export async function runLane({
  name,
  program,
  store,
  folder,
  seed,
  kills,
  everyPoint = false,
  forgets,
  storeMs = 2_000,
  late,
  onKill,
}: LaneOptions): Promise<History> {
  const random = createRandom(seed);
  const ledger = join(folder, `${name}.ledger`);
  writeFileSync(ledger, '');
  const lives: Life[] = [];
  const [unanswered, answered, unresumed, runs] = [
    new Map<string, PlannedCall>(),
    new Map<string, PlannedCall>(),
    new Set<string>(),
    [] as string[],
  ];

  async function live(calls: readonly PlannedCall[], resumes: readonly string[], dies: Lifetime['dies'] | 'from outside'): Promise<void> {
    const runId = `${name}-${runs.length}`;
    runs.push(runId);
    const plan: Lifetime = {
      store,
      forgets,
      lateMs: storeMs / 4,
      late,
      ledger,
      runId,
      calls,
      resumes,
      ...(typeof dies === 'object' && { dies }),
    };
    const life = await liveOnce(program, plan, dies === 'from outside' ? random() * longestMs : undefined);
    lives.push(life);
    if (life.end !== 'by itself') onKill?.();
    unresumed.add(runId);
    for (const call of calls) if (keyed.has(call.tool) && !answered.has(call.id)) unanswered.set(call.id, call);
    for (const told of life.told) {
      const call = told.type === 'answer' ? unanswered.get(told.id) : undefined;
      if (call !== undefined && unanswered.delete(call.id)) answered.set(call.id, call);
      if (told.type === 'resumed') unresumed.delete(told.runId);
    }
  }

  const isEnough = (): boolean => {
    const killed = lives.filter(({ end }) => end !== 'by itself');
    const died = new Set(killed.map(({ plan }) => plan.dies?.at));
    return killed.length >= kills && !(everyPoint && phases.some((phase) => !died.has(phase)));
  };
  for (let turn = 0; !isEnough() && turn < kills * 3; turn += 1) {
    const known = [...answered.values()];
    const again = known.length === 0 ? [] : [0, 1].map(() => known[Math.floor(random() * known.length)] as PlannedCall);
    const made = toolNames.map((tool): PlannedCall => ({ tool, id: `${name}-${turn}-${tool}` }));
    const calls = [...made, ...unanswered.values(), ...new Set(again)];
    const at = phases[turn % phases.length] ?? phases[0];
    // Few calls are lost at a time, so it may not take many of them to die over one.
    const times = isAboutLost(at) ? 2 : calls.length;
    const dies = turn % fromOutside === fromOutside - 1 ? 'from outside' : { at, nth: 1 + Math.floor(random() * times) };
    await live(calls, [...unresumed], dies);
  }
  await live([...unanswered.values(), ...answered.values()], [...runs], undefined);
  return { lives, ledger: readFileSync(ledger, 'utf8').split('\n').slice(0, -1) };
}

function isAboutLost(phase: (typeof phases)[number]): boolean {
  return phase === 'after a lost call is taken' || phase === 'while asking what became of it';
}

async function liveOnce(program: string, plan: Lifetime, killAfterMs: number | undefined): Promise<Life> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: `${program}.compiled` },
  });
  let isHung = false;
  const hung = setTimeout(() => {
    isHung = child.kill('SIGKILL');
  }, patienceMs);
  const exited = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const told: Told[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const news = JSON.parse(line) as Told;
    told.push(news);
    if (news.type === 'ready' && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  }
  const isKilled = (await exited) === 'SIGKILL' && !isHung;
  clearTimeout(hung);
  const isOwnHand = told.some(({ type }) => type === 'dies');
  return { plan, told, end: isKilled ? (isOwnHand ? 'by its own hand' : 'from outside') : 'by itself' };
}

/** A small generator, so that the same seed kills at the same points. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
