import { whenReady } from '../../json/index.ts';
import { assertPositive, type Outcome, refuseOptions } from '../../outcome/index.ts';
import { type Awaitable, callNotes, type Guard, type GuardedCall, type Store } from '../../ports/index.ts';
import { defineGuard, differingFields, refuseReusedKey } from '../../runtime/index.ts';
import { sleep } from '../../time/index.ts';
import { memoryOf } from '../durable/step-memory.ts';
import { askFor } from '../store-access/ask-store.ts';
import { assertStore, toStorableMs } from '../store-access/assert-options.ts';
import { awaitLate } from './await-late.ts';
import { type CallKey, readCallKey } from './call-key.ts';
import { type Claim, type ClaimSlot, type ClaimState, peekAtKey, settleKey, takeKey } from './claim.ts';
import { answerFrom, mayRunAgain, settleLost, withoutStore } from './claim-answers.ts';
import { createHolds, type Hold, type MakeClaim } from './hold-claim.ts';
import { createKeyTurns, type KeyTurns } from './key-turns.ts';
import { createLeaseWatch } from './lease-watch.ts';
import { asUnknown, guessedOwner, type Settling, settleClaim } from './settle-claim.ts';
import { waitForKey } from './wait-for-key.ts';

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

/** A freed key keeps its place for so long, so that the versions of its record go on. */
const freeMs = 600_000;
/** For so long after its lease the claim of a call that runs stays in the store: longer than any step of a clock. */
const runningMs = 7 * 86_400_000;

/** How patient a call is that cannot run without its store. */
const needed = { isNeeded: true } as const;

/** One call that runs in this process. */
interface Flight {
  readonly fields: Claim['fields'];
  /** Those that wait for its outcome. They get undefined if the outcome counts only for its own caller. */
  waiting: ((outcome: Outcome | undefined) => void)[] | undefined;
}

/**
 * Makes equal calls one call, as seen by their callers. The key is what the tool's `idempotency.key` makes of its input, or else the
 * context's `idempotencyKey`; it counts per tenant and tool. A call that comes while the first one runs waits for it; one that comes later gets
 * the same outcome with `meta.replayed`. A failure that is safe to repeat frees the key. A call whose effect is not known is never just run again:
 * the tool's `reconcile` settles it, or it stays a failure that says so. Without its store a writing call is refused as `not_ready` and any
 * other runs with a warning.
 */
export function idempotency(options: IdempotencyOptions): Guard {
  refuseOptions<IdempotencyOptions>('idempotency', options, { store: true, ttlMs: true, leaseMs: true, lateMs: true, now: true });
  assertStore('idempotency', options);
  const { store, ttlMs = 86_400_000, leaseMs = 10_000, lateMs = 600_000, now = Date.now } = options;
  assertPositive('idempotency', { ttlMs, leaseMs, lateMs });
  const flights = new Map<string, Flight>();
  const isDead = createLeaseWatch();
  const holds = createHolds(leaseMs);
  /** Made by the first call that frees a key or waits for one: most never need it. */
  let turns: KeyTurns | undefined;
  const takeTurns = (): KeyTurns => {
    turns ??= createKeyTurns(store);
    return turns;
  };
  const noteFree = (id: string): void => takeTurns().noteFree(id);
  const signalWaiting: KeyTurns['signalWaiting'] = (call, key) => takeTurns().signalWaiting(call, key);
  // Drawn by the first call: edge workers forbid randomness while a module loads.
  let ownProcess: string | undefined;
  let claims = 0;

  // Neither this nor what it calls is an asynchronous function: with a store that answers at once a call comes to its tool without waiting.
  function around(call: GuardedCall, next: () => Promise<Outcome>): Awaitable<Outcome> {
    const found = readCallKey(call, store);
    if (found === undefined) return next();
    return whenReady(found, (key) => {
      if ('status' in key) return key;
      if (!call.tool.steps) return fly(call, next, key);
      return whenReady(memoryOf(call)?.checkRerun(), () => fly(call, next, key));
    });
  }

  /** Waits for the calls of this process with the same key, or is the first of them. */
  function fly(call: GuardedCall, next: () => Promise<Outcome>, key: CallKey): Awaitable<Outcome> {
    const { id, fields } = key;
    // Nothing may wait between this look at the flights and the start of a new one.
    if (flights.has(id)) return join(call, key).then((joined) => joined ?? fly(call, next, key));
    const flight: Flight = { fields, waiting: undefined };
    flights.set(id, flight);
    const land = (outcome?: Outcome): void => {
      flights.delete(id);
      // A call that its caller or its deadline ended knows nothing that would end the others too.
      const isForOthers = call.outcome === undefined || outcome?.status !== 'error';
      for (const tell of flight.waiting ?? []) tell(isForOthers ? outcome : undefined);
      // A table that the map has outgrown may still hold this flight.
      flight.waiting = undefined;
    };
    const landed = (outcome: Outcome): Outcome => {
      land(outcome);
      return outcome;
    };
    const failed = (bug: unknown): never => {
      land();
      throw bug;
    };
    try {
      const answer = claimAndRun(call, next, key, toMakeClaim(fields));
      return answer instanceof Promise ? answer.then(landed, failed) : landed(answer);
    } catch (bug) {
      return failed(bug);
    }
  }

  /** Makes what writes the claims of one call. */
  function toMakeClaim(fields: Claim['fields']): MakeClaim {
    claims += 1;
    ownProcess ??= crypto.randomUUID();
    const owner = `${ownProcess}/${claims}`;
    return (state, facts) => ({
      v: 1,
      owner,
      leaseMs,
      fields,
      state,
      writtenAt: now(),
      ...facts,
    });
  }

  /** Answers a call that will not run before a person is asked about it: from a stored outcome, by the call that runs, or as a conflict. */
  async function beforeApproval(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const found = mayAskPerson(call) ? readCallKey(call, store) : undefined;
    if (found === undefined) return next();
    const key = 'then' in found ? await found : found;
    if ('status' in key) return key;
    const slot = slotOf(call, key);
    for (let pollMs = 5; ; pollMs = Math.min(pollMs * 2, 250)) {
      const joined = await join(call, key);
      if (joined !== undefined) return joined;
      const seen = key.withoutStore ?? (await peekAtKey(slot));
      if (call.outcome !== undefined) return call.outcome;
      // A store that does not answer refuses the call where it claims its key.
      if (seen?.is !== 'theirs' || seen.claim.state === 'free') return next();
      const answer = await answerFrom(call, store, key.fields, seen.claim);
      if (answer !== undefined) return answer;
      call.markMayHaveEffect();
      if (isLeft(call, key, seen)) return (await settleLost(call)) ?? next();
      await sleep(pollMs, call.signal);
    }
  }

  /** Waits for a call of this process with the same key; undefined when there is none whose outcome counts for others. */
  async function join(call: GuardedCall, { id, fields }: CallKey): Promise<Outcome | undefined> {
    for (let flight = flights.get(id); flight !== undefined; flight = flights.get(id)) {
      if (differingFields(fields, flight.fields).length > 0) return refuseReusedKey(call, fields, flight.fields);
      call.markMayHaveEffect();
      const outcome = await landing(flight);
      if (outcome !== undefined) return call.replay(outcome, { replayed: true });
      if (call.outcome !== undefined) return call.outcome;
    }
    return undefined;
  }

  /** Checks whether no process will end the call that has a key, so that another call decides about it. */
  function isLeft(call: GuardedCall, { id }: CallKey, seen: Extract<ClaimState, { is: 'theirs' }>): boolean {
    return seen.claim.state === 'unknown' || mayRunAgain(call, seen.claim) || isDead(id, seen);
  }

  function slotOf(call: GuardedCall, { at }: CallKey): ClaimSlot {
    const ask = askFor(call, store, call.tool.effects === 'writes' ? needed : undefined);
    return { store, at, ask, ttlMs: call.tool.idempotency?.ttlMs ?? ttlMs, expiryOf };
  }

  function expiryOf(state: Claim['state'], ownTtlMs: number): number {
    return now() + toStorableMs(ttlFor(state, ownTtlMs));
  }

  /** For how long a claim stays: that of a running call does not expire while its process may still be alive, whatever happens to clocks. */
  function ttlFor(state: Claim['state'], ownTtlMs: number): number {
    if (state === 'free') return freeMs;
    return state === 'running' ? Math.max(ownTtlMs, 2 * leaseMs) + runningMs : ownTtlMs;
  }

  /** Gets hold of the key and runs; or goes by what is known of the call that has it. */
  function claimAndRun(call: GuardedCall, next: () => Promise<Outcome>, key: CallKey, makeClaim: MakeClaim): Awaitable<Outcome> {
    const slot = slotOf(call, key);
    const take = (): Awaitable<Outcome> =>
      whenReady(key.withoutStore ?? takeKey(slot, makeClaim('running')), (seen) =>
        seen.is === 'mine' ? run(call, next, key.id, slot, makeClaim, seen) : contend(call, next, key, slot, makeClaim, seen),
      );
    const turn = turns?.letOthersFirst(call, key);
    return turn === undefined ? take() : turn.then(take);
  }

  /** Goes by what becomes of the call that has the key. */
  async function contend(
    call: GuardedCall,
    next: () => Promise<Outcome>,
    key: CallKey,
    slot: ClaimSlot,
    makeClaim: MakeClaim,
    first: ClaimState,
  ) {
    const found = await waitForKey(call, key, slot, makeClaim, first, { isLeft, signalWaiting });
    if ('status' in found) return found;
    return found.is === 'mine' ? run(call, next, key.id, slot, makeClaim, found) : withoutStore(call, next, found);
  }

  function run(
    call: GuardedCall,
    next: () => Promise<Outcome>,
    id: string,
    slot: ClaimSlot,
    makeClaim: MakeClaim,
    first: Extract<ClaimState, { is: 'mine' }>,
  ): Awaitable<Outcome> {
    const held = holds.begin(call, slot, makeClaim, first);
    const settling: Settling = { id, held, holds, noteFree };
    return first.from === undefined ? runHeld(next, settling) : settleLost(call).then((lost) => runHeld(next, settling, first.from, lost));
  }

  /** Runs a call whose key is held, unless its end is known already. */
  function runHeld(next: () => Promise<Outcome>, settling: Settling, from?: Claim, lost?: Outcome): Awaitable<Outcome> {
    const { held } = settling;
    const { call } = held;
    if (lost !== undefined) return settleClaim(lost, settling, guessedOwner(from));
    if (call.outcome !== undefined) return letGo(held, call.outcome);
    call.keepLateResult();
    if (call.tool.steps) call.fence(() => holds.assertHeld(held));
    return awaitLate(call, next, lateMs, {
      conclude: (outcome) => settleClaim(outcome, settling),
      giveUp(ended, finished) {
        finished.then((outcome) => settleClaim(outcome, settling)).catch(() => holds.stop(held));
        return settleClaim(call.tool.effects === 'writes' ? asUnknown(ended) : ended, settling);
      },
      // The key is not renewed any more, and not freed.
      onBug: () => void holds.stop(held),
    });
  }

  /** Frees the key of a call that has ended before it ran: nothing ran, whatever the call had to assume while it waited for another one. */
  async function letGo(held: Hold, outcome: Outcome): Promise<Outcome> {
    await settleKey(held.slot, held.makeClaim('free'), await holds.stop(held), holds.isOverdue(held));
    return outcome;
  }

  const provides = ['idempotency', 'reconcile'] as const;
  return defineGuard({ name: 'idempotency', phase: 'key', provides, once: true, around, beforeApproval });
}

/** Waits for the outcome of a flight. */
function landing(flight: Flight): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    flight.waiting ??= [];
    flight.waiting.push(resolve);
  });
}

/** Checks whether a person may be asked about a call: by a policy, or because its tool declares so. */
function mayAskPerson({ notes, tool }: GuardedCall): boolean {
  return notes.has(callNotes.questions) || (tool.approval !== undefined && tool.approval !== false);
}
