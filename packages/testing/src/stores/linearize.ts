import { applyOperation, emptyModel, isAnswer, type LedgerModel, type LedgerOperation, type MomentScale } from './ledger-model.ts';

/** An operation that a client did, and when it asked and was answered: each counts up one number for all clients. */
export interface ObservedOperation {
  readonly client: string;
  readonly operation: LedgerOperation;
  readonly asked: number;
  /** Infinite where it failed: then nobody knows whether it was done, or when. */
  readonly answered: number;
  readonly answer?: unknown;
}

/** How the moments of a history are read. */
export interface HistoryClock {
  readonly observed: MomentScale;
  readonly model: MomentScale;
  /** The time of the model, which stands still. */
  readonly now: number;
}

/** What a search gives: whether some order explains a history, or that there were too many orders to look at. */
export type Linearized = 'explained' | 'unexplained' | 'undecided';

const mostStates = 200_000;

/**
 * Looks for an order of operations, each done at one moment between its question and its answer, in which the model of the port gives the
 * answers that were observed (Wing and Gong, with the memory of Lowe).
 */
export function linearize(history: readonly ObservedOperation[], clock: HistoryClock): Linearized {
  const seen = new Set<string>();
  let states = 0;
  const search = (model: LedgerModel, done: readonly boolean[]): Linearized => {
    const open = history.flatMap((each, index) => (done[index] === true ? [] : [[each, index] as const]));
    // An operation that failed need not have been done.
    if (open.every(([{ answered }]) => answered === Number.POSITIVE_INFINITY)) return 'explained';
    const state = `${done.map(Number).join('')} ${JSON.stringify(model)}`;
    if (seen.has(state)) return 'unexplained';
    seen.add(state);
    states += 1;
    if (states > mostStates) return 'undecided';
    const firstAnswer = Math.min(...open.map(([{ answered }]) => answered));
    const steps = open.flatMap(([{ operation, asked, answered, answer }, index]) => {
      if (asked > firstAnswer) return [];
      const [after, modelled] = applyOperation(model, operation, clock.now, { among: answer });
      const isTrue = answered === Number.POSITIVE_INFINITY || isAnswer(answer, clock.observed, modelled, clock.model);
      return isTrue ? [{ after, index }] : [];
    });
    // What changes nothing and is true now may as well be done now: no other order can be better.
    const idle = steps.find(({ after }) => after === model);
    let found: Linearized = 'unexplained';
    for (const { after, index } of idle ? [idle] : steps) {
      const rest = search(after, done.with(index, true));
      if (rest === 'explained') return rest;
      if (rest === 'undecided') found = rest;
    }
    return found;
  };
  return search(
    emptyModel,
    history.map(() => false),
  );
}
