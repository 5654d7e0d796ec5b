import type { Effects } from '../../contract/index.ts';
import type { OptionNames } from '../../outcome/index.ts';

/** Declarations that the tools of a framework lack. */
export interface ForeignToolOptions {
  /** Side effects of the tools: of all, or by name. @default 'writes' */
  readonly effects?: Effects | Readonly<Record<string, Effects>>;
  readonly timeoutMs?: number;
  /** Whether a result with an `error`, `status: 'error'` or `success: false` is a failure, for tools that return errors. @default false */
  readonly returnsErrors?: boolean;
}

/** The names of the options that every `fromTools` takes. */
export const foreignToolOptions: OptionNames<ForeignToolOptions> = { effects: true, timeoutMs: true, returnsErrors: true };

/** Gives what the options add to the definition of one tool. */
export function statedFor(
  name: string,
  { effects, timeoutMs }: ForeignToolOptions,
): { readonly effects?: Effects; readonly timeoutMs?: number } {
  const own = typeof effects === 'object' ? effects[name] : effects;
  return { ...(own !== undefined && { effects: own }), ...(timeoutMs !== undefined && { timeoutMs }) };
}
