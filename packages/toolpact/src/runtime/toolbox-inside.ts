import type { CallContext } from '../contract/index.ts';
import { isObject } from '../json/index.ts';
import type { Outcome, Redactor } from '../outcome/index.ts';
import type { ArrangedGuard, CallSupply, Guard, Promised } from '../ports/index.ts';
import type { Preset } from './preset.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** The inside of a toolbox, for the programs that run it: servers, workers, engines and test kits. */
export interface ToolboxInside {
  /** Waits until no call goes on in this process after it was answered. */
  readonly idle?: () => Promise<void>;
  /** The calls of its store, for those who go on with them. */
  readonly calls?: CallSupply;
  /** The engine that keeps the calls and goes on with them, so that no worker of this process has to. */
  readonly engine?: Guard['engine'];
  /** The compiled plan of each tool, by name. */
  readonly plans: ReadonlyMap<string, ToolPlan>;
  /** The guards in the order in which a call passes them. */
  readonly guards: readonly ArrangedGuard[];
  /** Checks whether some guard keeps a promise. */
  readonly provides: (promise: Promised) => boolean;
  /** The preset that it was given. */
  readonly preset?: Preset | undefined;
  /** Hides secrets, by the rules of the toolbox. */
  readonly redactor?: Redactor | undefined;
  /** How models reach the tools that they are not offered; undefined where they are offered all. */
  readonly search?: ToolSearch | undefined;
}

/** The tools that stand for those which a model is not offered. */
export interface ToolSearch {
  /** The name of the tool that finds the others, and of the one that calls them. */
  readonly names: readonly string[];
  /** Returns the call that a call of `call_tool` stands for; the same call for any other, and where it does not say. */
  readonly meantBy: <TName>(name: TName, args: unknown) => { readonly name: TName | string; readonly args: unknown };
}

/** The inside with what only the library itself may change. */
export interface OwnInside extends ToolboxInside {
  /** Answers for what has failed beside the tools, as for a tool. */
  readonly answerThrown: (name: string, thrown: unknown, context: CallContext) => Outcome;
  /** Returns a view of the toolbox with other settings. */
  readonly rebind: (change: (settings: CallSettings) => CallSettings) => unknown;
}

/** The key under which a toolbox keeps its inside. Known to every copy of the library: the command line may be installed beside another one. */
export const insideKey = Symbol.for('toolpact.inside');

/** Returns what a toolbox is made of. Of anything but a toolbox it is empty. */
export function insideOf(toolbox: unknown): ToolboxInside {
  return findInside(toolbox) ?? nothing;
}

/** Finds the inside of a toolbox; undefined for anything else. */
export function findInside(toolbox: unknown): OwnInside | undefined {
  return isObject(toolbox) ? (toolbox as { readonly [insideKey]?: OwnInside })[insideKey] : undefined;
}

const nothing: ToolboxInside = Object.freeze({ plans: new Map(), guards: [], provides: () => false });
