import { type AnyTool, type CallContext, type Outcome, ToolpactError } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { refuseOptions } from 'toolpact/internal';
import type { Finding } from '../define-check.ts';
import { createRandom } from '../simulation/random.ts';
import { generateInputs } from '../tools/generate/generate-inputs.ts';
import { judgeSchema } from '../tools/judge-schema.ts';
import { notRunText } from '../tools/tool-trial.ts';
import { type CrashCheckName, crashCheck } from './crash-checks.ts';
import { type Act, type Misfortune, runTrial, type Strike, type TrialResult } from './crash-trial.ts';

/** How tools are killed. */
export interface CheckCrashesOptions {
  /** Arguments by the name of a tool. @default its first example, or arguments made from its schema */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Checks only these tools. @default all that write */
  readonly only?: readonly string[];
  /** Handlers that run instead of a tool, by its name, so that nothing real is done. */
  readonly fakes?: Readonly<Record<string, (input: never, context: never) => unknown>>;
  /** Runs the handlers of tools themselves. Their effects are real. @default false */
  readonly allowWrites?: boolean;
  /** Draws the trials in which several things go wrong. @default 1 */
  readonly seed?: number;
  /** How many of them there are for each tool. @default 20 */
  readonly trials?: number;
  /**
   * Returns what the outside world recorded since it was asked last, by name: a fake service's list of charges. It finds what a tool does outside of its
   * steps, and where an effect that it declares to be idempotent is not.
   */
  readonly outside?: () => readonly string[] | Promise<readonly string[]>;
  /** Goes with every call. */
  readonly context?: CallContext;
  /** Time for each call. @default 2_000 */
  readonly timeoutMs?: number;
}

/** Results of the trials of one tool. */
export interface CrashReport {
  readonly tool: string;
  readonly trials: number;
  readonly findings: readonly Finding[];
  /** Why it was not tried. */
  readonly notRun?: string;
}

/** The tools to be killed: a toolbox, or a list of tools. */
export type CrashSubject = readonly AnyTool[] | { readonly tools: readonly AnyTool[] };

/**
 * Kills the process of each writing tool before and after everything that it does, loses the answers of its services, and lets the caller make the call
 * again: what is done twice, said wrongly or never said is a finding. The same seed makes the same trials.
 *
 * @example
 * const findings = await checkCrashes([payInvoice], { fakes: { pay_invoice: async ({ invoice }) => bank.charge(invoice) } });
 */
export async function checkCrashes(subject: CrashSubject, options: CheckCrashesOptions = {}): Promise<readonly Finding[]> {
  return (await reportOnCrashes(subject, options)).flatMap(({ findings }) => findings);
}

/** Kills tools like `checkCrashes`, and reports for each how many trials there were, or why there was none. */
export async function reportOnCrashes(subject: CrashSubject, options: CheckCrashesOptions = {}): Promise<readonly CrashReport[]> {
  refuseOptions<CheckCrashesOptions>('checkCrashes', options, {
    inputs: true,
    only: true,
    fakes: true,
    allowWrites: true,
    seed: true,
    trials: true,
    outside: true,
    context: true,
    timeoutMs: true,
  });
  const tools = Array.isArray(subject)
    ? (subject as readonly AnyTool[])
    : (subject as { readonly tools: readonly AnyTool[] } | undefined)?.tools;
  if (tools === undefined || !Array.isArray(tools))
    throw new ToolpactError('invalid_argument', 'checkCrashes takes a toolbox or a list of tools');
  const { only, inputs = {}, fakes = {} } = options;
  for (const name of [...(only ?? []), ...Object.keys(inputs), ...Object.keys(fakes)])
    if (!tools.some((tool) => tool.name === name)) throw new ToolpactError('invalid_option', `there is no tool "${name}"`);
  const reports: CrashReport[] = [];
  for (const tool of tools) {
    const { name, effects } = planOf(tool);
    if (only === undefined ? effects !== 'none' : only.includes(name)) reports.push(await reportOn(tool, options));
  }
  return reports;
}

async function reportOn(tool: AnyTool, options: CheckCrashesOptions): Promise<CrashReport> {
  const { seed = 1, trials = 20, fakes = {}, inputs = {}, allowWrites = false, context = {}, timeoutMs = 2000, outside } = options;
  const plan = planOf(tool);
  const { name } = plan;
  const fake = Object.hasOwn(fakes, name) ? fakes[name] : undefined;
  if (fake === undefined && !allowWrites) return { tool: name, trials: 0, findings: [], notRun: notRunText.writes };
  const input = Object.hasOwn(inputs, name) ? inputs[name] : firstInput(tool, seed);
  const found = new Map<string, Finding>();
  let count = 0;
  const tryWith = async (strikes: readonly Strike[]): Promise<TrialResult> => {
    count += 1;
    await outside?.();
    const result = await runTrial({ tool, input, fake, context, timeoutMs }, strikes);
    const recorded = await outside?.();
    for (const finding of judge(tool, result, strikes, recorded, seed)) {
      const same = `${finding.check} ${strikes.map(({ at, how }) => `${at} ${how}`).at(-1)}`;
      if (![...found.keys()].some((known) => known === same || (strikes.length > 1 && known.startsWith(finding.check))))
        found.set(same, finding);
    }
    return result;
  };

  const calm = await tryWith([]);
  // A call that fails by itself shows nothing of crashes.
  if (calm.outcome === undefined || calm.outcome.status === 'error') {
    const why = calm.outcome?.status === 'error' ? calm.outcome.error.message : 'it gave no answer';
    return { tool: name, trials: count, findings: [], notRun: `it fails without a crash (${why}); give \`inputs\` with which it succeeds` };
  }
  // So does one that nobody ends.
  if (calm.outcome.status === 'pending') return { tool: name, trials: count, findings: [], notRun: 'it still waits without a crash' };
  const places = [...calm.begun, ...(plan.steps ? ['run'] : [])];
  const all = places.flatMap((at): Strike[] =>
    plan.steps && at === 'run' ? [{ at, how: 'dies after' }] : misfortunes.map((how) => ({ at, how })),
  );
  for (const strike of all) await tryWith([strike]);
  const random = createRandom(`${seed}/${name}`);
  for (let trial = 0; trial < trials && all.length > 0; trial += 1) {
    await tryWith(Array.from({ length: 2 + random.below(2) }, () => random.pick(all)));
  }
  return { tool: name, trials: count, findings: [...found.values()] };
}

const misfortunes: readonly Misfortune[] = ['dies before', 'dies after', 'answer lost'];

function firstInput(tool: AnyTool, seed: number): unknown {
  const { name, schemas, checkInput } = planOf(tool);
  const schema = schemas().input;
  const judged = judgeSchema(schema, { toSchema: undefined, own: checkInput });
  const cases = generateInputs({
    schema,
    examples: tool.examples?.map((example) => example.input) ?? [],
    fits: judged.problem === undefined ? judged.fits : undefined,
    seed,
    name,
  });
  return cases.find(({ sort }) => sort === 'example' || sort === 'valid')?.args ?? {};
}

/** Says what was wrong with how a trial ended. */
function judge(
  tool: AnyTool,
  { acts, outcome, begun }: TrialResult,
  strikes: readonly Strike[],
  recorded: readonly string[] | undefined,
  seed: number,
): Finding[] {
  const { name } = planOf(tool);
  const when = `${strikes.map(sayStrike).join(', then ')} (seed ${seed})`;
  const evidence = {
    strikes,
    acts,
    ...(recorded !== undefined && { outside: recorded }),
    ...(outcome !== undefined && { told: toldIn(outcome) }),
  };
  const finding = (check: CrashCheckName, message: string, fix: string = crashCheck(check).fix): Finding => ({
    check: crashCheck(check).id,
    level: crashCheck(check).level,
    tool: name,
    message: strikes.length === 0 ? message : `${message} if ${when}`,
    evidence,
    fix,
  });

  const twice = doneTwice(acts) ?? (recorded === undefined ? undefined : repeatedIn(recorded));
  if (twice !== undefined) return [finding('acts-once', twice === 'run' ? 'acts twice' : `does \`${twice}\` twice`, fixOf(tool, twice))];
  if (outcome === undefined) return [finding('ends', 'never answers')];
  const isDone = acts.length > 0 || (recorded?.length ?? 0) > 0;
  if (outcome.status === 'ok' && !isDone && begun.length > 0)
    return [
      finding(
        'tells-truth',
        'says that it succeeded, and nothing was done',
        '`reconcile` must say `applied` only where the service has it.',
      ),
    ];
  if (outcome.status === 'error' && outcome.error.effect === 'none' && isDone)
    return [
      finding(
        'tells-truth',
        'says that nothing happened, and something did',
        'Give failures the effect that they had: `fail(…, { effect })`.',
      ),
    ];
  if (outcome.status === 'error' && outcome.error.effect === 'unknown' && strikes.length > 0)
    return [finding('can-tell', 'cannot tell whether it happened, and stays `unknown`')];
  return [];
}

/** The last answer, as short as it can be compared with what was done. */
function toldIn(outcome: Outcome): string {
  return outcome.status === 'error' ? `${outcome.error.kind}, effect ${outcome.error.effect}` : outcome.status;
}

/** Names what was done twice. What was done with one key is done once by a service that knows the key. */
function doneTwice(acts: readonly Act[]): string | undefined {
  const seen = new Map<string, (string | undefined)[]>();
  for (const { name, key } of acts) {
    const keys = seen.get(name) ?? [];
    if (keys.length > 0 && (key === undefined || !keys.includes(key))) return name;
    seen.set(name, [...keys, key]);
  }
  return undefined;
}

function repeatedIn(recorded: readonly string[]): string | undefined {
  return recorded.find((name, place) => recorded.indexOf(name) !== place);
}

function fixOf(tool: AnyTool, what: string): string {
  const { guardOptions, steps, effects } = planOf(tool);
  if (effects === 'idempotent')
    return `It declares \`effects: 'idempotent'\`, and \`${what}\` is not. Declare \`'writes'\`, and give it a key.`;
  if (guardOptions.idempotency?.key === undefined)
    return 'Give it a key of what must not happen twice, such as `idempotency: { key: ({ order }) => order }`, and `reconcile`.';
  if (guardOptions.reconcile !== undefined)
    return '`reconcile` says `none` of something that was done. Let it find it by a number that the service stored with it.';
  return steps
    ? `Do \`${what}\` in \`ctx.step\`, and nothing that writes outside of a step.`
    : 'Do what writes in `ctx.step` with `steps: true`, and pass the key of the step to the service.';
}

function sayStrike({ at, how }: Strike): string {
  const what = at === 'run' ? 'its handler' : `\`${at}\``;
  if (how === 'answer lost') return at === 'run' ? 'its answer is lost' : `the answer to ${what} is lost`;
  return `its process dies ${how === 'dies before' ? 'before' : 'after'} ${what}`;
}
