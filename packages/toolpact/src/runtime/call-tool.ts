import { isUnreadResponse, readResponse } from '../classify/index.ts';
import type { CallContext, Reconciled } from '../contract/index.ts';
import { silentDispatcher } from '../events/index.ts';
import { copyInput, isThenable, takePromise, type UncopyableInput } from '../json/index.ts';
import type { Failure, Outcome } from '../outcome/index.ts';
import type { Guard } from '../ports/index.ts';
import { currentScope, runInScope } from './async-scope.ts';
import { Call } from './call.ts';
import { guardCall } from './guards/guard-call.ts';
import { runGuards } from './guards/run-guards.ts';
import { mergeContext, noContext, problemOf } from './merge-context.ts';
import { abortedOutcome, refusedOutcome, thrownOutcome, timedOutOutcome } from './outcomes/error-outcome.ts';
import { invalidInput } from './outcomes/invalid-outcome.ts';
import { echoes } from './outcomes/to-json-data.ts';
import { type ArgumentsProblem, describeUncopyable, parseArguments } from './parse-arguments.ts';
import { type Answer, type Checked, checkedValue, toOutcome } from './to-outcome.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';
import { runWithin, tellAttempt } from './watch-call.ts';

/**
 * Runs one call from raw arguments to its outcome; never rejects. Without guards the handler is invoked right here, and one that answers at once
 * arms no deadline. What takes its time first, guards or the check of the input, goes through `runLater`: the same steps in the same order.
 */
export function callTool(
  plan: ToolPlan,
  settings: CallSettings,
  args: unknown,
  context?: CallContext,
  bound: CallContext = noContext,
  gate?: Call['gate'],
): Promise<Outcome> {
  const call = new Call(plan, settings, context === undefined ? bound : mergeContext(bound, context), timedOutOutcome);
  try {
    const refused = takeArguments(call, args) ?? refuse(call);
    if (refused !== undefined) return answerRefused(call, refused);
    call.gate = gate;
    const checked = checkInput(call);
    if (settings.outer.length > 0 || settings.guards.length > 0 || isThenable(checked))
      return answerLater(call, () => runLater(call, checked));
    const ending = takeInput(call, checked) ?? attempt(call);
    return ending instanceof Promise ? answerLater(call, () => ending) : Promise.resolve(call.finish(ending));
  } catch (bug) {
    return answerRefused(call, thrownOutcome(call, bug));
  }
}

/** Ends a call that will not run, after the guards that stand around every call have seen it. */
export function answerRefused(call: Call, outcome: Outcome): Promise<Outcome> {
  const { outer } = call.settings;
  if (outer.length === 0) return Promise.resolve(call.finish(outcome));
  return answerLater(call, async () => throughGuards(call, outer, () => outcome));
}

/** Makes a call answer with an outcome still to come, or at its deadline, or when its caller stops it. */
function answerLater(call: Call, begin: () => Promise<Outcome>): Promise<Outcome> {
  // Open before the first guard runs, which may answer the caller at once, or make the call wait while its time does not count.
  const answer = call.open(abortedOutcome);
  begin().then(
    (outcome) => call.settle(outcome),
    (bug: unknown) => call.settle(call.outcome ?? thrownOutcome(call, bug)),
  );
  return answer;
}

/** Runs a call inside its guards. Those that stand around every call see wrong arguments too, the others only calls about to run. */
async function runLater(call: Call, checking: Checked | PromiseLike<Checked>): Promise<Outcome> {
  const { outer, guards } = call.settings;
  // Guards may wait, or refuse, before the check is read, which may have failed meanwhile.
  takePromise(checking);
  return throughGuards(call, outer, async () => takeInput(call, await checking) ?? throughGuards(call, guards, () => attempt(call)));
}

function throughGuards(call: Call, guards: readonly Guard[], run: () => Answer): Answer {
  if (guards.length === 0) return run();
  const { plan, settings } = call;
  call.guarded ??= guardCall(call, {
    preview: () => preview(plan, settings, call.received, { ...call.context, timeoutMs: call.remainingMs }),
    reconcile: () => reconcile(plan, settings, call.received, { ...call.context, timeoutMs: call.remainingMs }),
    useInput: (args) => useInput(call, args),
  });
  return runGuards(call, call.guarded, guards, run);
}

/** Runs the handler one time: its outcome, at once where the handler answers at once. */
function attempt(call: Call): Answer {
  call.attempts += 1;
  call.endedAt = 0;
  call.handlerStarted ||= call.plan.needs === undefined;
  call.watch?.beginAttempt();
  let value: unknown;
  try {
    value = call.span === undefined && call.depth === 0 ? call.plan.run(call.input as never, call as never) : runHandler(call);
  } catch (thrown) {
    return endAttempt(call, readThrown(call, thrown));
  }
  if (!isThenable(value)) return endAttempt(call, toOutcome(call, value));
  // A promise of another library may resolve to a promise, or its `then` may throw; `Promise.resolve` handles both.
  return Promise.resolve(value).then(
    (result) => (isUnwanted(call) ? tooLate(call, true) : endAttempt(call, toOutcome(call, result))),
    (thrown: unknown) => (isUnwanted(call) ? tooLate(call, false) : endAttempt(call, readThrown(call, thrown))),
  );
}

function readThrown(call: Call, thrown: unknown): Answer {
  return isUnreadResponse(thrown) ? readResponse(thrown).then((read) => thrownOutcome(call, read)) : thrownOutcome(call, thrown);
}

function endAttempt(call: Call, answer: Answer): Answer {
  if (answer instanceof Promise) return answer.then((outcome) => endAttempt(call, outcome));
  // After its deadline a call has ended, with its last attempt.
  if (call.outcome !== undefined) {
    const ended = tooLate(call, answer.status !== 'error');
    return isUnwanted(call) ? ended : answer;
  }
  // Without guards the end of the call tells of its only attempt.
  if (call.guarded !== undefined) tellAttempt(call, answer);
  return answer;
}

/** Runs the handler inside its span, so that what it calls knows how deep it lies. */
function runHandler(call: Call): unknown {
  const { plan, span, depth } = call;
  const run = (): unknown => (span === undefined ? plan.run(call.input as never, call as never) : runWithin(call, span));
  return depth === 0 ? run() : runInScope({ ...currentScope(), depth }, run);
}

function isUnwanted(call: Call): boolean {
  return call.outcome !== undefined && call.guarded?.keepsLateResult !== true;
}

/** Reports that a result came after the call had ended; gives the outcome of the call. */
function tooLate(call: Call, ok: boolean): Outcome {
  call.lease?.end(false);
  call.watch?.emitOfCall({ type: 'late', ok });
  return call.outcome as Outcome;
}

/** Reads and copies the arguments, and announces the call; gives an outcome when they cannot be taken. */
function takeArguments(call: Call, args: unknown): Outcome | undefined {
  const problem = readArguments(call, args);
  call.announce();
  return problem && refusedOutcome(call, problem.kind, problem.facts);
}

/** Reads and copies the arguments; says what is wrong with those that cannot be taken. */
function readArguments(call: Call, args: unknown): ArgumentsProblem | undefined {
  const parsed = parseArguments(args, call);
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
    return describeUncopyable(thrown as UncopyableInput, call.settings.redactor);
  }
}

/** How many calls may lie inside each other. */
const deepest = 100;

/** Returns an outcome for a call that must not start at all. */
function refuse(call: Call): Outcome | undefined {
  const { plan, settings, context } = call;
  if (call.isStopped) return abortedOutcome(call);
  if (!(call.timeoutMs > 0)) return timedOutOutcome(call);
  if (call.depth > deepest)
    return refusedOutcome(call, 'internal', {
      message: `Tools call each other without end: this call of ${plan.name} lies inside more than ${deepest} others.`,
    });
  const problem = problemOf(context);
  if (problem !== undefined) return refusedOutcome(call, 'not_configured', problem);
  const promise = plan.requires.find((promise) => !settings.provides.has(promise));
  if (promise === undefined) return undefined;
  return refusedOutcome(call, 'not_configured', {
    message: `${plan.name} declares ${promise}, but was called without ${promise === 'retry' ? 'a toolbox' : 'a toolbox that has a store'}.`,
    advice: 'An operator has to call the tool through a toolbox: createToolbox(tools, { store }).',
    details: { promise },
  });
}

/** Checks the arguments with the tool's own schema. */
function checkInput(call: Call): Checked | Promise<Checked> {
  const { checkInput } = call.plan;
  if (checkInput === undefined) return { value: {} };
  // The schema and the handler get a copy of their own: either may write into it.
  return checkInput(call.receivedFlat ? { ...(call.received as object) } : copyInput(call.received).value);
}

/**
 * Takes the checked arguments, and a copy of them for the outcome: the handler may write into its own. Gives an outcome where they break their
 * schema, or the call has ended meanwhile.
 */
function takeInput(call: Call, checked: Checked): Outcome | undefined {
  if (call.outcome !== undefined) return call.outcome;
  if (checked.issues !== undefined) return invalidInput(call, checked.issues);
  call.input = checkedValue(checked);
  if (call.plan.checkInput === undefined || !echoes(call)) return undefined;
  try {
    call.shown = copyInput(call.input);
  } catch {
    // Shown as received.
  }
  return undefined;
}

/** Takes other arguments in place of those that were received, also in what the outcome shows. */
async function useInput(call: Call, args: unknown): Promise<Outcome | undefined> {
  call.shown = copyInput(args);
  call.received = call.shown.value;
  call.receivedFlat = call.shown.flat;
  return takeInput(call, await checkInput(call));
}

/** Turns a value that a tool might have returned into its outcome, checked like any other, without running the tool. */
export function conclude(plan: ToolPlan, settings: CallSettings, args: unknown, returned: unknown, context: CallContext): Promise<Outcome> {
  const guards = settings.guards.filter(({ wrapsExternalResults }) => wrapsExternalResults === true);
  const own = { ...plan, checkInput: undefined, run: () => returned, needs: undefined, steps: false, requires: [] };
  return callTool(own, { ...quiet(settings), guards }, args, context);
}

/** Asks a tool what became of a call whose effect is not known: its outcome, `none` where it took no effect, undefined where that is unknown. */
export async function reconcile(
  plan: ToolPlan,
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Promise<Outcome | 'none' | undefined> {
  const { reconcile: run } = plan.guardOptions;
  if (run === undefined) return undefined;
  const asked = await callTool(
    { ...plan, checkOutput: undefined, toModel: undefined, run, needs: undefined, steps: false, requires: [] },
    quiet(settings),
    args,
    context,
  );
  const { effect, data } = (asked.status === 'ok' ? (asked.data ?? {}) : {}) as Partial<Reconciled & { readonly data: unknown }>;
  if (effect === 'applied') return conclude(plan, settings, args, data, context);
  return effect === 'none' ? 'none' : undefined;
}

/** Works out what a call would do, by the preview of its tool, which has no steps and changes nothing; undefined where there is none. */
export async function preview(plan: ToolPlan, settings: CallSettings, args: unknown, context: CallContext): Promise<Outcome | undefined> {
  const { preview: run } = plan.guardOptions;
  if (run === undefined) return undefined;
  const own = { ...plan, effects: 'none' as const, checkOutput: undefined, toModel: undefined, onFailure: undefined };
  return callTool({ ...own, run, needs: undefined, steps: false, requires: [] }, quiet(settings), args, context);
}

/** Checks arguments as a call would: by the schema of the tool, then by policies. Gives them as checked, or the failure of that call. */
export async function checkArguments(
  plan: ToolPlan,
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Promise<{ readonly input: unknown } | { readonly refusal: Failure }> {
  let input: unknown;
  const run = (checked: unknown): null => {
    input = checked;
    return null;
  };
  const own = { ...plan, checkOutput: undefined, toModel: undefined, run, needs: undefined, steps: false, requires: [] };
  const guards = settings.guards.filter(({ phase }) => phase === 'policy');
  const outcome = await callTool(own, { ...quiet(settings), guards }, args, context);
  return outcome.status === 'error' ? { refusal: outcome.error } : { input };
}

/** Turns guards, listeners and telemetry off, for runs that are not calls of their own. */
function quiet(settings: CallSettings): CallSettings {
  return { ...settings, outer: [], guards: [], dispatcher: silentDispatcher, session: undefined, watched: false, telemetry: undefined };
}
