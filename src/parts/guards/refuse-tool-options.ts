import { isRecord } from '../../core/json/index.ts';
import { type OptionNames, refuseOptions, ToolpactError } from '../../core/outcome/index.ts';
import type { GuardDefinition, GuardedTool } from '../../core/ports/index.ts';

type Promised = 'retry' | 'idempotency' | 'cache';
type Stated<TPromise extends Promised> = Exclude<GuardedTool[TPromise], undefined | false>;

/** Makes a guard refuse tools that state its promise in another form, or with an option that does not exist, when their toolbox is made. */
export function refuseToolOptions<TPromise extends Promised>(
  promise: TPromise,
  known: OptionNames<Stated<TPromise>>,
): NonNullable<GuardDefinition['tools']> {
  return (given) => {
    for (const tool of given) {
      const stated: unknown = tool[promise];
      if (stated === undefined || stated === false) continue;
      const what = `${promise} of the tool "${tool.name}"`;
      // Only JavaScript can state something else; without this error it would be ignored.
      if (!isRecord(stated)) throw new ToolpactError('invalid_option', `${what} must be an object`, { option: promise, tool: tool.name });
      refuseOptions<object>(what, stated, known);
    }
    return [];
  };
}
