import { type OptionNames, refuseOptions } from '../../core/outcome/index.ts';
import type { GuardDefinition, GuardedTool } from '../../core/runtime/index.ts';

type Promised = 'retry' | 'idempotency' | 'cache';
type Stated<TPromise extends Promised> = Exclude<GuardedTool[TPromise], undefined | false>;

/** Makes a guard refuse tools that state an option of its promise which does not exist, when their toolbox is made. */
export function refusePromises<TPromise extends Promised>(
  promise: TPromise,
  known: OptionNames<Stated<TPromise>>,
): NonNullable<GuardDefinition['tools']> {
  return (given) => {
    for (const tool of given) {
      const stated = tool[promise];
      if (typeof stated === 'object') refuseOptions<object>(`${promise} of the tool "${tool.name}"`, stated, known);
    }
    return [];
  };
}
