import type { Outcome } from 'toolpact';
import {
  type FinalAnswer,
  type FinalRow,
  type ObservedAnswer,
  type ObservedAttempt,
  type ObservedDecision,
  type ObservedGrantRequest,
  rowOf,
} from './observations.ts';
import { factsOf, usualSize } from './tools.ts';
import type { Asked, Member, World } from './world.ts';

/** Where all calls are made and all questions asked: whatever anybody is told is noted here. */
export interface Desk {
  /** Makes a call. Undefined where its process died before it answered. */
  readonly call: (member: Member, attempt: CallFacts) => Promise<Outcome | undefined>;
  readonly wait: (member: Member, attempt: string, handle: string, timeoutMs: number) => Promise<Outcome | undefined>;
  readonly get: (member: Member, attempt: string) => Promise<Outcome | undefined>;
  readonly cancel: (member: Member, attempt: string) => Promise<boolean | undefined>;
  readonly rerun: (member: Member, attempt: string) => Promise<Outcome | undefined>;
  readonly resume: (member: Member, runId: string) => Promise<readonly string[] | undefined>;
  readonly approvals: (member: Member) => Promise<readonly WaitingApproval[]>;
  readonly decide: (
    member: Member,
    approval: WaitingApproval,
    verdict: ObservedDecision['verdict'],
    how?: DecisionExtras,
  ) => Promise<boolean | undefined>;
  /** Revokes a standing grant, if there is one; gives whether somebody was told that it counts no more. */
  readonly revoke: (member: Member, pick: (count: number) => number) => Promise<boolean | undefined>;
  /** Returns the handles of the questions that calls ask in their middle. */
  readonly questions: (member: Member) => Promise<readonly string[]>;
  readonly answer: (member: Member, handle: string, given: unknown) => Promise<Outcome | undefined>;
  /** Looks how a call stands, as its caller would. */
  readonly look: (member: Member, attempt: string) => Promise<FinalAnswer>;
  /** Looks at all rows of the store, past all wires. */
  readonly lookAtRows: () => Promise<readonly FinalRow[]>;
}

/** The called tool, and the caller. */
export type CallFacts = Pick<ObservedAttempt, 'attempt' | 'tool' | 'id' | 'label' | 'runId'>;

/** Changes and grants that accompany a decision. */
export type DecisionExtras = Pick<ObservedDecision, 'edited' | 'grant'>;

export type WaitingApproval = Awaited<ReturnType<Member['toolbox']['approvals']['list']>>[number];

const patienceMs = 20_000;

/** Opens the desk of a run. */
export function createDesk(world: World): Desk {
  const { observations, scheduler, history } = world;
  const { attempts, answers, cancels, decisions } = observations;
  const count = (what: string): unknown => world.counts.set(what, (world.counts.get(what) ?? 0) + 1);
  const told = <TValue>(asked: Asked<TValue>): TValue | undefined => (asked.is === 'answered' ? asked.value : undefined);
  const read = async <TValue>(member: Member, run: () => Promise<TValue>): Promise<TValue | undefined> =>
    told(await world.ask(member, run, patienceMs));
  let decided = 0;

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

  async function get(member: Member, attempt: string): Promise<Outcome | undefined> {
    const askedAt = scheduler.now();
    const asked = await world.ask(member, () => member.toolbox.calls.get(rowOf(observations, attempt)), patienceMs);
    if (asked.is !== 'answered') return undefined;
    const outcome = asked.value?.outcome;
    note({ way: 'get', attempt, askedAt, outcome, isOpen: asked.value !== undefined && outcome === undefined }, member.process.name);
    return outcome;
  }

  return {
    async call(member, facts) {
      const { tool, id, attempt, runId } = facts;
      const process = member.process.name;
      const input = factsOf(tool).needsApproval ? { id, size: usualSize } : { id };
      const begun = begin({ ...facts, process, input });
      history.note(process, `is asked to ${tool} ${id} as ${attempt}`);
      // The id that models give to their calls goes with a call wherever that goes on, so it tells to which one a run belongs.
      const context = { callId: attempt, invocationId: attempt, runId, userId: 'ann' };
      const asked = await world.ask(member, () => member.toolbox.call(tool as never, input as never, context) as Promise<Outcome>, 40_000);
      if (asked.is === 'failed') observations.strays.push(`call rejected: ${String(asked.thrown)}`);
      if (asked.is !== 'answered') return undefined;
      begun.answeredAt = scheduler.now();
      note({ way: 'call', attempt, askedAt: begun.beganAt, outcome: asked.value }, process);
      return asked.value;
    },

    async wait(member, attempt, handle, timeoutMs) {
      const askedAt = scheduler.now();
      const outcome = told(await world.ask(member, () => member.toolbox.calls.wait(handle, { timeoutMs }), timeoutMs + patienceMs));
      if (outcome !== undefined && outcome.status !== 'pending') note({ way: 'wait', attempt, askedAt, outcome }, member.process.name);
      return outcome;
    },

    get,

    async cancel(member, attempt) {
      const askedAt = scheduler.now();
      const row = rowOf(observations, attempt);
      const isStopped = await read(member, () => member.toolbox.calls.cancel(row, { by: 'eve' }));
      history.note('operator', `cancels ${attempt} at ${member.process.name}: ${isStopped ?? 'no answer'}`);
      if (isStopped === undefined) return undefined;
      cancels.push({ row, askedAt, at: scheduler.now(), told: isStopped });
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
      const row = rowOf(observations, rerunOf);
      const rerun = () => member.toolbox.calls.rerun(row, {}, { callId: attempt, userId: 'ann' });
      const outcome = told(await world.ask(member, rerun, 40_000));
      if (outcome === undefined) return undefined;
      count('rerun');
      begun.answeredAt = scheduler.now();
      note({ way: 'rerun', attempt, askedAt: begun.beganAt, outcome }, process);
      return outcome;
    },

    async resume(member, runId) {
      const askedAt = scheduler.now();
      const resumed = told(await world.ask(member, () => member.toolbox.calls.resume(runId), 40_000));
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

    approvals: async (member) => (await read(member, () => member.toolbox.approvals.list())) ?? [],

    async decide(member, { handle, tool, input, preview }, verdict, { edited, grant } = {}) {
      const { toolbox, process } = member;
      const askedAt = scheduler.now();
      decided += 1;
      const reason = `reason ${decided}`;
      const facts = {
        by: 'eve',
        reason,
        ...(edited !== undefined && { input: edited as never }),
        ...(grant && { grant: toGrantRequest(grant) }),
      };
      const answer = await read(member, async () => {
        if (verdict === 'withdraw') return { ok: await toolbox.calls.cancel(handle) };
        return toolbox.approvals.decide(handle, verdict, facts);
      });
      const isTaken = answer?.ok;
      const approval = (answer as { readonly approval?: WaitingApproval } | undefined)?.approval;
      const extras = { ...(edited !== undefined && { edited }), ...(grant && { grant }) };
      // Where the answer was lost, nobody knows what the preview for changed arguments was.
      const seen = edited === undefined ? preview : approval?.preview;
      const own = { ...extras, ...(seen !== undefined && { preview: seen }) };
      decisions.push({ row: handle, reason, tool, shown: input, ...own, verdict, askedAt, at: scheduler.now(), isTaken });
      if (verdict === 'withdraw' && isTaken) cancels.push({ row: handle, askedAt, at: scheduler.now(), told: true });
      const besides = Object.keys(extras).length === 0 ? '' : ` ${JSON.stringify(extras)}`;
      const said = `${verdictWords[verdict]} ${tool} ${JSON.stringify(input)}${besides} at ${process.name}: ${isTaken ?? 'no answer'}`;
      history.note('operator', said);
      if (isTaken) count(verdict);
      if (isTaken && edited !== undefined) count('edit');
      return isTaken;
    },

    async revoke(member, pick) {
      const grants = (await read(member, () => member.toolbox.approvals.grants.list())) ?? [];
      const chosen = grants[pick(grants.length)];
      if (chosen === undefined) return undefined;
      const revoked = await read(member, () => member.toolbox.approvals.grants.revoke(chosen.id, { by: 'eve' }));
      history.note('operator', `revokes ${chosen.words} at ${member.process.name}: ${revoked?.state ?? 'no answer'}`);
      return revoked === undefined ? undefined : revoked.state !== 'active';
    },

    async questions(member) {
      const listed = await read(member, () => member.toolbox.calls.list({ status: 'pending' }));
      const handles: string[] = [];
      for (const { id, tool } of listed?.calls ?? []) {
        if (!asking.has(tool)) continue;
        const call = await read(member, () => member.toolbox.calls.get(id));
        handles.push(...(call?.questions ?? []).map(({ handle }) => handle));
      }
      return handles;
    },

    async answer(member, handle, given) {
      const outcome = await read(member, () => member.toolbox.calls.settle(handle, given));
      const said = outcome === undefined ? 'no answer' : showOutcome(outcome);
      history.note('operator', `answers ${handle.slice(0, 18)} with ${JSON.stringify(given)} at ${member.process.name}: ${said}`);
      count('settle');
      return outcome;
    },

    async look(member, attempt) {
      const { tool = '', id = '' } = attempts.find((one) => one.attempt === attempt) ?? {};
      const row = rowOf(observations, attempt);
      const found = await get(member, attempt);
      const waited = await read(member, () => member.toolbox.calls.wait(row, { timeoutMs: 20 }));
      return { attempt, tool, id, row, found, waited };
    },

    async lookAtRows() {
      const { calls } = world.readStore;
      if (calls === undefined) return [];
      return Promise.all(
        [...observations.rows.values()].map(async ({ tenant, row: id, ...begun }): Promise<FinalRow> => {
          const call = await calls.get(tenant, id);
          if (call === undefined)
            return { row: id, tool: begun.tool, isPromised: true, stage: 'forgotten', isAsking: false, outcome: undefined, leftovers: [] };
          const { tool, isPromised, stage, questions, outcome, guessAbout, replacedBy, readAt } = call;
          const isAsking = questions.some(
            ({ kind, state, expiresAt = Number.POSITIVE_INFINITY }) =>
              readAt < expiresAt && (state === 'open' || (kind === 'approval' && state === 'approved')),
          );
          const steps = await calls.steps(call);
          const args = await calls.args(call);
          const isDone = stage === 'ended' && guessAbout === undefined && outcome?.status !== 'error';
          const leftovers = [
            ...(isDone && steps.length > 0 ? ['steps'] : []),
            ...(isDone && args !== undefined ? ['arguments'] : []),
            ...(replacedBy !== undefined && steps.length > 0 ? ['steps of a call that another goes on with'] : []),
            ...(stage === 'ended' && questions.some(({ state }) => state === 'open') ? ['an open question'] : []),
          ];
          return { row: id, tool, isPromised, stage, isAsking: stage === 'waiting' && isAsking, outcome, leftovers };
        }),
      );
    },
  };
}

function toGrantRequest({ for: whom, maxSize, expiresMs, uses }: ObservedGrantRequest) {
  return { for: whom, input: { size: { max: maxSize }, id: 'any' as const }, expiresMs, uses };
}

/** The tools that ask in their middle. */
const asking: ReadonlySet<string> = new Set(['ask', 'askKeyed']);
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
