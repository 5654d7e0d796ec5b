import { canonicalJson } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { HostCall } from './host-tools.ts';

/** A call as the model sent it. */
interface AskedCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** A call that was made, for those that repeat it. */
interface MadeCall {
  readonly call: AskedCall;
  readonly outcome: Promise<Outcome>;
  /** Values that the handler threw to steer the host. */
  readonly steering: readonly unknown[];
}

/** The calls of one answer of a model. */
type MadeCalls = Set<MadeCall>;

/** Checks whether two calls of one answer are one call: the same name and arguments under the same id. Calls without an id never are. */
export function isSameCall(a: AskedCall, b: AskedCall): boolean {
  return a.id !== undefined && a.id !== '' && a.id === b.id && a.name === b.name && canonicalJson(a.args) === canonicalJson(b.args);
}

/**
 * Makes a call, or gives the outcome of the one that it repeats: models and servers send a call twice, and a tool that writes must not run twice.
 * A host may make a call again that changed nothing, or that waits: it goes on with calls that interrupted it.
 */
export async function callOnce(
  toolbox: object,
  call: AskedCall,
  { turn, isControlFlow }: Pick<HostCall, 'turn' | 'isControlFlow'>,
  make: (isControlFlow: HostCall['isControlFlow']) => Promise<Outcome>,
): Promise<Outcome> {
  if (turn === undefined) return make(isControlFlow);
  const calls = callsOf(toolbox, turn);
  const first = [...calls].find((one) => isSameCall(one.call, call));
  if (first !== undefined) {
    const outcome = await first.outcome;
    // The host of each of them is steered.
    for (const thrown of first.steering) isControlFlow?.(thrown);
    return outcome;
  }
  const steering: unknown[] = [];
  const watch = (thrown: unknown): boolean => {
    const isSteering = isControlFlow?.(thrown) === true;
    if (isSteering) steering.push(thrown);
    return isSteering;
  };
  const made: MadeCall = { call, outcome: make(isControlFlow && watch), steering };
  calls.add(made);
  const outcome = await made.outcome;
  if (typeof turn === 'string' || mayRunAgain(outcome)) calls.delete(made);
  if (typeof turn === 'string' && calls.size === 0) turnsOf(toolbox).ofRuns.delete(turn);
  return outcome;
}

function mayRunAgain(outcome: Outcome): boolean {
  return outcome.status === 'pending' || (outcome.status === 'error' && outcome.error.effect === 'none');
}

interface Turns {
  readonly ofObjects: WeakMap<object, MadeCalls>;
  readonly ofRuns: Map<string, MadeCalls>;
}

const turns = new WeakMap<object, Turns>();

function turnsOf(toolbox: object): Turns {
  const known = turns.get(toolbox) ?? { ofObjects: new WeakMap(), ofRuns: new Map() };
  turns.set(toolbox, known);
  return known;
}

function callsOf(toolbox: object, turn: object | string): MadeCalls {
  const { ofObjects, ofRuns } = turnsOf(toolbox);
  const calls: MadeCalls = (typeof turn === 'string' ? ofRuns.get(turn) : ofObjects.get(turn)) ?? new Set();
  if (typeof turn === 'string') ofRuns.set(turn, calls);
  else ofObjects.set(turn, calls);
  return calls;
}
