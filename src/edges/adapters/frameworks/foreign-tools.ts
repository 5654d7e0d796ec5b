import type { Tool } from '../../../core/runtime/index.ts';

/** Foreign tools in a record as Toolpact has them, under the names they had. */
export type ToolsOfRecord<TTools extends Readonly<Record<string, object>>> = readonly {
  readonly [TName in Extract<keyof TTools, string>]: Tool<TName, ExecutedInput<TTools[TName]>, unknown, string, unknown>;
}[Extract<keyof TTools, string>][];

type ExecutedInput<TTool> = TTool extends { readonly execute?: ((input: infer TInput, ...rest: never) => unknown) | undefined }
  ? TInput
  : never;

/** The arguments of a foreign tool whose types do not say them. */
export type AnyArguments = Readonly<Record<string, unknown>>;

/** The name of a foreign tool, where its type says it. */
export type NameOf<TTool> = TTool extends { readonly name: infer TName extends string } ? TName : string;
