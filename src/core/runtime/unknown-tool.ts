import type { CallContext } from '../contract/index.ts';
import type { Outcome } from '../outcome/index.ts';
import { Call } from './call.ts';
import { refusedOutcome, timedOutOutcome } from './error-outcome.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** Answers a call that no tool can take, with the nearest names; watchers see it like any other call. */
export function answerUnknown(
  asked: unknown,
  found: { readonly message: string; readonly candidates: readonly string[] },
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Outcome {
  const call = announced(planOf(asked, settings), settings, args, context);
  const facts = { message: settings.redactor.text(found.message), details: { candidates: found.candidates } };
  return call.finish(refusedOutcome(call, 'unknown_tool', facts));
}

/** Answers a call of a batch that was not made because another one had failed. The tool is given by its plan, or by name if there is none. */
export function answerSkipped(
  tool: ToolPlan | string,
  failedId: string,
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Outcome {
  const call = announced(typeof tool === 'string' ? planOf(tool, settings) : tool, settings, args, context);
  const message = settings.redactor.text(`${call.tool} was skipped because call ${failedId} failed; it did not run.`);
  return call.finish(refusedOutcome(call, 'cancelled', { message, code: 'skipped' }));
}

/** Stands in for the plan of a tool that does not exist. */
function planOf(asked: unknown, { redactor }: CallSettings): ToolPlan {
  return { ...noPlan, name: redactor.text(typeof asked === 'string' ? asked.slice(0, 64) : '') };
}

function announced(plan: ToolPlan, settings: CallSettings, args: unknown, context: CallContext): Call {
  const call = new Call(plan, settings, context, timedOutOutcome);
  call.received = args ?? {};
  call.announce();
  return call;
}

const noPlan: Omit<ToolPlan, 'name'> = {
  description: undefined,
  effects: 'none',
  timeoutMs: undefined,
  checkInput: undefined,
  checkOutput: undefined,
  run: () => undefined,
  failures: undefined,
  onFailure: undefined,
  toModel: undefined,
  idempotency: undefined,
  echoInput: undefined,
  maxResultChars: undefined,
  exampleText: undefined,
  promised: [],
  schemas: () => ({ input: {}, output: undefined }),
};
