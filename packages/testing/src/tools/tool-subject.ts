import type { AnyTool, CallContext, JsonObject, ListedTool, ModelCall, Outcome } from 'toolpact';

/** A tool as its subject lists it. */
export interface SubjectTool extends ListedTool {
  /** Whether its effects were declared, where that is known. */
  readonly effectsDeclared?: boolean;
  /** The name its server lists it under, where it had to be given another to be called. */
  readonly listedName?: string;
  /** Whether it may destroy something although it can be repeated; such a tool runs only with `allowWrites`. */
  readonly mayDestroy?: boolean;
  /** Hints of the tool's server, such as `readOnlyHint`. If they are given, `lockTools` locks them and the wording of the description. */
  readonly hints?: JsonObject;
}

/** Tools to be judged: a toolbox, or whatever else lists tools and answers calls, such as a client of a server. */
export interface ToolSubject {
  readonly list: () => readonly SubjectTool[] | Promise<readonly SubjectTool[]>;
  readonly answer: (call: ModelCall, context?: CallContext<never>) => Promise<Outcome>;
  /** The tools themselves, where they are at hand; more can be judged then, and without running what writes. */
  readonly tools?: readonly AnyTool[];
}
