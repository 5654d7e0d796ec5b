import type { Outcome } from 'toolpact';
import { type Callers, showOutcome } from './callers.ts';
import type { ObservedAttempt } from './observations.ts';
import type { Random } from './random.ts';
import { factsOf } from './tools.ts';
import type { Member, World } from './world.ts';

/** People and programs that look after calls: they approve, answer, cancel, rerun, resume and read, at any moment. */
export interface Operator {
  /** Does one thing that a person might do now, in some process. */
  readonly act: () => Promise<void>;
  /** Decides and answers all that is open. @param share how much of it */
  readonly clear: (member: Member, share: number) => Promise<void>;
  /** Errands that have ended, as far as their callers are concerned. */
  readonly ended: Set<string>;
}

/** Makes the operator of a run. */
export function createOperator(world: World, callers: Callers, random: Random): Operator {
  const { observations, scheduler, history } = world;
  const { answers, attempts, cancels, decisions } = observations;
  const ended = new Set<string>();
  const rerunning = new Set<string>();
  const count = (what: string): unknown => world.counts.set(what, (world.counts.get(what) ?? 0) + 1);

  async function decide(member: Member, verdict: 'approve' | 'deny' | 'withdraw'): Promise<void> {
    const { toolbox, process } = member;
    const listed = await world.ask(member, () => toolbox.listApprovals(), 20_000);
    if (listed.is !== 'answered' || listed.value.length === 0) return;
    const approval = random.pick(listed.value);
    const { handle, tool, input, runId } = approval;
    const askedAt = scheduler.now();
    const asked = await world.ask(
      member,
      async () => (verdict === 'withdraw' ? toolbox.withdraw(handle) : toolbox.decide(handle, verdict, { by: 'eve' })),
      20_000,
    );
    const isTaken = asked.is !== 'answered' ? undefined : typeof asked.value === 'boolean' ? asked.value : asked.value.ok;
    decisions.push({ handle, tool, shown: input, runId, verdict, askedAt, at: scheduler.now(), isTaken });
    history.note('operator', `${verdict}s ${tool} ${JSON.stringify(input)} at ${process.name}: ${isTaken ?? 'no answer'}`);
    if (isTaken) count(verdict);
  }

  async function answer(member: Member): Promise<void> {
    const listed = await world.ask(member, () => member.toolbox.listPending(), 20_000);
    if (listed.is !== 'answered') return;
    const waiting = listed.value.calls.filter(({ outcome, questions = [] }) => outcome === undefined && questions.length > 0);
    if (waiting.length === 0) return;
    const { questions = [] } = random.pick(waiting);
    const { handle } = random.pick(questions);
    const given = random.chance(0.9) ? { ok: random.chance(0.7) } : { no: 'sense' };
    const asked = await world.ask(member, () => member.toolbox.settle(handle, given), 20_000);
    history.note('operator', `answers ${handle.slice(0, 24)} at ${member.process.name}: ${told(asked)}`);
    count('settle');
  }

  async function cancel(member: Member): Promise<void> {
    const attempt = pickAttempt(
      ({ attempt }) => !answers.some((one) => one.attempt === attempt && one.outcome && one.outcome.status !== 'pending'),
    );
    if (attempt === undefined) return;
    const askedAt = scheduler.now();
    const asked = await world.ask(member, () => member.toolbox.cancel(attempt.attempt), 20_000);
    history.note('operator', `cancels ${attempt.attempt} at ${member.process.name}: ${asked.is === 'answered' ? asked.value : asked.is}`);
    if (asked.is !== 'answered') return;
    cancels.push({ attempt: attempt.attempt, askedAt, at: scheduler.now(), told: asked.value });
    if (asked.value) count('cancel');
  }

  /** Runs a call again whose caller has given up: the last attempt of its errand. */
  async function rerun(member: Member): Promise<void> {
    const attempt = pickAttempt(({ label, tool, attempt }) => {
      if (!factsOf(tool).steps || !ended.has(label) || rerunning.has(label)) return false;
      const last = attempts.findLast((one) => one.label === label && one.rerunOf === undefined);
      const known = answers.findLast((one) => one.attempt === attempt && one.outcome !== undefined)?.outcome;
      return last?.attempt === attempt && (known === undefined || known.status === 'error');
    });
    if (attempt === undefined) return;
    const { label, tool, id, runId, input } = attempt;
    rerunning.add(label);
    history.note('operator', `reruns ${attempt.attempt} at ${member.process.name}`);
    const name = `${attempt.attempt}r${attempts.length}`;
    const begun = callers.begin({ attempt: name, tool, id, label, process: member.process.name, runId, input, rerunOf: attempt.attempt });
    const asked = await world.ask(member, () => member.toolbox.rerun(attempt.attempt, {}, { callId: name, userId: 'ann' }), 40_000);
    rerunning.delete(label);
    if (asked.is !== 'answered') return;
    count('rerun');
    begun.answeredAt = scheduler.now();
    const outcome = asked.value as Outcome;
    callers.note({ way: 'rerun', process: member.process.name, tool, id, attempt: name, askedAt: begun.beganAt, outcome });
  }

  async function resume(member: Member): Promise<void> {
    const attempt = pickAttempt(({ label }) => ended.has(label));
    if (attempt === undefined) return;
    const askedAt = scheduler.now();
    const asked = await world.ask(member, () => member.toolbox.resume(attempt.runId), 40_000);
    history.note(
      'operator',
      `resumes ${attempt.runId} at ${member.process.name}: ${asked.is === 'answered' ? asked.value.map(({ how }) => how).join(', ') : asked.is}`,
    );
    if (asked.is !== 'answered') return;
    count('resume');
    for (const { invocationId, outcome, how } of asked.value) {
      const known = attempts.find((one) => one.attempt === invocationId);
      if (known === undefined || how === 'running' || outcome.status === 'pending') continue;
      const { tool, id } = known;
      callers.note({ way: 'resume', process: member.process.name, tool, id, attempt: invocationId, askedAt, outcome });
    }
  }

  async function read(member: Member): Promise<void> {
    const attempt = pickAttempt(() => true);
    if (attempt !== undefined) await find(member, attempt);
  }

  /** Reads what the journal knows of an attempt. */
  async function find(member: Member, { attempt, tool, id }: ObservedAttempt): Promise<void> {
    const askedAt = scheduler.now();
    const asked = await world.ask(member, () => member.toolbox.findCall(attempt), 20_000);
    if (asked.is !== 'answered') return;
    const outcome = asked.value?.outcome;
    const isOpen = asked.value !== undefined && outcome === undefined;
    callers.note({ way: 'find', process: member.process.name, tool, id, attempt, askedAt, outcome, isOpen });
  }

  function pickAttempt(isWanted: (attempt: ObservedAttempt) => boolean): ObservedAttempt | undefined {
    const wanted = attempts.filter((attempt) => attempt.rerunOf === undefined && isWanted(attempt));
    return wanted.length === 0 ? undefined : random.pick(wanted);
  }

  return {
    ended,
    async act() {
      const living = world.living();
      if (living.length === 0) return;
      const member = random.pick(living);
      const what = random.weighted({ approve: 30, deny: 4, withdraw: 2, answer: 22, cancel: 7, rerun: 8, resume: 5, read: 10 });
      if (what === 'answer') await answer(member);
      else if (what === 'cancel') await cancel(member);
      else if (what === 'rerun') await rerun(member);
      else if (what === 'resume') await resume(member);
      else if (what === 'read') await read(member);
      else await decide(member, what);
    },
    async clear(member, share) {
      if (random.chance(share)) await decide(member, random.chance(0.85) ? 'approve' : 'deny');
      if (random.chance(share)) await answer(member);
    },
  };
}

function told(asked: { readonly is: string; readonly value?: unknown }): string {
  return asked.is === 'answered' ? showOutcome(asked.value as Outcome) : asked.is;
}
