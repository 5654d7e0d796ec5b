import { expectArgument } from '../../outcome/index.ts';
import { stoppedText, stopsRun } from '../frameworks/stops-run.ts';

/** A result of a turn, as far as it is looked at here. */
interface TurnResult {
  readonly type: string;
  readonly runItem?: unknown;
}

/**
 * Ends a run when the repeat breaker has stopped a call; otherwise the model goes on with the results, as by default.
 *
 * @example
 * new Agent({ name: 'clerk', tools: toTools(toolbox), toolUseBehavior: stopOnRepeat });
 */
export function stopOnRepeat(
  _context: unknown,
  results: readonly TurnResult[],
): { isFinalOutput: false; isInterrupted: undefined } | { isFinalOutput: true; isInterrupted: undefined; finalOutput: string } {
  expectArgument(Array.isArray(results), 'stopOnRepeat is given to an agent as toolUseBehavior; it is not called');
  const isStopped = results.some(({ runItem }) =>
    stopsRun((runItem as { customData?: { toolpact?: unknown } } | undefined)?.customData?.toolpact),
  );
  return isStopped
    ? { isFinalOutput: true, isInterrupted: undefined, finalOutput: stoppedText }
    : { isFinalOutput: false, isInterrupted: undefined };
}
