import type { History } from './history.ts';
import type { Observations, ObservedRun, ObservedStep } from './observations.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** How the outside world treats a request: it serves it, refuses it, or breaks off before or after the effect. */
export type Mood = 'served' | 'refused' | 'broken-before' | 'broken-after';

/** The world beyond the processes: services that take effect, and remember what they did. */
export interface Outside {
  /** Asks a service for an effect, on behalf of a process. */
  readonly act: (process: SimulatedProcess, act: ActRequest) => Promise<string>;
  /** Asks whether an effect of a step, or of any step of a call, is there. */
  readonly look: (
    process: SimulatedProcess,
    about: { readonly run: Named; readonly step: string | undefined },
  ) => Promise<'applied' | 'none'>;
  readonly runBegan: (
    process: SimulatedProcess,
    run: Omit<ObservedRun, 'place' | 'process' | 'row' | 'beganAt' | 'saidAt' | 'endedAt'>,
  ) => ObservedRun;
  /** Notes that the store answered a process, about which rows. */
  readonly answered: (process: string, doneAt: number, rows: readonly string[]) => void;
}

type Named = Pick<ObservedRun, 'tool' | 'id' | 'attempt' | 'invocationId'>;

/** A request to a service. */
export interface ActRequest {
  readonly run: ObservedRun;
  readonly step: string;
  readonly effects: ObservedStep['effects'];
  readonly key: string;
  readonly mood: Mood;
  /** Creates the failure of a service that refuses: it shows that nothing happened. */
  readonly refusal: () => unknown;
}

interface OutsideParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly history: History;
  readonly observations: Observations;
}

/** Creates the outside world of one run. */
export function createOutside({ scheduler, random, history, observations }: OutsideParts): Outside {
  const { runs, steps, reconciles } = observations;
  /** The last answer of the store to each process: what that does in the same step of the scheduler it does by that answer. */
  const said = new Map<string, { readonly doneAt: number; readonly step: number; readonly rows: readonly string[] }>();
  const saidTo = (process: string): number => {
    const last = said.get(process);
    return last?.step === scheduler.steps() ? last.doneAt : scheduler.now();
  };
  /** A call that goes on with another one keeps its own id, and runs the row that the store has just given to its process. */
  const rowOfRun = (process: string, id: string): string => {
    if (observations.rows.has(id)) return id;
    const last = said.get(process);
    return (last?.step === scheduler.steps() ? last.rows[0] : undefined) ?? lookedAt.get(`${process}/${id}`) ?? id;
  };
  /** The rows of which tools were asked what became of them, before they ran. */
  const lookedAt = new Map<string, string>();
  const travel = (): number => (random.chance(0.93) ? random.between(0.5, 20) : random.between(20, 900));

  return {
    runBegan(process, facts) {
      const run: ObservedRun = {
        ...facts,
        place: runs.length,
        process: process.name,
        row: rowOfRun(process.name, facts.invocationId),
        beganAt: scheduler.now(),
        saidAt: saidTo(process.name),
        endedAt: undefined,
      };
      runs.push(run);
      history.note(process.name, `runs ${facts.tool} ${facts.attempt} (${facts.id})${facts.attempt === run.row ? '' : ` as ${run.row}`}`);
      return run;
    },
    answered(process, doneAt, rows) {
      said.set(process, { doneAt, step: scheduler.steps(), rows });
    },
    act(process, { run, step, effects, key, mood, refusal }) {
      const observed: ObservedStep = {
        run,
        step,
        effects,
        key,
        at: scheduler.now(),
        saidAt: saidTo(process.name),
        effectAt: undefined,
      };
      steps.push(observed);
      const name = `${step} of ${run.attempt} (${run.id})`;
      history.note(process.name, `begins ${name}, key ${key}`);
      return new Promise((resolve, reject) => {
        const reply = (run: () => void): unknown => scheduler.after(travel(), () => process.deliver(run));
        scheduler.after(travel(), () => {
          if (mood === 'refused') {
            history.note('outside', `refuses ${name}`);
            return reply(() => reject(refusal()));
          }
          if (mood === 'broken-before') return reply(() => reject(new Error('The line went dead.')));
          observed.effectAt = scheduler.now();
          if (effects !== 'none') history.note('outside', `EFFECT ${name} for ${process.name}`);
          reply(() => (mood === 'broken-after' ? reject(new Error('The line went dead.')) : resolve(`${step} done`)));
        });
      });
    },
    look(process, { run, step }) {
      lookedAt.set(`${process.name}/${run.invocationId}`, rowOfRun(process.name, run.invocationId));
      return new Promise((resolve) => {
        scheduler.after(travel(), () => {
          const isThere = steps.some(
            (one) =>
              one.effectAt !== undefined && one.effects !== 'none' && isSame(one.run, run) && (step === undefined || one.step === step),
          );
          const answer = isThere ? 'applied' : 'none';
          reconciles.push({ tool: run.tool, id: run.id, step, at: scheduler.now(), said: answer });
          history.note('outside', `says ${answer} of ${step ?? 'any step'} of ${run.attempt} (${run.id}) to ${process.name}`);
          scheduler.after(travel(), () => process.deliver(() => resolve(answer)));
        });
      });
    },
  };
}

/** A service knows its customers by what the call is about. */
function isSame(one: Pick<Named, 'tool' | 'id'>, other: Pick<Named, 'tool' | 'id'>): boolean {
  return one.tool === other.tool && one.id === other.id;
}
