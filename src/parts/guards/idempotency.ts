import { makeFailure, nextStep, type Outcome } from '../../core/outcome/index.ts';
import type { Guard, GuardedCall, RecordKey, Store } from '../../core/runtime/index.ts';
import { type Claim, type ClaimSlot, createLeaseWatch, differingFields, openSlot, type Sight } from './claim.ts';
import { canonicalJson, fieldPrints, fingerprint } from './fingerprint.ts';
import { holdClaim } from './hold-claim.ts';
import { pauseFor } from './pause-for.ts';
import { settledOutcome } from './pending-calls.ts';
import { withWarning } from './with-meta.ts';

/** How the idempotency guard behaves. */
export interface IdempotencyOptions {
  readonly store: Store;
  /** How long a key and its outcome are remembered, for tools that state nothing else. @default 86_400_000 */
  readonly ttlMs?: number;
  /** For so long a silent process is taken to be alive; then its calls are taken over. @default 30_000 */
  readonly leaseMs?: number;
  /** For so long a tool that goes on after its deadline may still bring its result. @default 600_000 */
  readonly lateMs?: number;
  readonly now?: () => number;
}

/** One call that runs in this process. */
interface Flight {
  readonly fields: Claim['fields'];
  readonly ended: Promise<Outcome>;
}

/**
 * Makes equal calls one call, as seen by their callers. The key is what the tool's `idempotency.key` makes of its input, or else the
 * context's `idempotencyKey`; it counts per tenant and tool. Whoever comes while the call runs waits for it; whoever comes later gets the
 * same outcome with `meta.replayed`. A failure that is safe to repeat frees the key. A call whose effect is not known is never just run again:
 * the tool's `reconcile` settles it, or it stays a failure that says so. Without its store a writing call is refused as `not_ready` and any
 * other runs with a warning.
 */
export function idempotency(options: IdempotencyOptions): Guard {
  const { store, ttlMs = 86_400_000, leaseMs = 30_000, lateMs = 600_000, now = Date.now } = options;
  if (typeof store?.put !== 'function') throw new TypeError('idempotency needs a store');
  for (const [name, value] of Object.entries({ ttlMs, leaseMs, lateMs })) {
    if (!(value > 0)) throw new TypeError(`${name} must be more than 0`);
  }
  const flights = new Map<string, Flight>();
  const owner = crypto.randomUUID();

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const key = keyOf(call);
    if (key === undefined) return next();
    const at: RecordKey = { space: 'claim', tenant: call.tenantId, key: canonicalJson([call.tool.name, key]) };
    const id = canonicalJson([at.tenant, at.key]);
    const fields = fieldPrints(call.input);
    call.useKey(call.tool.idempotency?.key === undefined ? key : fingerprint(id));
    for (let flight = flights.get(id); flight !== undefined; flight = flights.get(id)) {
      if (differingFields(fields, flight.fields).length > 0) return conflict(call, fields, flight.fields);
      call.mayTakeEffect();
      const outcome = await flight.ended;
      // Whoever stopped its own call has not stopped this one.
      if (!isCancelled(outcome)) return call.adopt(outcome, { replayed: true });
      if (call.ended !== undefined) return call.ended;
    }
    const claim = (): Claim => ({ v: 1, state: 'running', owner: `${owner}/${call.invocationId}`, leaseMs, writtenAt: now(), fields });
    const slot = openSlot(store, at, () => now() + (call.tool.idempotency?.ttlMs ?? ttlMs));
    const ended = claimAndRun(call, next, slot, claim);
    flights.set(id, { fields, ended });
    const land = (): void => void flights.delete(id);
    ended.then(land, land);
    return ended;
  }

  /** Gets hold of the key and runs; or waits for whoever has it, and takes it over from the dead. */
  async function claimAndRun(call: GuardedCall, next: () => Promise<Outcome>, slot: ClaimSlot, claim: () => Claim): Promise<Outcome> {
    const isDead = createLeaseWatch(now);
    let pollMs = 5;
    for (let sight: Sight = await slot.take(claim()); ; ) {
      if (call.ended !== undefined && sight.is !== 'mine') return call.ended;
      if (sight.is === 'hidden') return withoutStore(call, next, sight.why);
      if (sight.is === 'mine') return run(call, next, slot, claim, sight);
      const { fields, state, outcome } = sight.claim;
      if (differingFields(claim().fields, fields).length > 0) return conflict(call, claim().fields, fields);
      if (state === 'done' && outcome !== undefined) {
        return call.adopt(await settledOutcome(store, call.tenantId, outcome), { replayed: true });
      }
      call.mayTakeEffect();
      if (state === 'unknown' && outcome !== undefined && !call.tool.canReconcile) return call.adopt(outcome, { replayed: true });
      if (state === 'unknown' || isDead(sight)) {
        sight = await slot.take(claim(), sight);
        continue;
      }
      await pauseFor(pollMs, call.signal);
      pollMs = Math.min(pollMs * 2, 250);
      sight = await slot.look(claim());
    }
  }

  async function run(
    call: GuardedCall,
    next: () => Promise<Outcome>,
    slot: ClaimSlot,
    claim: () => Claim,
    { version, from }: Extract<Sight, { is: 'mine' }>,
  ): Promise<Outcome> {
    const hold = holdClaim(slot, call, version, claim, lateMs);
    const conclude = async (outcome: Outcome): Promise<Outcome> => settle(call, outcome, slot, claim(), await hold.stop());
    const lost = from === undefined ? undefined : await settleLost(call);
    if (lost !== undefined) return conclude(lost);
    if (call.ended !== undefined) return conclude(call.ended);
    call.keep('late');
    const finished = next();
    let isLate = false;
    const givenUp = hold.givenUp.then((ended) => {
      isLate = true;
      return ended;
    });
    const outcome = await Promise.race([finished, givenUp]);
    const told = await conclude(outcome);
    if (isLate) void finished.then(conclude);
    return told;
  }

  return { name: 'idempotency', phase: 'key', keeps: ['idempotency', 'reconcile'], around };
}

function keyOf({ tool, input, context }: GuardedCall): string | undefined {
  const own = tool.idempotency?.key;
  if (own === undefined) return context.idempotencyKey;
  const key = own(input as never);
  return typeof key === 'string' ? key : canonicalJson(key);
}

/** Decides about a call that its owner left behind; undefined when it may run again. */
async function settleLost(call: GuardedCall): Promise<Outcome | undefined> {
  if (call.tool.effects !== 'writes') return undefined;
  const found = await call.reconcile();
  if (found === 'none') return undefined;
  if (found !== undefined) return call.adopt(found);
  return call.refuse(
    'interrupted',
    `An earlier call of ${call.tool.name} with this key was interrupted, and nobody knows whether it took effect. It was not run again.`,
  );
}

/** Stores how the call ended, or frees the key, and gives what the caller is told. */
async function settle(call: GuardedCall, outcome: Outcome, slot: ClaimSlot, claim: Claim, version: number): Promise<Outcome> {
  if (isSafeToRepeat(call, outcome)) {
    const { ok, why = 'another process had taken it over' } = await slot.free(version);
    return ok ? outcome : withWarning(outcome, `the key could not be freed: ${why}`);
  }
  const told = lowered(call, outcome);
  // The arguments stay out of the store; whoever gets this outcome later brings its own.
  const { input: _, ...kept } = told;
  const state = outcome.status === 'error' && outcome.error.effect === 'unknown' ? 'unknown' : 'done';
  const sight = await slot.write({ ...claim, state, outcome: kept as Outcome }, version);
  if (sight.is === 'mine') return told;
  return withWarning(
    told,
    `the outcome could not be stored: ${sight.is === 'hidden' ? sight.why : 'another process had taken the call over'}`,
  );
}

function isSafeToRepeat({ tool }: GuardedCall, outcome: Outcome): boolean {
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

function isCancelled(outcome: Outcome): boolean {
  return outcome.status === 'error' && outcome.error.kind === 'cancelled';
}

function conflict(call: GuardedCall, mine: Claim['fields'], theirs: Claim['fields']): Outcome {
  const fields = differingFields(mine, theirs);
  const named = fields.map((field) => (field === '' ? 'the arguments' : `"${field}"`)).join(', ');
  return call.refuse(
    'conflict',
    `This key was used before with other arguments: ${named} differ${fields.length === 1 ? 's' : ''}. Use a new key, or the same arguments.`,
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
