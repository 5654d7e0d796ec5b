import { makeFailure, nextStep, type Outcome } from '../../../core/outcome/index.ts';
import { defineGuard, type Guard, type GuardedCall, type RecordKey, type Store } from '../../../core/runtime/index.ts';
import { sleep } from '../../../core/time/index.ts';
import { askFor } from '../store-access/ask-store.ts';
import { assertPositive, assertStore } from '../store-access/assert-options.ts';
import { argumentsOf, canonicalJson, fieldPrints, fingerprint, isPlain } from '../store-access/fingerprint.ts';
import { settledOutcome } from '../store-access/pending-calls.ts';
import { tryLater } from '../store-access/try-later.ts';
import { withWarning } from '../with-meta.ts';
import { type Claim, type ClaimSlot, differingFields, openSlot, type Sight } from './claim.ts';
import { awaitLate, createHolds } from './hold-claim.ts';
import { createLeaseWatch, graceMs } from './lease-watch.ts';

/** How the idempotency guard behaves. */
export interface IdempotencyOptions {
  readonly store: Store;
  /** How long a key and its outcome are remembered, for tools that state nothing else. @default 86_400_000 */
  readonly ttlMs?: number;
  /** For so long a silent process is taken to be alive; then its calls are taken over. @default 10_000 */
  readonly leaseMs?: number;
  /** For so long a tool that goes on after its deadline may still bring its result. @default 600_000 */
  readonly lateMs?: number;
  readonly now?: () => number;
}

/** One call that runs in this process. */
interface Flight {
  readonly fields: Claim['fields'];
  /** Its outcome, or undefined where that is no answer for others. */
  readonly ended: Promise<Outcome | undefined>;
}

/** Makes the claim of a call, in the state it is in now. */
type ClaimIn = (state: Claim['state'], outcome?: Outcome) => Claim;

/**
 * Makes equal calls one call, as seen by their callers. The key is what the tool's `idempotency.key` makes of its input, or else the
 * context's `idempotencyKey`; it counts per tenant and tool. Whoever comes while the call runs waits for it; whoever comes later gets the
 * same outcome with `meta.replayed`. A failure that is safe to repeat frees the key. A call whose effect is not known is never just run again:
 * the tool's `reconcile` settles it, or it stays a failure that says so. Without its store a writing call is refused as `not_ready` and any
 * other runs with a warning.
 */
export function idempotency(options: IdempotencyOptions): Guard {
  assertStore('idempotency', options);
  const { store, ttlMs = 86_400_000, leaseMs = 10_000, lateMs = 600_000, now = Date.now } = options;
  assertPositive({ ttlMs, leaseMs, lateMs });
  const flights = new Map<string, Flight>();
  const isDead = createLeaseWatch(now);
  const hold = createHolds(leaseMs);
  const ownProcess = crypto.randomUUID();
  let claims = 0;

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const key = keyOf(call);
    if (key === undefined) return next();
    if (key === '')
      return call.refuse('not_configured', `${call.tool.name} made no key of its arguments that could be compared, so it did not run.`);
    const { name } = call.tool;
    const id = canonicalJson([call.tenantId, canonicalJson([name, key])]);
    // What a tool makes of its arguments may hold whatever they hold, so only its fingerprint is stored and handed on.
    const shown = call.tool.idempotency?.key === undefined ? key : fingerprint(id);
    const at: RecordKey = { space: 'claim', tenant: call.tenantId, key: canonicalJson([name, shown]) };
    const fields = fieldPrints(argumentsOf(call));
    call.useKey(shown);
    for (let flight = flights.get(id); flight !== undefined; flight = flights.get(id)) {
      if (differingFields(fields, flight.fields).length > 0) return conflict(call, fields, flight.fields);
      call.markMayHaveEffect();
      const outcome = await flight.ended;
      if (outcome !== undefined) return call.replay(outcome, { replayed: true });
      if (call.outcome !== undefined) return call.outcome;
    }
    claims += 1;
    const mine = { v: 1, owner: `${ownProcess}/${claims}`, leaseMs, fields } as const;
    const claim: ClaimIn = (state, outcome) => ({ ...mine, state, writtenAt: now(), ...(outcome !== undefined && { outcome }) });
    const expiryOf = ({ state }: Claim): number => now() + keptMs(state, call.tool.idempotency?.ttlMs ?? ttlMs);
    const slot = openSlot(store, at, expiryOf, askFor(call, store, { isNeeded: call.tool.effects === 'writes' }));
    const answer = claimAndRun(call, next, id, slot, claim);
    const land = (outcome?: Outcome): Outcome | undefined => {
      flights.delete(id);
      // A call that its caller or its deadline ended knows nothing that would end the others too.
      return call.outcome !== undefined && outcome?.status === 'error' ? undefined : outcome;
    };
    flights.set(id, { fields, ended: answer.then(land, () => land()) });
    return answer;
  }

  /** For how long a claim stays: that of a running call never expires while somebody may still hold it. */
  function keptMs(state: Claim['state'], ownTtlMs: number): number {
    if (state === 'free') return graceMs;
    return state === 'running' ? Math.max(ownTtlMs, 2 * leaseMs) + graceMs : ownTtlMs;
  }

  /** Gets hold of the key and runs; or waits for whoever has it, and takes it over from the dead. */
  async function claimAndRun(
    call: GuardedCall,
    next: () => Promise<Outcome>,
    id: string,
    slot: ClaimSlot,
    claim: ClaimIn,
  ): Promise<Outcome> {
    let pollMs = 5;
    let takes = 0;
    for (let sight: Sight = await slot.take(claim('running')); ; ) {
      if (call.outcome !== undefined && sight.is !== 'mine') return call.outcome;
      if (sight.is === 'hidden') return withoutStore(call, next, sight.why);
      if (sight.is === 'mine') return run(call, next, slot, claim, sight);
      const { fields, state, outcome } = sight.claim;
      const mine = claim('running');
      if (differingFields(mine.fields, fields).length > 0) return conflict(call, mine.fields, fields);
      if (state === 'done' && outcome !== undefined) {
        return call.replay(await settledOutcome(store, call.tenantId, outcome, askFor(call, store)), { replayed: true });
      }
      call.markMayHaveEffect();
      if (state === 'unknown' && outcome !== undefined && !call.tool.canReconcile) return call.replay(outcome, { replayed: true });
      const mayTake = state === 'unknown' || isDead(id, sight);
      if (!mayTake || takes > 0) {
        await sleep(pollMs, call.signal);
        pollMs = Math.min(pollMs * 2, 250);
      }
      takes += mayTake ? 1 : 0;
      sight = await (mayTake ? slot.take(mine, sight) : slot.look(claim('running')));
    }
  }

  async function run(
    call: GuardedCall,
    next: () => Promise<Outcome>,
    slot: ClaimSlot,
    claim: ClaimIn,
    { version, from }: Extract<Sight, { is: 'mine' }>,
  ): Promise<Outcome> {
    const held = hold(slot, version, () => claim('running'));
    const conclude = async (outcome: Outcome): Promise<Outcome> => settle(call, outcome, slot, claim, await held.stop());
    const lost = from === undefined ? undefined : await settleLost(call);
    if (lost !== undefined) return conclude(lost);
    if (call.outcome !== undefined) {
      // Nothing ran, whatever this call had to assume while it waited for another one.
      await slot.settle(claim('free'), await held.stop());
      return call.outcome;
    }
    call.keepLateResult();
    const late = await awaitLate(call, next, lateMs);
    if ('outcome' in late) return conclude(late.outcome);
    void late.finished.then(conclude);
    return conclude(call.tool.effects === 'writes' ? asUnknown(late.ended) : late.ended);
  }

  return defineGuard({ name: 'idempotency', phase: 'key', provides: ['idempotency', 'reconcile'], around });
}

/** Gives the key of a call, and an empty one where its tool made none that could be compared: all such calls would be one. */
function keyOf({ tool, input, context }: GuardedCall): string | undefined {
  const own = tool.idempotency?.key;
  if (own === undefined) return context.idempotencyKey || undefined;
  const key: unknown = own(input as never);
  if (typeof key === 'string') return key;
  // A key that somebody made in an asynchronous function is never looked at.
  if (key instanceof Promise) key.catch(() => undefined);
  return key === undefined || key === null || Number.isNaN(key) || !isPlain(key) ? '' : canonicalJson(key);
}

/** Decides about a call that its owner left behind; undefined when it may run again. */
async function settleLost(call: GuardedCall): Promise<Outcome | undefined> {
  if (call.tool.effects !== 'writes') return undefined;
  const found = await call.reconcile();
  if (found === 'none') return undefined;
  if (found !== undefined) return call.replay(found);
  return call.refuse(
    'interrupted',
    `An earlier call of ${call.tool.name} with this key was interrupted, and nobody knows whether it took effect. It was not run again.`,
    { effect: 'unknown' },
  );
}

/** Stores how the call ended, or frees the key, and gives what the caller is told. */
async function settle(call: GuardedCall, outcome: Outcome, slot: ClaimSlot, claim: ClaimIn, version: number): Promise<Outcome> {
  const isSafe = isSafeToRepeat(call, outcome);
  const told = isSafe ? outcome : lowered(call, outcome);
  const ended = isSafe ? claim('free') : endedClaim(claim, told);
  const sight = await slot.settle(ended, version);
  if (sight.is === 'mine') return told;
  // A store that is back before the lease is over still learns how the call ended.
  if (sight.is === 'hidden') void tryLater(async () => (await slot.settle(ended, version)).is !== 'hidden', ended.leaseMs / 6);
  const why = sight.is === 'hidden' ? sight.why : 'another process had taken the call over';
  return withWarning(told, isSafe ? `the key could not be freed: ${why}` : `the outcome could not be stored: ${why}`);
}

/** The arguments stay out of the store; whoever gets this outcome later brings its own. */
function endedClaim(claim: ClaimIn, { input: _, ...kept }: Outcome): Claim {
  const isUnknown = kept.status === 'error' && kept.error.effect === 'unknown';
  return claim(isUnknown ? 'unknown' : 'done', kept as Outcome);
}

function isSafeToRepeat({ tool, invocationId }: GuardedCall, outcome: Outcome): boolean {
  // A handler that steered its host has not ended; the host calls again when it goes on.
  if (outcome.status === 'pending') return outcome.pending.reason === 'host' && outcome.pending.handle === invocationId;
  return outcome.status === 'error' && (outcome.error.effect === 'none' || tool.effects !== 'writes');
}

/** Says that repeating will not help where a repetition could only replay a call whose effect nobody knows. */
function lowered(call: GuardedCall, outcome: Outcome): Outcome {
  if (outcome.status !== 'error' || outcome.error.effect !== 'unknown' || isSafeToRepeat(call, outcome) || call.tool.canReconcile)
    return outcome;
  const { error } = outcome;
  const message = error.message.replace(nextStep(error), nextStep({ kind: error.kind, recovery: 'verify' }));
  return Object.freeze({ ...outcome, error: makeFailure(error.kind, { ...error, message, unsafe: true }) });
}

/** A tool that goes on after its call may still take effect, whatever it said so far. */
function asUnknown(outcome: Outcome): Outcome {
  if (outcome.status !== 'error' || outcome.error.effect !== 'none') return outcome;
  return Object.freeze({ ...outcome, error: makeFailure(outcome.error.kind, { ...outcome.error, effect: 'unknown' }) });
}

/** So many fields are named: a model does not read thousands. */
const mostNamed = 20;

function conflict(call: GuardedCall, mine: Claim['fields'], theirs: Claim['fields']): Outcome {
  const all = differingFields(mine, theirs);
  const fields = all.slice(0, mostNamed);
  const named = fields.map((field) => (field === '' ? 'the arguments' : `"${field}"`)).join(', ');
  const more = all.length > fields.length ? ` and ${all.length - fields.length} more` : '';
  return call.refuse(
    'conflict',
    `This key was used before with other arguments: ${named}${more} differ${all.length === 1 ? 's' : ''}. Use a new key, or the same arguments.`,
    {
      code: 'key_reused',
      effect: 'none',
      details: { fields },
    },
  );
}

function withoutStore(call: GuardedCall, next: () => Promise<Outcome>, why: string): Outcome | Promise<Outcome> {
  if (call.tool.effects === 'writes') {
    return call.refuse('not_ready', `${call.tool.name} could not be made safe against being done twice, so it did not run: ${why}.`, {
      effect: 'none',
    });
  }
  call.warn(`not protected against repetition: ${why}`);
  return next();
}
