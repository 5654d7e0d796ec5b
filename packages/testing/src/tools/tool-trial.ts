import type { CallContext, Outcome } from 'toolpact';
import { type AnyTool, createToolbox } from 'toolpact';
import { changePlan, planOf, type ToolPlan } from 'toolpact/extend';
import { type Clock, createRunningClock, nextTurn, systemClock, withTimeLimit } from 'toolpact/internal';
import { generateInputs, type InputCase } from './generate/generate-inputs.ts';
import { type JudgedSchema, judgeSchema, type ToStandardSchema } from './judge-schema.ts';
import { unsoundness } from './tool-outcome.ts';
import type { SubjectTool, ToolSubject } from './tool-subject.ts';

/** How tools are tried. */
export interface TrialOptions {
  /** The seed of the inputs; the same one draws the same inputs. @default 1 */
  readonly seed?: number;
  /** Runs tools with `effects: 'writes'` too. @default false */
  readonly allowWrites?: boolean;
  /** Handlers that run instead of a tool, by its name; such tools are tried like those without effects. */
  readonly fakes?: Readonly<Record<string, (input: never, context: never) => unknown>>;
  /** Goes with every call: the application's own, a tenant, credentials. */
  readonly context?: CallContext;
  /** Texts that must never appear in an answer, by a name that may. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Time for each call. @default 2_000 */
  readonly timeoutMs?: number;
  /** How much later than its deadline, or than its caller's abort, an answer may come. @default 1_000 */
  readonly graceMs?: number;
  /** Measures the times. @default the clock of this machine */
  readonly clock?: Clock;
}

/** One call and what came of it. */
export interface Exchange {
  readonly input: InputCase;
  /** Absent when there was none, or none that could be read. */
  readonly outcome?: Outcome;
  /** The defect of the answer as such. */
  readonly trouble?: { readonly sort: 'threw' | 'silent' | 'unsound'; readonly message: string };
  /** Whether something ran in the tool's place. */
  readonly isFaked: boolean;
  readonly changedArguments: boolean;
}

/** One tool under judgement. */
export interface ToolTrial {
  readonly tool: SubjectTool;
  readonly siblings: readonly SubjectTool[];
  /** Its plan, where its definition is in this process. */
  readonly plan: ToolPlan | undefined;
  readonly options: Required<Omit<TrialOptions, 'fakes'>>;
  /** A text that goes with every call as a credential. */
  readonly canary: string;
  readonly input: JudgedSchema;
  readonly output: JudgedSchema | undefined;
  readonly cases: readonly InputCase[];
  /** Why the tool itself is not run, if it is not. */
  readonly notRunReason: string | undefined;
  /** Whether a fake runs in its place, without the guards around it. */
  readonly isFake: boolean;
  /** Whether a person may have to allow a call before the tool runs. */
  readonly needsApproval: boolean;
  /** The handler that may be run: the tool's own or its fake, where it is at hand and nothing forbids it. */
  readonly handler: ((input: never, context: never) => unknown) | undefined;
  /** Tries every input, once for all checks. */
  readonly exchanges: () => Promise<readonly Exchange[]>;
  /** Makes one call more; undefined when the tool may not be run or has stopped answering. */
  readonly ask: (input: InputCase, context?: CallContext<never>) => Promise<Exchange | undefined>;
  /** Calls the tool with its handler replaced, so that nothing it would do is done. */
  readonly callStub: (args: unknown, run: (input: never, context: never) => unknown, context?: CallContext<never>) => Promise<Outcome>;
  /** Why checks could not judge it, by their ids. */
  readonly skipped: Map<string, string>;
}

/** Begins the trial of one tool. */
export function beginTrial(
  subject: ToolSubject,
  tool: SubjectTool,
  siblings: readonly SubjectTool[],
  { fakes = {}, ...given }: TrialOptions,
  toSchema: ToStandardSchema | undefined,
): ToolTrial {
  const options = { seed: 1, allowWrites: false, context: {}, secrets: {}, timeoutMs: 2_000, graceMs: 1_000, clock: systemClock, ...given };
  const running = createRunningClock(options.clock);
  const local = subject.tools?.find(({ name }) => name === tool.name);
  const fake = Object.hasOwn(fakes, tool.name) ? fakes[tool.name] : undefined;
  // A fake needs the tool at hand; without it the call would reach the real one.
  const isHarmless = tool.effects === 'none' || (tool.effects === 'idempotent' && tool.mayDestroy !== true);
  const mayRun = isHarmless || options.allowWrites || (fake !== undefined && local !== undefined);
  const notRunReason = mayRun ? undefined : notRunText.writes;
  const plan = local && planOf(local);
  const approval = plan?.guardOptions.approval;
  const needsApproval = approval !== undefined && approval !== false;
  const canary = `canary-${options.seed}-${tool.name}-in-no-answer`;
  const input = judgeSchema(tool.inputSchema, { toSchema, own: plan?.checkInput });
  const cases = generateInputs({
    schema: tool.inputSchema,
    examples: tool.examples?.map((example) => example.input) ?? [],
    fits: input.problem === undefined ? input.fits : undefined,
    seed: options.seed,
    name: tool.name,
  });
  const twin =
    local === undefined
      ? undefined
      : (run: (input: never, context: never) => unknown, checksOutput: boolean) => twinOf(local, run, checksOutput);
  const fakeBox = fake === undefined ? undefined : twin?.(fake, true);
  let calls = 0;
  let timeouts = 0;
  let isSilent = false;

  const contextOf = (more: CallContext<never> | undefined): CallContext<never> => {
    calls += 1;
    const auth = { ...options.context.auth, check_canary: canary };
    // A run of its own for each call: guards that count repetitions must not see any.
    return {
      runId: `check-${options.seed}-${tool.name}-${calls}`,
      timeoutMs: options.timeoutMs,
      ...options.context,
      auth,
      ...more,
    } as CallContext<never>;
  };
  const askWith = async (
    target: Pick<ToolSubject, 'answer'>,
    one: InputCase,
    isFaked: boolean,
    more?: CallContext<never>,
  ): Promise<Exchange> => {
    const before = textOf(one.args);
    const answered = await within(
      async () => target.answer({ name: tool.name, args: one.args }, contextOf(more)),
      (more?.timeoutMs ?? options.timeoutMs) + options.graceMs,
      running,
    );
    const changedArguments = textOf(one.args) !== before;
    if (answered.sort !== 'answered') {
      isSilent ||= answered.sort === 'silent';
      return { input: one, isFaked, changedArguments, trouble: { sort: answered.sort, message: answered.message } };
    }
    const problem = unsoundness(answered.value);
    if (problem !== undefined) return { input: one, isFaked, changedArguments, trouble: { sort: 'unsound', message: problem } };
    const outcome = answered.value as Outcome;
    if (outcome.status === 'error' && outcome.error.kind === 'timeout' && more === undefined) timeouts += 1;
    return { input: one, isFaked, changedArguments, outcome };
  };
  const ask: ToolTrial['ask'] = async (one, more) => {
    // Stop early: a tool that hangs would cost its whole deadline for every input.
    if (isSilent || (more === undefined && timeouts >= maxTimeouts)) return undefined;
    if (fakeBox !== undefined) return askWith(fakeBox, one, false, more);
    return notRunReason === undefined ? askWith(subject, one, false, more) : undefined;
  };
  const tryAll = async (): Promise<readonly Exchange[]> => {
    const found: Exchange[] = [];
    const standIn = notRunReason !== undefined && twin !== undefined ? twin(() => null, false) : undefined;
    for (const one of cases) {
      // Most calls end without a turn of the event loop, and all tools are tried at once: without a break, the timers of all would be overdue.
      await nextTurn();
      const exchange = standIn === undefined ? await ask(one) : await askWith(standIn, one, true);
      if (exchange !== undefined) found.push(exchange);
    }
    return found;
  };
  let tried: Promise<readonly Exchange[]> | undefined;
  return {
    tool,
    siblings,
    plan,
    options,
    canary,
    input,
    output: tool.outputSchema && judgeSchema(tool.outputSchema, { toSchema, own: plan?.checkOutput }),
    cases,
    notRunReason,
    isFake: fakeBox !== undefined,
    // Without its guards, the tool would run before a person has allowed it.
    handler: mayRun ? (fake ?? (needsApproval ? undefined : plan?.run)) : undefined,
    needsApproval: fake === undefined && needsApproval,
    exchanges: () => (tried ??= tryAll()),
    ask,
    callStub: async (args, run, more) => {
      if (twin === undefined) throw new TypeError('the definition of the tool is not in this process');
      return twin(run, false).answer({ name: tool.name, args }, contextOf(more));
    },
    skipped: new Map(),
  };
}

/** Why a tool is not run. */
export type NotRun = 'writes' | 'approval';

/** The same in words. */
export const notRunText: Readonly<Record<NotRun, string>> = {
  writes: 'it writes; it runs only with allowWrites or a fake',
  approval: 'it waits for approval, which a check cannot give; a fake shows what it does',
};

/** After this many missed deadlines no more ordinary calls are made. */
const maxTimeouts = 2;

/** Creates a toolbox with a tool whose handler is another. What it promised for guards is left out: nothing of it is at stake. */
function twinOf(tool: AnyTool, run: (input: never, context: never) => unknown, checksOutput: boolean): Pick<ToolSubject, 'answer'> {
  const { checkOutput, toModel } = planOf(tool);
  const twin = changePlan(tool, {
    run,
    guardOptions: {},
    requires: [],
    needs: undefined,
    checkOutput: checksOutput ? checkOutput : undefined,
    toModel: checksOutput ? toModel : undefined,
    steps: false,
  });
  return createToolbox([twin], { report: () => undefined });
}

type Answered = { readonly sort: 'answered'; readonly value: unknown } | { readonly sort: 'threw' | 'silent'; readonly message: string };

/** Waits for an answer for a limited time. */
function within(call: () => Promise<unknown>, ms: number, clock: Clock): Promise<Answered> {
  const answer = call().then(
    (value): Answered => ({ sort: 'answered', value }),
    (thrown): Answered => ({ sort: 'threw', message: nameOf(thrown) }),
  );
  return withTimeLimit(answer, { ms, clock, onLate: (): Answered => ({ sort: 'silent', message: `no answer within ${ms} ms` }) });
}

function nameOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something that cannot be read';
  }
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
