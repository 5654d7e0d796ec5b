import { type CallContext, noTenant } from '../../contract/index.ts';
import { fail, type Outcome, refuseOptions, withoutAbsent } from '../../outcome/index.ts';
import { expiredFailure, type GuardedToolbox, type StoredCall, type TakenCall, unknownStep, untilWritten } from '../../ports/index.ts';
import { approvalOf, isExpired } from '../approvals/approval-question.ts';
import { endStored } from '../approvals/end-waiting.ts';
import { waitAgain } from '../approvals/wait-again.ts';
import type { CallRegistry } from '../call-registry.ts';
import { bareOutcome } from '../run/answers.ts';
import { readStart } from '../run/stored-start.ts';
import { askStore, demandOf } from '../store/ask-store.ts';
import { hasSoundOutcome } from '../store/stored-outcome.ts';
import { cancelledFailure, effectOfSteps } from './go-on.ts';

/** How a call is run again. */
export interface RerunOptions {
  /** The name of the first step that is done again. @default the first that has not ended */
  readonly from?: string;
}

const demand = demandOf('The call');

/** Creates the `rerun` of a toolbox. `auth` and `app` of the new call come from the context that it is given. */
export function createRerun(
  registry: CallRegistry,
  toolbox: GuardedToolbox,
): (id: string, options?: RerunOptions, context?: CallContext) => Promise<Outcome> {
  const { ledger, again, life } = registry;
  return async (id, options = {}, context = {}) => {
    refuseOptions<RerunOptions>('calls.rerun', options, { from: true });
    const tenant = context.tenantId ?? toolbox.context.tenantId ?? noTenant;
    try {
      await untilWritten(registry.store);
      const ready = await prepare(tenant, String(id), options.from);
      return 'status' in ready ? ready : await run(ready, options.from, context);
    } catch (error) {
      return bareOutcome('not_ready', `The call was not run again: ${(error as Error).message}`);
    }
  };

  interface Ready {
    readonly last: StoredCall;
    readonly args: unknown;
    /** The call itself, where it was approved and has not run. */
    readonly taken?: TakenCall;
  }

  /** Finds the last of the calls that share their steps: that one decides. */
  async function lastOf(tenant: string, id: string): Promise<StoredCall | undefined> {
    let call = await demand(() => ledger.get(tenant, id));
    while (call?.replacedBy !== undefined) {
      const { replacedBy } = call;
      call = await demand(() => ledger.get(tenant, replacedBy));
    }
    return call;
  }

  /** Finds out whether a call may run again. */
  async function prepare(tenant: string, id: string, from: string | undefined): Promise<Ready | Outcome> {
    const last = await lastOf(tenant, id);
    const start = last && readStart(last);
    if (last === undefined || start === undefined) return bareOutcome('not_found', `There is no recorded call ${id}.`);
    const { tool: name, outcome, stage } = last;
    if (!hasSoundOutcome(last)) return bareOutcome('not_ready', `How the call ${last.id} ended cannot be read.`, { tool: name });
    const tool = toolbox.find(name);
    if (tool === undefined) return bareOutcome('unknown_tool', `${name}, which was called, is not among the tools here.`);
    if (!tool.steps)
      return bareOutcome('unsupported', `${name} has no steps to run again from.`, { tool: name, advice: 'Make a new call.' });
    if (stage === 'running' && !last.isDead) return bareOutcome('conflict', `The call ${last.id} still runs.`, { tool: name });
    const approval = stage === 'waiting' ? approvalOf(last) : undefined;
    if (stage === 'waiting' && approval === undefined)
      return bareOutcome('conflict', `The call ${last.id} has not ended: it sleeps or waits.`, { tool: name });
    if (approval?.state === 'open' && !isExpired(approval, last.readAt))
      return outcome ?? bareOutcome('not_ready', `The call ${last.id} waits.`);
    // The engine never said which steps it has done: without them they would be done again.
    if (stage === 'ended' && registry.isOnEngine && last.guessAbout === last.epoch)
      return bareOutcome('conflict', `Nobody knows which steps of the call ${last.id} were done: its engine has not said how it ended.`, {
        tool: name,
        advice: 'Check what it did, and make a new call for what is left.',
      });
    if (stage === 'ended' && outcome !== undefined) {
      if ((approvalOf(last)?.state === 'denied' || isDenied(outcome)) && start.rerunOf === undefined)
        return bareOutcome('denied', `The call ${last.id} was denied and did not run, so it is not run again.`, {
          tool: name,
          advice: 'Make a new call, which asks again.',
        });
      if (outcome.status === 'ok' || outcome.status === 'partial')
        return bareOutcome('conflict', `The call ${last.id} has succeeded; there is nothing to run again.`, {
          tool: name,
          advice: 'Read its outcome.',
        });
    }
    if (from !== undefined) {
      const steps = await demand(() => ledger.steps(last));
      const failure = unknownStep(
        from,
        steps.filter(({ leftMs }) => leftMs === undefined).map(({ name: step }) => step),
      );
      if (failure !== undefined) return toolbox.toOutcome(name, {}, failure);
    }
    const args = await argumentsOf(last);
    if (args === undefined)
      return bareOutcome('not_found', `The arguments of the call ${last.id} are not kept.`, { tool: name, advice: 'Make a new call.' });
    if (stage === 'ended') return { last, args };
    const taken = await take(last);
    if (taken === undefined) return bareOutcome('conflict', `The call ${last.id} is already being run again.`, { tool: name });
    if (approval?.state === 'approved' && !isExpired(approval, last.readAt)) return { last, args, taken };
    // Its process is gone, or no person decided about it in time.
    const failure =
      approval === undefined
        ? fail('interrupted', `${name} was interrupted: the process that ran it died.`, { effect: effectOfSteps(taken) })
        : expiredFailure(last);
    const end = await toolbox.toOutcome(name, {}, failure, { tenantId: tenant, invocationId: last.id });
    await demand(() => endStored(registry, taken, end, { keepsSteps: true }));
    return { last: { ...last, epoch: taken.epoch }, args };
  }

  async function take(last: StoredCall): Promise<TakenCall | undefined> {
    const signing = await life.sign();
    if (signing?.ok === false) throw new Error(`${signing.why}.`);
    const from = last.stage === 'waiting' ? 'waiting' : 'dead';
    const answer = await demand(() => ledger.take(last, { epoch: last.epoch, process: life.name, from }));
    return answer.is === 'taken' ? answer.call : undefined;
  }

  /** The arguments are given to those alone that take a call; that of a call which has ended is only read. */
  async function argumentsOf(call: StoredCall): Promise<unknown> {
    const start = readStart(call);
    const storedArguments = await demand(() => ledger.args(call));
    return storedArguments ?? (start?.isWhole === true ? start.event.input : undefined);
  }

  /** A guard in front of the ledger has kept an approved call from running: it waits for another try. */
  async function concludeRefused(taken: TakenCall, outcome: Outcome): Promise<Outcome> {
    const waiting = await askStore(() => waitAgain(ledger, taken));
    if (!waiting.ok || waiting.value?.is !== 'cancelled') return outcome;
    const end = await toolbox.toOutcome(taken.tool, {}, cancelledFailure(taken), { tenantId: taken.tenant, invocationId: taken.id });
    await askStore(() => endStored(registry, taken, end, { keepsSteps: true }));
    return end;
  }

  async function run({ last, args, taken }: Ready, from: string | undefined, context: CallContext): Promise<Outcome> {
    const start = readStart(last);
    if (start === undefined) return bareOutcome('not_found', `There is no recorded call ${last.id}.`);
    const invocationId = taken?.id ?? crypto.randomUUID();
    const rerunOf = start.rerunOf ?? last.id;
    const rerun = { instead: { id: last.id, epoch: last.epoch }, rerunOf, origin: last.origin, ...(from !== undefined && { from }) };
    const { tool, userId, agentName, runId, sessionId, conversationId, ids } = start.event;
    const { idempotencyKey: _, ...caller } = { ...toolbox.context, ...context };
    const { idempotencyKey, timeoutMs } = start;
    // User and agent are those of the rerun; run, session and conversation stay those of the first call.
    const callerContext = withoutAbsent<CallContext>({ timeoutMs, userId, agentName, ...withoutAbsent<CallContext>(caller) });
    const firstContext = withoutAbsent<CallContext>({
      runId,
      sessionId,
      conversationId,
      ids,
      idempotencyKey,
      tenantId: last.tenant,
      invocationId,
    });
    again.set(invocationId, taken === undefined ? { rerun } : { taken, conclude: (outcome) => concludeRefused(taken, outcome) });
    return toolbox.answer({ name: tool, args }, { ...callerContext, ...firstContext }).finally(() => again.delete(invocationId));
  }
}

/** Recognises a call that a person or a policy kept from running. A tool that runs may also say that something was denied to it. */
function isDenied(outcome: Outcome): boolean {
  return outcome.status === 'error' && outcome.error.kind === 'denied' && outcome.meta.attempts === 0;
}
