import type { Outcome } from 'toolpact';
import type { FinalState, ObservedAnswer, ObservedAttempt, ObservedDecision } from './observations.ts';
import type { Asked, Member, World } from './world.ts';

/** Where all calls are made and all questions asked: whatever anybody is told is noted here. */
export interface Desk {
  /** Makes a call. Undefined where its process died before it answered. */
  readonly call: (member: Member, attempt: CallFacts) => Promise<Outcome | undefined>;
  readonly wait: (member: Member, attempt: string, handle: string, timeoutMs: number) => Promise<Outcome | undefined>;
  readonly find: (member: Member, attempt: string) => Promise<Outcome | undefined>;
  readonly cancel: (member: Member, attempt: string) => Promise<boolean | undefined>;
  readonly rerun: (member: Member, attempt: string) => Promise<Outcome | undefined>;
  readonly resume: (member: Member, runId: string) => Promise<readonly string[] | undefined>;
  readonly approvals: (member: Member) => Promise<readonly WaitingApproval[]>;
  readonly decide: (member: Member, approval: WaitingApproval, verdict: ObservedDecision['verdict']) => Promise<boolean | undefined>;
  /** Gives the handles of the questions that calls ask in their middle. */
  readonly questions: (member: Member) => Promise<readonly string[]>;
  readonly answer: (member: Member, handle: string, given: unknown) => Promise<Outcome | undefined>;
  /** Looks how a call stands, from all sides. */
  readonly look: (member: Member, attempt: string) => Promise<FinalState>;
}

/** What is called, and by whom. */
export type CallFacts = Pick<ObservedAttempt, 'attempt' | 'tool' | 'id' | 'label' | 'runId'>;

type WaitingApproval = Awaited<ReturnType<Member['toolbox']['listApprovals']>>[number];

const patienceMs = 20_000;

/** Opens the desk of a run. */
export function createDesk(world: World): Desk {
  const { observations, scheduler, history } = world;
  const { attempts, answers, cancels, decisions } = observations;
  /** The handles under which attempts are pending. */
  const handles = new Map<string, string>();
  const count = (what: string): unknown => world.counts.set(what, (world.counts.get(what) ?? 0) + 1);
  const told = <TValue>(asked: Asked<TValue>): TValue | undefined => (asked.is === 'answered' ? asked.value : undefined);
  const read = async <TValue>(member: Member, run: () => Promise<TValue>): Promise<TValue | undefined> =>
    told(await world.ask(member, run, patienceMs));

  function begin(facts: Omit<ObservedAttempt, 'beganAt' | 'answeredAt'>): ObservedAttempt {
    const attempt: ObservedAttempt = { ...facts, beganAt: scheduler.now(), answeredAt: undefined };
    attempts.push(attempt);
    return attempt;
  }

  function note(answer: Pick<ObservedAnswer, 'way' | 'attempt' | 'askedAt' | 'outcome' | 'isOpen'>, process: string): void {
    const { tool = '', id = '' } = attempts.find(({ attempt }) => attempt === answer.attempt) ?? {};
    answers.push({ ...answer, process, tool, id, at: scheduler.now() });
    history.note(process, `${answer.way} ${answer.attempt}: ${answer.isOpen ? 'no end' : showOutcome(answer.outcome)}`);
  }

  async function find(member: Member, attempt: string) {
    const askedAt = scheduler.now();
    const asked = await world.ask(member, () => member.toolbox.findCall(attempt), patienceMs);
    if (asked.is !== 'answered') return undefined;
    const outcome = asked.value?.outcome;
    const isOpen = asked.value !== undefined && outcome === undefined;
    note({ way: 'find', attempt, askedAt, outcome, isOpen }, member.process.name);
    return { outcome, isRecorded: asked.value !== undefined };
  }

  return {
    async call(member, facts) {
      const { tool, id, attempt, runId } = facts;
      const process = member.process.name;
      const input = { id };
      const begun = begin({ ...facts, process, input });
      history.note(process, `is asked to ${tool} ${id} as ${attempt}`);
      // The id that models give to their calls goes with a call wherever that goes on, so it tells to which one a run belongs.
      const context = { callId: attempt, invocationId: attempt, runId, userId: 'ann' };
      const asked = await world.ask(member, () => member.toolbox.call(tool as never, input as never, context) as Promise<Outcome>, 40_000);
      if (asked.is === 'failed') observations.strays.push(`call rejected: ${String(asked.thrown)}`);
      if (asked.is !== 'answered') return undefined;
      begun.answeredAt = scheduler.now();
      note({ way: 'call', attempt, askedAt: begun.beganAt, outcome: asked.value }, process);
      if (asked.value.status === 'pending') handles.set(attempt, asked.value.pending.handle);
      return asked.value;
    },

    async wait(member, attempt, handle, timeoutMs) {
      const askedAt = scheduler.now();
      const outcome = told(await world.ask(member, () => member.toolbox.wait(handle, { timeoutMs }), timeoutMs + patienceMs));
      if (outcome !== undefined && outcome.status !== 'pending') note({ way: 'wait', attempt, askedAt, outcome }, member.process.name);
      return outcome;
    },

    find: async (member, attempt) => (await find(member, attempt))?.outcome,

    async cancel(member, attempt) {
      const askedAt = scheduler.now();
      const isStopped = await read(member, () => member.toolbox.cancel(attempt));
      history.note('operator', `cancels ${attempt} at ${member.process.name}: ${isStopped ?? 'no answer'}`);
      if (isStopped === undefined) return undefined;
      cancels.push({ attempt, askedAt, at: scheduler.now(), told: isStopped });
      if (isStopped) count('cancel');
      return isStopped;
    },

    async rerun(member, rerunOf) {
      const first = attempts.find(({ attempt }) => attempt === rerunOf);
      if (first === undefined) return undefined;
      const { tool, id, label, runId, input } = first;
      const process = member.process.name;
      const attempt = `${rerunOf}r${attempts.length}`;
      history.note('operator', `reruns ${rerunOf} at ${process} as ${attempt}`);
      const begun = begin({ attempt, tool, id, label, process, runId, input, rerunOf });
      const rerun = () => member.toolbox.rerun(rerunOf, {}, { callId: attempt, userId: 'ann' });
      const outcome = told(await world.ask(member, rerun, 40_000));
      if (outcome === undefined) return undefined;
      count('rerun');
      begun.answeredAt = scheduler.now();
      note({ way: 'rerun', attempt, askedAt: begun.beganAt, outcome }, process);
      return outcome;
    },

    async resume(member, runId) {
      const askedAt = scheduler.now();
      const resumed = told(await world.ask(member, () => member.toolbox.resume(runId), 40_000));
      const found = resumed?.map(({ how }) => how);
      history.note('operator', `resumes ${runId} at ${member.process.name}: ${found?.join(', ') ?? 'no answer'}`);
      if (resumed === undefined) return undefined;
      count('resume');
      for (const { invocationId, outcome, how } of resumed) {
        const isKnown = attempts.some(({ attempt }) => attempt === invocationId);
        if (isKnown && how !== 'running' && outcome.status !== 'pending')
          note({ way: 'resume', attempt: invocationId, askedAt, outcome }, member.process.name);
      }
      return found;
    },

    approvals: async (member) => (await read(member, () => member.toolbox.listApprovals())) ?? [],

    async decide(member, { handle, tool, input, runId }, verdict) {
      const { toolbox, process } = member;
      const askedAt = scheduler.now();
      const isTaken = await read(member, async () =>
        verdict === 'withdraw' ? toolbox.withdraw(handle) : (await toolbox.decide(handle, verdict, { by: 'eve' })).ok,
      );
      decisions.push({ handle, tool, shown: input, runId, verdict, askedAt, at: scheduler.now(), isTaken });
      history.note('operator', `${verdictWords[verdict]} ${tool} ${JSON.stringify(input)} at ${process.name}: ${isTaken ?? 'no answer'}`);
      if (isTaken) count(verdict);
      return isTaken;
    },

    async questions(member) {
      const listed = await read(member, () => member.toolbox.listPending());
      return (listed?.calls ?? []).flatMap(({ outcome, questions = [] }) =>
        outcome === undefined ? questions.map(({ handle }) => handle) : [],
      );
    },

    async answer(member, handle, given) {
      const outcome = await read(member, () => member.toolbox.settle(handle, given));
      const said = outcome === undefined ? 'no answer' : showOutcome(outcome);
      history.note('operator', `answers ${handle.slice(0, 18)} with ${JSON.stringify(given)} at ${member.process.name}: ${said}`);
      count('settle');
      return outcome;
    },

    async look(member, attempt) {
      const { toolbox } = member;
      const { tool = '', id = '' } = attempts.find((one) => one.attempt === attempt) ?? {};
      const { outcome: found, isRecorded = false } = (await find(member, attempt)) ?? {};
      const handle = found?.status === 'pending' ? found.pending.handle : handles.get(attempt);
      if (handle === undefined) return { attempt, tool, id, found, isRecorded, openQuestions: 0, waited: undefined };
      const state = await read(member, () => toolbox.findPending(handle));
      const nextHandle = state?.outcome?.status === 'pending' ? state.outcome.pending.handle : undefined;
      const next = nextHandle === undefined ? undefined : await read(member, () => toolbox.findPending(nextHandle));
      const asked = [state, next].flatMap((one) => (one?.outcome === undefined ? (one?.questions ?? []) : []));
      const approval = await read(member, () => toolbox.findApproval(handle));
      // One that was given waits for the same call, made again.
      const isAskedFor = approval?.state === 'waiting' || approval?.state === 'approved';
      const waited = await read(member, () => toolbox.wait(handle, { timeoutMs: 20 }));
      return { attempt, tool, id, found, isRecorded, openQuestions: asked.length + (isAskedFor ? 1 : 0), waited };
    },
  };
}

const verdictWords = { approve: 'approves', deny: 'denies', withdraw: 'withdraws' } as const;

/** Shows an outcome in a few words. */
export function showOutcome(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'nothing is known';
  const warnings = outcome.meta.warnings === undefined ? '' : ` (${outcome.meta.warnings.join('; ')})`;
  const replayed = outcome.meta.replayed === true ? ' replayed' : '';
  if (outcome.status === 'pending') return `pending, ${outcome.pending.reason}, ${outcome.pending.handle.slice(0, 18)}${warnings}`;
  if (outcome.status !== 'error') return `${outcome.status}${replayed}${warnings}`;
  const { kind, effect, message } = outcome.error;
  return `${kind}, effect ${effect}${replayed}: ${message.slice(0, 140)}${warnings}`;
}
