import type { FailureKind } from 'toolpact';
import { z } from 'zod';
import type { ScriptedCall, ToolSpec } from './host.ts';

/** The facts that must be told about one call. */
export type Expected = Failing | Working;

/** The call fails, and the model reads why. */
export interface Failing {
  /** The kind that Toolpact gives it. */
  readonly kind: FailureKind;
  /** The true cause in the words of the model's text; a failure without these words has lost its cause. */
  readonly says: RegExp;
  /** Matches a text that tells of another error than the tool's. */
  readonly misleads?: RegExp;
  /** Fine as well: the call works after all, and the text has these words. */
  readonly orSays?: RegExp;
}

/** The call works, and the model gets its result. */
export interface Working {
  readonly says: RegExp;
  readonly not?: RegExp;
  /** Fine as well: the call is refused, with these words. */
  readonly orFails?: RegExp;
  /** The most the model may be sent. */
  readonly maxChars?: number;
  /** The arguments must still be in the history as they were sent. */
  readonly keepsArguments?: true;
}

/** One fault of the battery: the tools, the calls that the scripted model makes, and what must come of them. */
export interface Fault {
  readonly title: string;
  readonly group: 'thrown' | 'upstream' | 'time' | 'arguments' | 'names' | 'results' | 'leaks' | 'siblings';
  readonly tools: readonly ToolSpec[];
  readonly calls: readonly ScriptedCall[];
  /** By call id. */
  readonly expected: Readonly<Record<string, Expected>>;
  /** One of the 30 faults that must be classified for the application. */
  readonly isError: boolean;
  /** Runs in a process of its own, because it may end or block it. */
  readonly alone?: true;
  /** The deadline of the toolbox, for what would hang otherwise. */
  readonly timeoutMs?: number;
  /** Needs a framework whose tools declare the form of their results. */
  readonly needsOutputSchema?: true;
}

/** A secret that must never reach a model, whatever fails. */
export const canary = 'sk-live-4f9a8b7c6d5e4f3a2b1c';

export type Run = (args: { readonly account: string; readonly amount: number }) => unknown;

const input = z.object({ account: z.string(), amount: z.number() });
export const good = { account: 'a-1', amount: 5 };

export const transfer = (run: Run): ToolSpec => ({ name: 'transfer', description: 'Moves money.', input, run });
export const call = (args: unknown, name = 'transfer', id = 'call-1'): ScriptedCall => ({ id, name, args, json: JSON.stringify(args) });
/** Arguments as text, for what no object literal can say. */
export const callWith = (json: string): ScriptedCall => ({ id: 'call-1', name: 'transfer', args: parsed(json), json });

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

export type Extra = Partial<Pick<Fault, 'isError' | 'alone' | 'timeoutMs' | 'needsOutputSchema'>>;
export type Row = readonly [title: string, tool: ToolSpec, call: ScriptedCall, expected: Expected, extra?: Extra];

/** The tools' own complaint. */
export const ledger = /ledger does not add up/;
export const newError = () => new Error('ledger does not add up');
