import { isObject } from '../../json/index.ts';

/** The state of one run of `chat`. */
export interface TanstackRun {
  /** Whether the repeat breaker has ended it. */
  isStopped: boolean;
  /** The ids of calls that failed without being thrown. */
  readonly failed: Set<string>;
}

/** A middleware for `middleware` of `chat`. */
export interface TanstackMiddleware {
  readonly name: string;
  readonly onBeforeToolCall: (context: object, call: { readonly args: unknown }) => void;
  readonly onChunk: <TChunk extends { readonly type: string }>(context: object, chunk: TChunk) => TChunk | undefined;
  readonly onShouldContinue: (context: object) => boolean;
}

/** TanStack AI has one context for each run, and hands it to middleware alone; the arguments of a call are the same object for both. */
const ofContexts = new WeakMap<object, TanstackRun>();
const ofArguments = new WeakMap<object, TanstackRun>();

/** Returns the run that a tool is called in, where the run has the middleware. */
export function runOfCall(args: unknown): TanstackRun | undefined {
  return isObject(args) ? ofArguments.get(args) : undefined;
}

/** Tells tools which run calls them, ends a run that was stopped, and flags failures that the model reads in a form of its own. */
export const followRuns: TanstackMiddleware = {
  name: 'toolpact',
  onBeforeToolCall(context, { args }) {
    if (isObject(args)) ofArguments.set(args, runOf(context));
  },
  onChunk(context, chunk) {
    const { type, toolCallId = '', metadata }: ResultChunk = chunk;
    if (type !== 'TOOL_CALL_RESULT' || !runOf(context).failed.has(toolCallId)) return undefined;
    return { ...chunk, metadata: { ...metadata, tanstack: { ...metadata?.tanstack, state: 'output-error' } } };
  },
  onShouldContinue: (context) => !runOf(context).isStopped,
};

interface ResultChunk {
  readonly type: string;
  readonly toolCallId?: string;
  readonly metadata?: { readonly tanstack?: object };
}

function runOf(context: object): TanstackRun {
  const run = ofContexts.get(context) ?? { isStopped: false, failed: new Set<string>() };
  ofContexts.set(context, run);
  return run;
}
