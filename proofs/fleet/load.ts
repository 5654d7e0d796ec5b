import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from 'toolpact';
import { crashSteps, readLedger } from '../../packages/restate/test/crash-tool.ts';

/** Options of the load on a fleet. */
export interface LoadOptions {
  /** The file in which every step writes a line: the truth about what happened. */
  readonly ledger: string;
  /** How many calls are in flight at a time. */
  readonly calls: number;
  /** Makes the call of this name; the same name again is the same call. */
  readonly call: (id: string) => Promise<Outcome<unknown>>;
  readonly say?: (line: string) => void;
}

/** Findings about a fleet's calls: violations as sentences, and how the calls ended. */
export interface FleetFindings {
  readonly broken: readonly string[];
  readonly calls: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly longestMs: number;
}

/** Calls that are in flight while something happens to the fleet. */
export interface Load {
  /** Keeps calls in flight until `act` is over and judges how they ended. Where nothing may be lost, all of them have to end well. */
  readonly during: (what: string, act: () => unknown, mayLose?: boolean) => Promise<void>;
  readonly findings: () => FleetFindings;
}

interface Answer {
  readonly id: string;
  readonly outcome: Outcome<unknown>;
  /** How long it took. */
  readonly ms: number;
  /** The answer to the same call, made once more. */
  readonly again: Outcome<unknown>;
}

/** Calls a fleet, and compares its answers with the ledger. */
export function createLoad({ ledger, calls, call, say = () => undefined }: LoadOptions): Load {
  const broken: string[] = [];
  const ends: Record<string, number> = {};
  let longestMs = 0;
  let made = 0;

  async function during(what: string, act: () => unknown, mayLose = true): Promise<void> {
    const startedAt = performance.now();
    const before = made;
    let isOver = false;
    const callers = Array.from({ length: calls }, async (_, caller) => {
      const answers: Omit<Answer, 'again'>[] = [];
      for (let turn = 1; turn === 1 || !isOver; turn += 1) {
        const id = `${what}-${caller}-${turn}`.replaceAll(' ', '_');
        const began = performance.now();
        const outcome = await call(id);
        const ms = performance.now() - began;
        answers.push({ id, outcome, ms });
        longestMs = Math.max(longestMs, ms);
      }
      return answers;
    });
    const mark = `charge ${what.replaceAll(' ', '_')}-`;
    // Most calls are in the middle of their steps.
    while (readLedger(ledger).filter((line) => line.startsWith(mark)).length < calls / 2) await delay(20);
    await act();
    isOver = true;
    const answers = (await Promise.all(callers)).flat();
    made += answers.length;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const judged = await Promise.all(answers.map(async (answer): Promise<Answer> => ({ ...answer, again: await call(answer.id) })));
    const times = countLines(ledger);
    const own: Record<string, number> = {};
    for (const answer of judged) {
      const end = endOf(answer.outcome);
      for (const counts of [own, ends]) counts[end] = (counts[end] ?? 0) + 1;
      broken.push(...judge(answer, times, mayLose));
    }
    say(`${what}: ${made - before} calls answered in ${seconds} s, ends ${JSON.stringify(own)}`);
  }

  return { during, findings: () => ({ broken, calls: made, ends, longestMs }) };
}

function countLines(ledger: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const line of readLedger(ledger)) times.set(line, (times.get(line) ?? 0) + 1);
  return times;
}

function judge({ id, outcome, ms, again }: Answer, ledger: ReadonlyMap<string, number>, mayLose: boolean): string[] {
  const times = (name: string): number => ledger.get(`${name} ${id}`) ?? 0;
  // A store that is away cannot say what became of a call. Whoever asks later may learn more, but never less.
  const isDoubt = outcome.status === 'error' && doubts.has(outcome.error.kind) && outcome.error.effect === 'unknown';
  const done = crashSteps.flatMap(({ name }) => (times(name) > 0 ? [`${name} ${times(name)} times`] : []));
  const isOk = outcome.status === 'ok' && isDeepStrictEqual(outcome.data, allSteps);
  return [
    ...crashSteps.flatMap(({ name, effects }) =>
      effects === 'writes' && times(name) > 1 ? [`${id}: ${name} was done ${times(name)} times`] : [],
    ),
    ...(isOk || (isDoubt && mayLose)
      ? []
      : [`${id}: ended as ${JSON.stringify(outcome)} after ${Math.round(ms)} ms; done: ${done.join(', ')}`]),
    ...(isOk && crashSteps.some(({ name }) => times(name) === 0) ? [`${id}: a step was left out`] : []),
    ...(endOf(again) === endOf(outcome) || (isDoubt && mayLose && again.status === 'ok')
      ? []
      : [`${id}: ended as ${endOf(outcome)}; asked again, ${JSON.stringify(again)}`]),
  ];
}

const doubts: ReadonlySet<string> = new Set(['interrupted', 'not_ready']);
const allSteps = crashSteps.map(({ name }) => name);

function endOf(outcome: Outcome<unknown>): string {
  return outcome.status === 'error' ? outcome.error.kind : outcome.status;
}
