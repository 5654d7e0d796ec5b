import type { AnyTool, JsonObject, Outcome } from 'toolpact';

/** The tools behind a type: of a toolbox (`typeof toolbox`), a list of tools, or any tools when nothing is known. */
export type ServedTools<TServed> = TServed extends { readonly tools: infer TTools extends readonly AnyTool[] }
  ? TTools
  : TServed extends readonly AnyTool[]
    ? TServed
    : readonly AnyTool[];

/** The names that can be called. */
export type NamesOf<TServed> = ServedTools<TServed>[number]['name'];

type Named<TServed, TName> = Extract<ServedTools<TServed>[number], { readonly name: TName }>;

/** The arguments a tool takes; any object when nothing is known of the tools. */
export type ArgsOf<TServed, TName> =
  string extends NamesOf<TServed>
    ? JsonObject | Readonly<Record<string, unknown>>
    : Named<TServed, TName> extends { readonly call: (input: infer TInput, ...context: never) => unknown }
      ? TInput
      : never;

/** The outcome of a call of a tool. */
export type AnswerOf<TServed, TName> =
  string extends NamesOf<TServed>
    ? Outcome
    : Named<TServed, TName> extends { readonly call: (...args: never) => Promise<infer TOutcome> }
      ? TOutcome
      : never;

/** One call of a batch. */
export type ServedCall<TServed> = {
  readonly [TName in NamesOf<TServed>]: {
    /** @default the place in the batch */
    readonly id?: string;
    readonly tool: TName;
    readonly args: ArgsOf<TServed, TName>;
    /** Time for this call alone. */
    readonly timeoutMs?: number;
    /** Makes calls with this key one call, whichever batch they come in. */
    readonly idempotencyKey?: string;
  };
}[NamesOf<TServed>];
