import { isOutcome, type Reply, toReply } from '../../../core/outcome/index.ts';
import type { ForeignToolOptions } from './foreign-tool-options.ts';
import { keptOutcome } from './kept-outcomes.ts';
import { returnedFailure } from './returned-failure.ts';

/**
 * Reads a result of a foreign tool that says how its call ended: the outcome of a tool of ours that went through its host, or an error that
 * the tool returned. Any other result is undefined here, and data.
 */
export function settledResult(result: unknown, { returnsErrors = false }: ForeignToolOptions): Reply<unknown> | undefined {
  const outcome = isOutcome(result) ? result : keptOutcome(result);
  if (outcome !== undefined) return toReply(outcome);
  return returnsErrors ? returnedFailure(result) : undefined;
}
