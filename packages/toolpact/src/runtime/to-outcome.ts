import type { StandardResult } from '../contract/index.ts';
import { isThenable } from '../json/index.ts';
import { isOutcome, isReply, type OkReply, type Outcome, type PartialReply, ToolFailure, toReply } from '../outcome/index.ts';
import type { Call } from './call.ts';
import { failedOutcome, thrownOutcome } from './outcomes/error-outcome.ts';
import { invalidOutput } from './outcomes/invalid-outcome.ts';
import { okOutcome, partialOutcome, pendingOutcome } from './outcomes/ok-outcome.ts';
import { isFitData, toJsonData, toJsonOnly, withoutSecrets } from './outcomes/to-json-data.ts';

/** An outcome, or a promise of it where a schema is asynchronous. */
export type Answer = Outcome | Promise<Outcome>;

/** The result of checking a value with a schema. */
export type Checked = StandardResult<unknown>;

/** Turns what a handler gave into an outcome: a reply, a failure, how another call ended, or data. Never throws. */
export function toOutcome(call: Call, value: unknown): Answer {
  try {
    if (typeof value !== 'object' || value === null) return checkOutput(call, value, undefined);
    if (value instanceof Error) return thrownOutcome(call, value);
    if (!isReply(value)) return isOutcome(value) ? toOutcome(call, toReply(value)) : checkOutput(call, value, undefined);
    if (ToolFailure.isInstance(value)) return thrownOutcome(call, value);
    return value.status === 'pending' ? pendingOutcome(call, value) : checkOutput(call, value.data, value);
  } catch (bug) {
    return thrownOutcome(call, bug);
  }
}

type DataReply = OkReply<unknown> | PartialReply<unknown> | undefined;

function checkOutput(call: Call, data: unknown, reply: DataReply): Answer {
  if (call.plan.checkOutput === undefined) return fitData(call, data, reply);
  const checked = call.plan.checkOutput(data);
  const conclude = (result: Checked): Outcome =>
    result.issues === undefined ? fitData(call, checkedValue(result), reply) : invalidOutput(call, result.issues, data);
  return isThenable(checked) ? Promise.resolve(checked).then(conclude) : conclude(checked);
}

/** Takes the value out of a check that found no issue. */
export function checkedValue(checked: Checked): unknown {
  if ('value' in checked) return checked.value;
  throw new TypeError('the schema gave neither a value nor issues, as a Standard Schema does');
}

/** Creates the data fit to travel and builds the outcome around it. */
function fitData(call: Call, data: unknown, reply: DataReply): Outcome {
  const maxChars = call.plan.maxResultChars ?? call.settings.maxResultChars;
  if (isFitData(data, maxChars)) return buildOutcome(call, data, reply, false);
  const json = toJsonData(data, maxChars);
  if (!json.ok) {
    const { path, problem } = json;
    const message = `The result${path === '' ? '' : ` at ${path}`} cannot be sent: ${problem}.`;
    return failedOutcome(call, 'invalid_output', { message, details: { path: call.redactor.text(path) } });
  }
  for (const warning of json.warnings) call.warn(warning);
  if (json.truncated && call.guarded?.keepsFullResult === true) call.guarded.fullResult = withoutSecrets(call, toJsonOnly(data));
  return buildOutcome(call, json.value, reply, json.truncated);
}

function buildOutcome(call: Call, fit: unknown, reply: DataReply, truncated: boolean): Outcome {
  const data = withoutSecrets(call, fit);
  const endedAt = performance.now();
  // A handler that blocks the event loop outruns the timer; its result is good all the same.
  if (endedAt > call.deadlineAt) call.warn(`finished after its deadline of ${call.timeoutMs} ms`);
  call.endedAt = endedAt;
  return reply?.status === 'partial' ? partialOutcome(call, data, reply, truncated) : okOutcome(call, data, reply?.options, truncated);
}
