import type { CallContext } from '../contract/index.ts';
import { copyInput } from '../json/index.ts';
import type { Outcome } from '../outcome/index.ts';
import { Call } from './call.ts';
import { answerRefused } from './call-tool.ts';
import { refusedOutcome, skippedOutcome, thrownOutcome, timedOutOutcome } from './outcomes/error-outcome.ts';
import { type CallSettings, noPlan, type ToolPlan } from './tool-plan.ts';

/** Answers a call that no tool can take, with the nearest names; watchers see it like any other call. */
export function answerUnknown(
  asked: unknown,
  found: { readonly message: string; readonly advice: string; readonly candidates: readonly string[] },
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Promise<Outcome> {
  const call = announced(planOf(asked, settings), settings, args, context);
  const facts = { message: settings.redactor.text(found.message), advice: found.advice, details: { candidates: found.candidates } };
  return answerRefused(call, refusedOutcome(call, 'unknown_tool', facts));
}

/** Answers a call of a batch that was not made because another one had failed. The tool is given by its plan, or by name if there is none. */
export function answerSkipped(
  plan: ToolPlan | undefined,
  name: string,
  failedId: string,
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Outcome {
  const call = announced(plan ?? planOf(name, settings), settings, args, context);
  return call.finish(skippedOutcome(call, failedId));
}

/** Answers for what has failed beside the tools, such as an agent. What it had done by then is not known; no guard stands around it. */
export function answerThrown(name: string, thrown: unknown, settings: CallSettings, context: CallContext): Outcome {
  const call = announced({ ...planOf(name, settings), effects: 'writes' }, settings, {}, context);
  call.handlerStarted = true;
  return call.finish(thrownOutcome(call, thrown));
}

/** Stands in for the plan of a tool that does not exist. */
function planOf(asked: unknown, { redactor }: CallSettings): ToolPlan {
  return { ...noPlan, name: typeof asked === 'string' ? redactor.text(asked.slice(0, 2000)).slice(0, 64) : '' };
}

function announced(plan: ToolPlan, settings: CallSettings, args: unknown, context: CallContext): Call {
  const call = new Call(plan, settings, context, timedOutOutcome);
  try {
    call.received = copyInput(args ?? {}).value;
  } catch {
    call.received = {};
  }
  call.announce();
  return call;
}
