import { type CallContext, noTenant } from '../../core/contract/index.ts';
import type { CallEndEvent, CallStartEvent } from '../../core/events/index.ts';
import type { Outcome } from '../../core/outcome/index.ts';
import type { Guard, GuardedCall, GuardedToolbox, Store } from '../../core/runtime/index.ts';
import { fingerprint } from './fingerprint.ts';
import { readEnd, readStart, type StoredEnd, type StoredStart, writeNew } from './journal-records.ts';
import { createOwnerLease } from './owner-lease.ts';
import { createResume, type ResumedCall } from './resume.ts';
import { withWarning } from './with-meta.ts';

/** How the journal behaves. */
export interface JournalOptions {
  readonly store: Store;
  /** How long calls are remembered. @default 604_800_000 */
  readonly retentionMs?: number;
  /** For so long a silent process is taken to be alive; until then its calls are not resumed. @default 30_000 */
  readonly leaseMs?: number;
  readonly now?: () => number;
}

/** What the journal adds to a toolbox. */
export interface JournalMethods {
  /**
   * Tells what became of the calls of a run, in the order in which they began, after a crash or at any time: recorded outcomes as they
   * were; of the calls that were cut off, those that are safe to repeat are repeated, the others are settled by their tool's `reconcile` or
   * answered as `interrupted`, which says that nobody knows their effect. Rejects only when the store does not answer.
   */
  readonly resume: (runId: string, context?: CallContext) => Promise<ResumedCall[]>;
  /** Finds a recorded call by its invocation id: the event that began it, and the one that ended it if it has ended. */
  readonly findCall: (invocationId: string) => Promise<{ readonly start: CallStartEvent; readonly end?: CallEndEvent } | undefined>;
}

/**
 * Keeps the events that begin and end each call: the first before anything runs, the second before the caller gets its answer. Stored
 * arguments are redacted. A store that fails costs the record, not the call: the outcome then carries a warning.
 */
export function journal(options: JournalOptions): Guard<JournalMethods> {
  const { store, retentionMs = 604_800_000, leaseMs = 30_000, now = Date.now } = options;
  if (typeof store?.put !== 'function') throw new TypeError('journal needs a store');
  for (const [name, value] of Object.entries({ retentionMs, leaseMs })) {
    if (!(value > 0)) throw new TypeError(`${name} must be more than 0`);
  }
  const lease = createOwnerLease(store, leaseMs, now);
  const repeats = new Map<string, string>();
  const expiresAt = (): number => now() + retentionMs;

  async function recordStart(call: GuardedCall): Promise<{ readonly key: string } | { readonly why: string }> {
    const event = call.events.start();
    const { idempotencyKey, runId } = call.context;
    const repeated = repeats.get(event.invocationId);
    const value: StoredStart = {
      v: 1,
      event,
      owner: lease.owner,
      print: fingerprint(call.received),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(repeated !== undefined && { repeats: repeated }),
    };
    // Callers may give one invocation id to several calls; the first is found by it.
    for (const key of [event.invocationId, `${event.invocationId}/${event.call}`]) {
      const written = await writeNew(store, {
        space: 'call',
        tenant: call.tenantId,
        key,
        group: runId,
        value: value as never,
        expiresAt: expiresAt(),
      });
      if (written === 'written') return { key };
      if (written !== 'taken') return written;
    }
    return { why: 'the store holds a call of the same id' };
  }

  async function recordEnd(tenant: string, key: string, event: CallEndEvent): Promise<string | undefined> {
    const { input: _, ...outcome } = event.outcome;
    const value: StoredEnd = { v: 1, event: { ...event, outcome: outcome as Outcome } };
    const written = await writeNew(store, {
      space: 'call-end',
      tenant,
      key,
      group: event.runId,
      value: value as never,
      expiresAt: expiresAt(),
    });
    return typeof written === 'object' ? written.why : undefined;
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const end = await lease.begin();
    const start = await recordStart(call);
    let isRecorded = !('key' in start);
    const record = async (outcome: Outcome): Promise<string | undefined> => {
      if (isRecorded || !('key' in start)) return undefined;
      isRecorded = true;
      return recordEnd(call.tenantId, start.key, call.events.end(outcome));
    };
    // A call also ends while its tool goes on: at its deadline, or when its caller stops it.
    call.onEnd((outcome) => void record(outcome).finally(end));
    if ('why' in start) call.warn(`not recorded: ${start.why}`);
    const outcome = await next();
    if (call.ended !== undefined) return outcome;
    const why = await record(outcome);
    return why === undefined ? outcome : withWarning(outcome, `its end is not recorded: ${why}`);
  }

  const methods = (toolbox: GuardedToolbox): JournalMethods => ({
    resume: createResume({ toolbox, store, lease, recordEnd, expiresAt, repeats }),
    async findCall(invocationId) {
      const at = { tenant: toolbox.context.tenantId ?? noTenant, key: invocationId };
      const [start, end] = await Promise.all([store.get({ space: 'call', ...at }), store.get({ space: 'call-end', ...at })]);
      const begun = start && readStart(start);
      const ended = end && readEnd(end);
      return begun && { start: begun.event, ...(ended !== undefined && { end: ended.event }) };
    },
  });
  return { name: 'journal', phase: 'journal', keeps: ['reconcile'], around, methods };
}
