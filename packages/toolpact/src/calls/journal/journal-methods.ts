import type { CallContext } from '../../contract/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { RecordedCall, Store } from '../../ports/index.ts';
import type { CallPage } from '../ledger/call-filter.ts';
import type { CallTraces } from '../ledger/call-trace.ts';
import type { ResumedCall } from '../ledger/resume-run.ts';
import { readProgress } from '../store-access/call-progress.ts';
import { findSettled } from '../store-access/pending-calls.ts';
import type { DeferMethods } from '../waits/pending-methods.ts';
import type { CallFilter } from './call-list.ts';
import type { EngineEnd } from './engine-end.ts';
import { readEnd, readRecords, readStart } from './journal-records.ts';
import { toRecorded } from './listed-call.ts';
import type { RerunOptions } from './rerun.ts';

/** What the journal adds to a toolbox. */
export interface JournalMethods extends DeferMethods {
  /**
   * Reports what became of the calls of a run, in the order in which they began, after a crash or at any time: recorded outcomes as they
   * were; of the calls that were cut off, those that are safe to repeat are repeated, the others are settled by their tool's `reconcile` or
   * answered as `interrupted`, which says that their effect is not known. A call whose process may still be alive is `running`: ask again
   * later. Rejects only when the store does not answer, or holds what cannot be read here.
   */
  readonly resume: (runId: string, context?: CallContext) => Promise<ResumedCall[]>;
  /** Lists calls, newest first, page by page. Rejects when the store does not answer. */
  readonly calls: (filter?: CallFilter) => Promise<CallPage>;
  /**
   * Stops a call that runs, sleeps or waits. One that runs is stopped in whichever process that is: the signal of its handler fires, and the call ends as its handler does, or as
   * `cancelled` when the handler goes on for a second. Gives whether there was such a call; its outcome is found by `findCall`. Rejects when the store does not answer.
   */
  readonly cancel: (invocationId: string) => Promise<boolean>;
  /** Finds a recorded call by its invocation id, with all that is known of it. */
  readonly findCall: (invocationId: string) => Promise<RecordedCall | undefined>;
  /**
   * Runs a call with steps that failed once more, from a step on: what ended before it is remembered. A step that writes and has taken effect,
   * or may have, is not run a second time unless its `reconcile` finds that it did not. A call that has succeeded or still runs is refused.
   */
  readonly rerun: (invocationId: string, options?: RerunOptions, context?: CallContext) => Promise<Outcome>;
}

/** Finds all that is known of a call. Rejects when the store does not answer. */
export async function findRecorded(
  store: Store,
  { traces, engineEnd }: { readonly traces: CallTraces; readonly engineEnd: EngineEnd },
  tenant: string,
  key: string,
): Promise<RecordedCall | undefined> {
  const [start, end] = await readRecords(store, tenant, key);
  const begun = start && readStart(start);
  const ended = end && readEnd(end);
  if (begun === undefined) return undefined;
  // What was pending when it was recorded may have been settled since.
  if (ended !== undefined) {
    const { at, outcome: recorded } = ended.event;
    const { outcome = recorded, endedAt = at } = (await findSettled(store, tenant, recorded)) ?? {};
    const onEngine = outcome.status === 'pending' ? await engineEnd(tenant, key, outcome.pending.handle) : undefined;
    const end = { outcome: onEngine ?? outcome, at: onEngine === undefined ? endedAt : Date.now() };
    return toRecorded(begun, { ...ended, event: { ...ended.event, ...end } });
  }
  const progress = (await readProgress(store, tenant, [key])).get(key);
  const trace = traces.soFar(tenant, key);
  return { ...toRecorded(begun, undefined), ...(progress && { progress }), ...(trace && { trace }) };
}
