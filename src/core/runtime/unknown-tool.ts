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
  const call = callWithoutTool(asked, settings, args, context);
  const facts = { message: settings.redactor.text(found.message), details: { candidates: found.candidates } };
  return call.finish(refusedOutcome(call, 'unknown_tool', facts));
}

/** Answers a call of a batch that was not made because another one had failed. */
export function answerSkipped(asked: unknown, failedId: string, settings: CallSettings, context: CallContext): Outcome {
  const call = callWithoutTool(asked, settings, {}, context);
  const message = settings.redactor.text(`${call.tool} was skipped because call ${failedId} failed; it did not run.`);
  return call.finish(refusedOutcome(call, 'cancelled', { message, code: 'skipped' }));
}

function callWithoutTool(asked: unknown, settings: CallSettings, args: unknown, context: CallContext): Call {
  const name = settings.redactor.text(typeof asked === 'string' ? asked.slice(0, 64) : '');
  const call = new Call({ ...noPlan, name }, settings, context, timedOutOutcome);
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
