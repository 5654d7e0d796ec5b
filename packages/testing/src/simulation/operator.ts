import type { DecisionExtras, Desk, WaitingApproval } from './desk.ts';
import type { ObservedAttempt } from './observations.ts';
import type { Random } from './random.ts';
import { factsOf, usualSize } from './tools.ts';
import type { Member, World } from './world.ts';

/** People and programs that look after calls: they approve, answer, cancel, rerun, resume and read, at any moment. */
export interface Operator {
  /** Does one thing that a person might do now, in some process. */
  readonly act: () => Promise<void>;
  /** Decides and answers what is open. @param share how often it does */
  readonly clear: (member: Member, share: number) => Promise<void>;
  /** Errands that have ended, as far as their callers are concerned. */
  readonly ended: Set<string>;
}

const weights = { approve: 30, replan: 3, revoke: 3, deny: 4, withdraw: 2, answer: 22, cancel: 10, rerun: 8, resume: 5, get: 10 } as const;

/** Creates the operator of a run. */
export function createOperator(world: World, desk: Desk, random: Random): Operator {
  const { answers, attempts } = world.observations;
  const ended = new Set<string>();
  const rerunning = new Set<string>();

  function pickAttempt(isWanted: (attempt: ObservedAttempt) => boolean): ObservedAttempt | undefined {
    const wanted = attempts.filter((attempt) => attempt.rerunOf === undefined && isWanted(attempt));
    return wanted.length === 0 ? undefined : random.pick(wanted);
  }

  async function decide(member: Member, verdict: 'approve' | 'deny' | 'withdraw'): Promise<void> {
    const waiting = await desk.approvals(member);
    if (waiting.length === 0) return;
    const approval = random.pick(waiting);
    await desk.decide(member, approval, verdict, verdict === 'approve' ? drawExtras(approval) : {});
  }

  /** Draws what a person who approves changes, or allows besides. */
  function drawExtras({ input }: WaitingApproval): DecisionExtras {
    if (random.chance(0.2)) return { edited: { ...(input as object), size: random.pick([1, 5, usualSize + 1]) } };
    if (!random.chance(0.3)) return {};
    const whom = random.pick(['run', 'user'] as const);
    const uses = 1 + random.below(3);
    return { grant: { for: whom, maxSize: usualSize + random.below(5), expiresMs: random.between(200, 4_000), uses } };
  }

  async function answer(member: Member): Promise<void> {
    const questions = await desk.questions(member);
    const given = random.chance(0.9) ? { ok: random.chance(0.7) } : { no: 'sense' };
    if (questions.length > 0) await desk.answer(member, random.pick(questions), given);
  }

  const hasEnd = (attempt: string): boolean =>
    answers.some((one) => one.attempt === attempt && one.outcome !== undefined && one.outcome.status !== 'pending');

  /** Finds a call to run again whose caller has given up: the last attempt of its errand. */
  function pickFailed(): ObservedAttempt | undefined {
    return pickAttempt(({ label, tool, attempt }) => {
      if (!factsOf(tool).steps || !ended.has(label) || rerunning.has(label)) return false;
      const last = attempts.findLast((one) => one.label === label && one.rerunOf === undefined);
      const known = answers.findLast((one) => one.attempt === attempt && one.outcome !== undefined)?.outcome;
      return last?.attempt === attempt && (known === undefined || known.status === 'error');
    });
  }

  const acts: Readonly<Record<keyof typeof weights, (member: Member) => Promise<unknown>>> = {
    approve: (member) => decide(member, 'approve'),
    async replan() {
      const found = pickAttempt(({ tool }) => factsOf(tool).needsApproval);
      if (found !== undefined) world.plans.set(found.id, (world.plans.get(found.id) ?? 0) + 1);
    },
    revoke: (member) => desk.revoke(member, (count) => random.below(Math.max(1, count))),
    deny: (member) => decide(member, 'deny'),
    withdraw: (member) => decide(member, 'withdraw'),
    answer,
    async cancel(member) {
      const found = pickAttempt(({ attempt }) => !hasEnd(attempt));
      if (found !== undefined) await desk.cancel(member, found.attempt);
    },
    async rerun(member) {
      const found = pickFailed();
      if (found === undefined) return;
      rerunning.add(found.label);
      await desk.rerun(member, found.attempt);
      rerunning.delete(found.label);
    },
    async resume(member) {
      const found = pickAttempt(({ label }) => ended.has(label));
      if (found !== undefined) await desk.resume(member, found.runId);
    },
    async get(member) {
      const found = pickAttempt(() => true);
      if (found !== undefined) await desk.get(member, found.attempt);
    },
  };

  return {
    ended,
    async act() {
      const living = world.living();
      if (living.length > 0) await acts[random.weighted(weights)](random.pick(living));
    },
    async clear(member, share) {
      if (random.chance(share)) await decide(member, random.chance(0.85) ? 'approve' : 'deny');
      if (random.chance(share)) await answer(member);
    },
  };
}
