import type { Meta, Outcome } from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { inputOf } from '../outcomes/to-json-data.ts';

/** Makes the outcome of another call the answer to this one, with what is this call's own. */
export function replayed(call: Call, { input: _, ...outcome }: Outcome, extra: Partial<Meta> | undefined): Outcome {
  // Drop the ids of the caller that first made this call.
  const { callId, sessionId, runId, ids, tenantId, warnings = [], ...meta } = outcome.meta;
  const { invocationId = call.invocationId, attempts } = meta;
  const own = call.meta({ ...extra, invocationId, attempts });
  const all = [...warnings, ...(own.warnings ?? [])];
  const input = inputOf(call);
  return Object.freeze({
    ...outcome,
    ...(input !== undefined && { input }),
    meta: Object.freeze({ ...meta, ...own, ...(all.length > 0 && { warnings: Object.freeze(all) }) }),
  } as Outcome);
}
