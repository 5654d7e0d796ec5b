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
): Promise<Outcome> {
  const name = settings.redactor.text(String(asked).slice(0, 64));
  const call = new Call({ ...noPlan, name }, settings, context, timedOutOutcome);
  call.received = args ?? {};
  call.announce();
  const facts = { message: settings.redactor.text(found.message), details: { candidates: found.candidates } };
  return Promise.resolve(call.finish(refusedOutcome(call, 'unknown_tool', facts)));
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
