import type { CallState, StoredQuestion, TakenCall, TakenNotices } from 'toolpact/extend';
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

/** The verdict on a history: explained by some order or not, or undecided because there were too many orders. */
export type Linearized = 'explained' | 'unexplained' | 'undecided';

/** A part of an operation that is done at one moment. */
interface Act {
  readonly operation: LedgerOperation;
  readonly asked: number;
  readonly answered: number;
  readonly answer: unknown;
  /** The part of the answer that this act decides. */
  readonly told: (answer: unknown) => unknown;
  /** The act that comes before this one. */
  readonly after?: number;
}

const mostStates = 200_000;

/**
 * Looks for an order of operations, each done at one moment between its question and its answer, in which the model of the port gives the
 * answers that were observed (Wing and Gong, with the memory of Lowe). The call that an answer shows may be read at a later such moment.
 */
export function linearize(history: readonly ObservedOperation[], clock: HistoryClock): Linearized {
  const acts: Act[] = [];
  for (const observed of history) acts.push(...toActs(observed, acts.length));
  const seen = new Set<string>();
  const search = (model: LedgerModel, done: readonly boolean[]): Linearized => {
    const open = acts.flatMap((each, index) => (done[index] === true ? [] : [[each, index] as const]));
    const firstAnswer = Math.min(...open.map(([{ answered }]) => answered));
    // A failed operation need not have been done.
    if (firstAnswer === Number.POSITIVE_INFINITY) return 'explained';
    const state = `${done.map(Number).join('')} ${JSON.stringify(model)}`;
    if (seen.has(state)) return 'unexplained';
    seen.add(state);
    if (seen.size > mostStates) return 'undecided';
    const steps = open.flatMap(([{ operation, asked, answered, answer, told, after }, index]) => {
      if (asked > firstAnswer || (after !== undefined && done[after] !== true)) return [];
      const [next, modelled] = applyOperation(model, operation, clock.now, { among: answer });
      const isTrue = answered === Number.POSITIVE_INFINITY || isAnswer(told(answer), clock.observed, told(modelled), clock.model);
      return isTrue ? [{ next, index }] : [];
    });
    // An operation that changes nothing and is true now may as well be done now: no other order can be better.
    const idle = steps.find(({ next }) => next === model);
    let found: Linearized = 'unexplained';
    for (const { next, index } of idle ? [idle] : steps) {
      const rest = search(next, done.with(index, true));
      if (rest === 'explained') return rest;
      if (rest === 'undecided') found = rest;
    }
    return found;
  };
  return search(
    emptyModel,
    acts.map(() => false),
  );
}

/** Takes an operation apart: what it decides and writes, and the calls that its answer shows. */
function toActs({ operation, asked, answered, answer }: ObservedOperation, index: number): Act[] {
  const act = { operation, asked, answered, answer, told: decided[operation.name] ?? whole };
  if (answered === Number.POSITIVE_INFINITY) return [act];
  const shown = shownIn(operation, answer);
  return [act, ...shown.map((each): Act => ({ ...each, asked, answered, told: whole, after: index }))];
}

const whole = (answer: unknown): unknown => answer;

type Answer = { readonly is: string; readonly call?: TakenCall; readonly question?: StoredQuestion };

const isOf = (answer: unknown): unknown => ({ is: (answer as Answer).is });
const takenOf = (call: TakenCall | undefined): unknown =>
  call && { id: call.id, epoch: call.epoch, process: call.process, wasDead: call.wasDead, args: call.args, steps: call.steps };

/** The part of an answer that is decided together with the write. All others are so as a whole. */
const decided: { readonly [TName in LedgerOperation['name']]?: (answer: unknown) => unknown } = {
  begin(answer) {
    const { is, call } = answer as Answer;
    return call ? { is, id: call.id } : answer;
  },
  take(answer) {
    const { is, call } = answer as Answer;
    return is === 'taken' ? { is, call: takenOf(call) } : { is };
  },
  takeNotices: (answer) => (answer as TakenNotices).notices.map(({ handle, event, attempt }) => ({ handle, event, attempt })),
  takeDue: (answer) => (answer as readonly TakenCall[]).map(takenOf),
  stepBegin: isOf,
  stepEnd: isOf,
  wait: isOf,
  note: isOf,
  end: isOf,
  cancel: isOf,
  answer(answer) {
    const { is, question } = answer as Answer;
    // A question goes over to the call that replaces its own.
    return question ? { is, question: { ...question, listed: undefined, call: undefined } } : { is };
  },
};

/** Returns what an answer shows of calls beside its decision, as reads of their own. */
function shownIn(operation: LedgerOperation, answer: unknown): Pick<Act, 'operation' | 'answer'>[] {
  const { name, with: words } = operation;
  if (name === 'takeDue') return (answer as readonly TakenCall[]).map(showTaken);
  const { is, call } = (answer ?? {}) as Answer;
  if (name === 'answer') return call ? [{ operation: { name: 'look', with: [[call]] }, answer: [call satisfies CallState] }] : [];
  if (decided[name] === undefined || name === 'takeNotices') return [];
  if (call) return [showTaken(call)];
  const [at] = words as readonly { readonly tenant: string; readonly id: string }[];
  return is === 'lost' && at ? [{ operation: { name: 'get', with: [at.tenant, at.id] }, answer: undefined }] : [];
}

function showTaken(taken: TakenCall): Pick<Act, 'operation' | 'answer'> {
  const { wasDead: _, args: __, steps: ___, ...call } = taken;
  return { operation: { name: 'get', with: [call.tenant, call.id] }, answer: call };
}
