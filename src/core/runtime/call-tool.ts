import type { CallContext, StandardResult } from '../contract/index.ts';
import { copyInput, isThenable, takePromise, type UncopyableInput } from '../json/index.ts';
import {
  isOutcome,
  isReply,
  isUnreadResponse,
  type OkReply,
  type Outcome,
  type PartialReply,
  readResponse,
  ToolFailure,
  toReply,
} from '../outcome/index.ts';
import { guardOfPromise } from '../ports/index.ts';
import { currentScope, runInScope } from './async-scope.ts';
import { Call } from './call.ts';
import { mergeContext, noContext, type OwnContext } from './merge-context.ts';
import { answerRefused } from './outcomes/answer-refused.ts';
import { abortedOutcome, failedOutcome, refusedOutcome, thrownOutcome, timedOutOutcome } from './outcomes/error-outcome.ts';
import { invalidInput, invalidOutput } from './outcomes/invalid-outcome.ts';
import { okOutcome, partialOutcome, pendingOutcome } from './outcomes/ok-outcome.ts';
import { echoes, isFitData, toJsonData, toJsonOnly, withoutSecrets } from './outcomes/to-json-data.ts';
import { type ArgumentsProblem, describeUncopyable, parseArguments } from './parse-arguments.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';
import { endAttempt, runWithin } from './watch-call.ts';

/**
 * Runs one call from raw arguments to its outcome; never rejects. Without guards the handler is invoked right here: a failing
 * handler pays for every frame above it, and one that answers at once arms no deadline.
 */
export function callTool(
  plan: ToolPlan,
  settings: CallSettings,
  args: unknown,
  context?: CallContext,
  bound: CallContext = noContext,
  gate?: Call['gate'],
): Promise<Outcome> {
  const call = new Call(plan, settings, context ? mergeContext(bound, context) : bound, timedOutOutcome);
  try {
    const refused = takeArguments(call, args) ?? refuse(call);
    if (refused) return answerRefused(call, refused);
    const checked = checkInput(call);
    call.gate = gate;
    if (settings.runner || isThenable(checked)) return goOn(call, checked);
    if (checked.issues) return Promise.resolve(call.finish(invalidInput(call, checked.issues)));
    accept(call, checked);
    call.attempts = 1;
    call.handlerStarted = !plan.needs;
    let value: unknown;
    try {
      value = call.span || call.depth > 0 ? runHandler(call) : plan.run(call.input as never, call as never);
    } catch (thrown) {
      if (isUnreadResponse(thrown)) return settleWith(call, Promise.reject(thrown));
      return Promise.resolve(call.finish(thrownOutcome(call, thrown)));
    }
    if (isThenable(value)) return settleWith(call, value);
    const outcome = toOutcome(call, value);
    return outcome instanceof Promise ? answerLater(call, outcome) : Promise.resolve(call.finish(outcome));
  } catch (bug) {
    const outcome = thrownOutcome(call, bug);
    return call.guarded ? Promise.resolve(call.finish(outcome)) : answerRefused(call, outcome);
  }
}

/** Reads and copies the arguments, and announces the call; gives an outcome when they cannot be read. */
function takeArguments(call: Call, args: unknown): Outcome | undefined {
  const problem = readArguments(call, args);
  call.announce();
  return problem && refusedOutcome(call, problem.kind, problem.facts);
}

/** Reads and copies the arguments; says what is wrong with those that cannot be taken. */
function readArguments(call: Call, args: unknown): ArgumentsProblem | undefined {
  const { redactor } = call.settings;
  const parsed = parseArguments(args, call.plan.effects, redactor);
  if (parsed.problem !== undefined) {
    call.received = args;
    return parsed.problem;
  }
  if (parsed.warning !== undefined) call.warn(parsed.warning);
  try {
    call.shown = copyInput(parsed.value);
    call.received = call.shown.value;
    call.receivedFlat = call.shown.flat;
    return undefined;
  } catch (thrown) {
    return describeUncopyable(thrown as UncopyableInput, redactor);
  }
}

/** How many calls may lie inside each other. */
const deepest = 100;

/** Gives an outcome for a call that must not start at all. */
function refuse(call: Call): Outcome | undefined {
  const { plan, settings, context } = call;
  if (call.isStopped) return abortedOutcome(call);
  if (!(call.timeoutMs > 0)) return timedOutOutcome(call);
  if (call.depth > deepest)
    return refusedOutcome(call, 'internal', {
      message: `Tools call each other without end: this call of ${plan.name} lies inside more than ${deepest} others.`,
    });
  const { '~problem': problem } = context as OwnContext;
  if (problem !== undefined) return refusedOutcome(call, 'not_configured', problem);
  const promise = plan.requires.find((promise) => !settings.provides.has(promise));
  if (promise === undefined) return undefined;
  return refusedOutcome(call, 'not_configured', {
    message: `${plan.name} declares ${promise}, but was called without the ${guardOfPromise[promise]} guard.`,
    advice: 'An operator has to add the guard to `use` of the toolbox, and to call the tool through that toolbox.',
    details: { promise },
  });
}

type Checked = StandardResult<unknown>;

function checkInput(call: Call): Checked | Promise<Checked> {
  const { checkInput } = call.plan;
  // The schema and the handler get a copy of their own: either may write into it.
  if (!checkInput) return { value: {} };
  const copy = call.receivedFlat ? { ...(call.received as object) } : copyInput(call.received).value;
  return checkInput(copy) as Checked | Promise<Checked>;
}

/** Makes the call answer when its handler does, or at its deadline, or when its caller stops it. */
function settleWith(call: Call, value: PromiseLike<unknown>): Promise<Outcome> {
  const opened = call.open(abortedOutcome);
  // A promise of another library may resolve to a promise, or its `then` may throw; `Promise.resolve` handles both.
  Promise.resolve(value).then(
    (result) => {
      if (call.outcome) return tooLate(call, true);
      const outcome = toOutcome(call, result);
      if (outcome instanceof Promise) settleLater(call, outcome);
      else call.settle(outcome);
    },
    (thrown: unknown) => {
      if (call.outcome) tooLate(call, false);
      else if (isUnreadResponse(thrown))
        settleLater(
          call,
          readResponse(thrown).then((read) => thrownOutcome(call, read)),
        );
      else call.settle(thrownOutcome(call, thrown));
    },
  );
  return opened;
}

/** Goes the long way: through an asynchronous check of the input, the guards, and as many attempts as they make. */
function goOn(call: Call, checked: Checked | PromiseLike<Checked>): Promise<Outcome> {
  // Guards may wait, or refuse, before the check is read, which may have failed meanwhile.
  takePromise(checked);
  // Open before the first guard runs, which may answer the caller at once, or make the call wait while its time does not count.
  const opened = call.open(abortedOutcome);
  settleLater(call, runChecked(call, checked));
  return opened;
}

/** Opens the call, and ends it with an outcome still to come. */
function answerLater(call: Call, pending: Promise<Outcome>): Promise<Outcome> {
  const opened = call.open(abortedOutcome);
  settleLater(call, pending);
  return opened;
}

function runChecked(call: Call, checking: Checked | PromiseLike<Checked>): Promise<Outcome> {
  const { outer, guards, runner } = call.settings;
  const go = (checked: Checked): Answer => {
    if (call.outcome) return call.outcome;
    if (checked.issues) return invalidInput(call, checked.issues);
    accept(call, checked);
    return runner ? runner.run(call, guards, () => attempt(call)) : attempt(call);
  };
  const run = (): Answer => afterCheck(checking, go);
  // Without guards only calls whose check takes time come here.
  return runner ? runner.run(call, outer, run) : (run() as Promise<Outcome>);
}

/** Runs the handler, so that what it calls knows how deep it lies. */
function runHandler(call: Call): unknown {
  const { plan, span, depth } = call;
  const run = () => (span ? runWithin(call, span) : plan.run(call.input as never, call as never));
  return depth === 0 ? run() : runInScope({ ...currentScope(), depth }, run);
}

async function attempt(call: Call): Promise<Outcome> {
  call.attempts += 1;
  call.endedAt = 0;
  call.handlerStarted ||= !call.plan.needs;
  call.watch?.beginAttempt();
  let outcome: Outcome;
  try {
    const value = await runHandler(call);
    if (isUnwanted(call)) return tooLate(call, true);
    outcome = await toOutcome(call, value);
  } catch (thrown) {
    if (isUnwanted(call)) return tooLate(call, false);
    outcome = thrownOutcome(call, isUnreadResponse(thrown) ? await readResponse(thrown) : thrown);
  }
  // After its deadline a call has ended, with its last attempt.
  if (call.outcome) {
    const given = tooLate(call, outcome.status !== 'error');
    return isUnwanted(call) ? given : outcome;
  }
  if (call.watch || call.span) endAttempt(call, outcome);
  return outcome;
}

function isUnwanted(call: Call): boolean {
  return call.outcome !== undefined && call.guarded?.keepsLateResult !== true;
}

/** Ends the call with an outcome still to come, unless it has ended by then. */
function settleLater(call: Call, pending: Promise<Outcome>): void {
  pending.then(
    (outcome) => call.settle(outcome),
    (bug: unknown) => call.settle(call.outcome ?? thrownOutcome(call, bug)),
  );
}

type Answer = Outcome | Promise<Outcome>;

/** Turns what a handler gave into an outcome: a reply, a failure, how another call ended, or data. Never throws. */
function toOutcome(call: Call, value: unknown): Answer {
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
  if (!call.plan.checkOutput) return fitData(call, data, reply);
  const checked = call.plan.checkOutput(data) as Checked | PromiseLike<Checked>;
  const conclude = (result: Checked): Outcome =>
    result.issues ? invalidOutput(call, result.issues, data) : fitData(call, checkedValue(result), reply);
  return afterCheck(checked, conclude);
}

/** Goes on with the result of a check: at once unless the schema is asynchronous. */
function afterCheck(checked: Checked | PromiseLike<Checked>, use: (checked: Checked) => Answer): Answer {
  return isThenable(checked) ? Promise.resolve(checked).then(use) : use(checked);
}

/** Makes the data fit to travel and builds the outcome around it. */
function fitData(call: Call, data: unknown, reply: DataReply): Outcome {
  const maxChars = call.plan.maxResultChars ?? call.settings.maxResultChars;
  if (isFitData(data, maxChars)) return build(call, data, reply, false);
  const json = toJsonData(data, maxChars);
  if (!json.ok) {
    const { path, problem } = json;
    const message = `The result${path && ` at ${path}`} cannot be sent: ${problem}.`;
    return failedOutcome(call, 'invalid_output', { message, details: { path: call.settings.redactor.text(path) } });
  }
  for (const warning of json.warnings) call.warn(warning);
  if (json.truncated && call.guarded?.keepsFullResult) call.guarded.fullResult = withoutSecrets(call, toJsonOnly(data));
  return build(call, json.value, reply, json.truncated);
}

function build(call: Call, fit: unknown, reply: DataReply, truncated: boolean): Outcome {
  const data = withoutSecrets(call, fit);
  const endedAt = performance.now();
  // A handler that blocks the event loop outruns the timer; its result is good all the same.
  if (endedAt > call.deadlineAt) call.warn(`finished after its deadline of ${call.timeoutMs} ms`);
  call.endedAt = endedAt;
  return reply?.status === 'partial' ? partialOutcome(call, data, reply, truncated) : okOutcome(call, data, reply?.options, truncated);
}

/** Reports that a result came after the call had ended; gives the outcome of the call. */
function tooLate(call: Call, ok: boolean): Outcome {
  call.lease?.end(false);
  call.watch?.emitOfCall({ type: 'late', ok });
  return call.outcome as Outcome;
}

/** Takes the checked arguments, and a copy of them for the outcome: the handler may write into its own. */
function accept(call: Call, checked: Checked): void {
  call.input = checkedValue(checked);
  if (!call.plan.checkInput || !echoes(call)) return;
  try {
    call.shown = copyInput(call.input);
  } catch {
    // Shown as received.
  }
}

/** Takes the value out of a check that found no issue. */
function checkedValue(checked: Checked): unknown {
  if ('value' in checked) return checked.value;
  throw new TypeError('the schema gave neither a value nor issues, as a Standard Schema does');
}
