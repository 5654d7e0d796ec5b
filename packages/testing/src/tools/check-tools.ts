import type { Effects } from 'toolpact';
import { type JsonObject, ToolpactError } from 'toolpact';
import { checkToolbox, defaultRedactor, isRecord, mapJson, maxTimerMs, nextTurn, refuseOptions } from 'toolpact/internal';
import type { Finding } from '../define-check.ts';
import { type AnswerCheck, toToolCheck } from './answer-check.ts';
import type { ToStandardSchema } from './judge-schema.ts';
import type { ToolCheck, ToolGroup } from './tool-check.ts';
import { toolChecks } from './tool-checks.ts';
import type { SubjectTool, ToolSubject } from './tool-subject.ts';
import { beginTrial, type NotRun, notRunText, type ToolTrial, type TrialOptions } from './tool-trial.ts';

/** How tools are judged. */
export interface CheckToolsOptions extends TrialOptions {
  /** Checks only these tools or requirements: names of tools, ids of checks, or groups. */
  readonly only?: readonly string[];
  /** More checks: one's own, or those of a contract of `@toolpact/origins`. */
  readonly checks?: readonly (ToolCheck | AnswerCheck)[];
  /**
   * Judges values by the schemas of tools: `fromJsonSchema` of `@toolpact/openapi`. Without it, what breaks only patterns, formats and other
   * rules that the library does not know is not tried, and of remote tools with such rules less can be judged.
   */
  readonly schema?: ToStandardSchema;
  /** How many tools are tried at once. @default 16 */
  readonly concurrency?: number;
  /** Hears of each tool when its trial is over. */
  readonly onProgress?: (progress: {
    readonly tool: string;
    readonly done: number;
    readonly total: number;
    readonly findings: number;
  }) => void;
}

/** The result of one check for one tool. */
export type Verdict =
  | { readonly verdict: 'kept' | 'broken' }
  | {
      readonly verdict: 'untested';
      readonly why: string;
      /** Present where the tool itself was not run. */
      readonly notRun?: NotRun;
    };

/** The results of a trial for one tool. */
export type ToolVerdicts = {
  readonly tool: string;
  readonly effects: Effects;
  /** Whether it keeps everything that it must. */
  readonly followsContract: boolean;
  /** By the ids of the checks. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
};

/** The results of a trial for all tools. */
export interface ToolsReport {
  readonly seed: number;
  readonly tools: readonly ToolVerdicts[];
  readonly findings: readonly Finding[];
}

/**
 * Judges tools, ours or anyone's: their names and schemas, and what they do with valid, borderline, wrong and hostile arguments. Tools that
 * write are only run with `allowWrites` or a fake. The same seed tries the same inputs.
 */
export async function checkTools(subject: ToolSubject, options: CheckToolsOptions = {}): Promise<readonly Finding[]> {
  return (await reportOnTools(subject, options)).findings;
}

/** Judges tools like `checkTools`, and reports for each what was kept, broken, or could not be tested and why. Throws when the tools cannot be listed. */
export async function reportOnTools(subject: ToolSubject, options: CheckToolsOptions = {}): Promise<ToolsReport> {
  refuseOptions<CheckToolsOptions>('checkTools', options, {
    only: true,
    checks: true,
    schema: true,
    concurrency: true,
    onProgress: true,
    seed: true,
    allowWrites: true,
    fakes: true,
    context: true,
    secrets: true,
    timeoutMs: true,
    graceMs: true,
    clock: true,
  });
  checkToolbox('checkTools', subject);
  const { only, checks = [], schema, concurrency = 16, onProgress, ...trial } = options;
  const more = checks.map((check) => ('problemOf' in check ? toToolCheck(check) : check));
  if (!(concurrency >= 1)) throw new ToolpactError('invalid_option', '`concurrency` must be 1 or more', { option: 'concurrency' });
  const { timeoutMs = 1, graceMs = 1 } = trial;
  // A timer that is asked to wait longer than it can does not wait at all, and everything would look silent.
  if (!(timeoutMs >= 1 && graceMs >= 0 && timeoutMs + graceMs <= maxTimerMs))
    throw new ToolpactError('invalid_option', '`timeoutMs` and `graceMs` must be times to wait');
  const listed = [...(await subject.list())].map(readable);
  const lost = Object.keys(trial.fakes ?? {}).find((name) => subject.tools?.some((tool) => tool.name === name) !== true);
  // An author who gives a fake relies on it: the real tool must not run in its place.
  if (lost !== undefined) throw new ToolpactError('invalid_option', `a fake is meant for "${lost}", and there is no such tool at hand`);
  const [tools, wanted] = select(listed, [...toolChecks, ...more], only);
  const results: { readonly verdicts: ToolVerdicts; readonly findings: readonly Finding[] }[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < tools.length; at = next++) {
      const tool = tools[at] as SubjectTool;
      const result = await judge(subject, tool, listed, wanted, trial, schema);
      results[at] = result;
      // Wait a turn: promises that the tool left behind are rejected only then.
      await nextTurn();
      done += 1;
      onProgress?.({ tool: tool.name, done, total: tools.length, findings: result.findings.length });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, tools.length) }, work));
  return { seed: trial.seed ?? 1, tools: results.map(({ verdicts }) => verdicts), findings: results.flatMap(({ findings }) => findings) };
}

async function judge(
  subject: ToolSubject,
  tool: SubjectTool,
  siblings: readonly SubjectTool[],
  checks: readonly ToolCheck[],
  options: TrialOptions,
  schema: ToStandardSchema | undefined,
): Promise<{ verdicts: ToolVerdicts; findings: readonly Finding[] }> {
  const trial = beginTrial(subject, tool, siblings, options, schema);
  const findings: Finding[] = [];
  const verdicts: Record<string, Verdict> = {};
  for (const check of checks) {
    await nextTurn();
    const found = (await check.run(trial)).map((finding) => scrub({ ...finding, tool: tool.name }, trial));
    verdicts[check.id] = found.length > 0 ? { verdict: 'broken' } : await verdictOf(check, trial);
    findings.push(...found);
  }
  const followsContract = findings.every(({ level }) => level !== 'must');
  return { verdicts: { tool: tool.name, effects: tool.effects, followsContract, verdicts }, findings };
}

/** Groups of checks that only a tool that ran can keep, and the single checks for which this is otherwise than for their group. */
const needRun: readonly ToolGroup[] = ['output', 'failures', 'secrets', 'repeats', 'time'];
const exceptions: Readonly<Record<string, boolean>> = {
  'tools/no-bugs': true,
  'tools/output-declared': false,
  'tools/default-declared': false,
};

async function verdictOf({ id, group }: ToolCheck, trial: ToolTrial): Promise<Verdict> {
  const why = trial.skipped.get(id);
  if (why !== undefined) return { verdict: 'untested', why, ...(why === notRunText.writes && { notRun: 'writes' }) };
  const needsRun = exceptions[id] ?? needRun.includes(group);
  if (!needsRun || !(await waitsForApproval(trial))) return { verdict: 'kept' };
  return { verdict: 'untested', why: notRunText.approval, notRun: 'approval' };
}

/** Checks whether a tool was not run because every call that passed its schema waits for a person. */
async function waitsForApproval({ exchanges, notRunReason }: ToolTrial): Promise<boolean> {
  if (notRunReason !== undefined) return false;
  const outcomes = (await exchanges()).flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));
  const passed = outcomes.filter((outcome) => outcome.status !== 'error' || outcome.error.kind !== 'invalid_input');
  return passed.length > 0 && passed.every((outcome) => outcome.status === 'pending' && outcome.pending.reason === 'approval');
}

/** A listing from elsewhere may be anything; what is missing in it is for the checks to say. */
function readable(tool: SubjectTool): SubjectTool {
  const { name, description, effects, inputSchema, examples } = (tool ?? {}) as Partial<SubjectTool>;
  return {
    ...tool,
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    effects: effects === 'none' || effects === 'idempotent' ? effects : 'writes',
    inputSchema: isRecord(inputSchema) ? (inputSchema as JsonObject) : {},
    examples: Array.isArray(examples) ? (examples.filter(isRecord) as unknown as SubjectTool['examples']) : [],
  };
}

/** Many people read a report, so the evidence must not repeat a secret that an answer disclosed. */
function scrub(finding: Finding, { options, canary }: ToolTrial): Finding {
  const secrets = [canary, ...Object.values(options.secrets)].filter((secret) => secret.length >= 8);
  const hide = (text: string) => defaultRedactor.text(secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text));
  const clean = (value: unknown): unknown =>
    // Evidence of checks that others write may refer to itself.
    mapJson(value, {
      maxDepth: 12,
      maxParts: 100_000,
      limit: () => '…',
      leaf: (part) => (typeof part === 'string' ? hide(part) : /bigint|function|symbol/.test(typeof part) ? String(part) : part),
    });
  const { message, evidence } = finding;
  return { ...finding, message: clean(message) as string, ...(evidence !== undefined && { evidence: clean(evidence) }) };
}

function select(
  tools: readonly SubjectTool[],
  checks: readonly ToolCheck[],
  only: readonly string[] | undefined,
): readonly [readonly SubjectTool[], readonly ToolCheck[]] {
  if (only === undefined || only.length === 0) return [tools, checks];
  const words = new Set(only);
  const ofTool = tools.filter(({ name }) => words.has(name));
  const ofCheck = checks.filter(({ id, group }) => words.has(id) || words.has(group) || words.has(id.replace(/^tools\//, '')));
  const known = new Set([
    ...ofTool.map(({ name }) => name),
    ...ofCheck.flatMap(({ id, group }) => [id, group, id.replace(/^tools\//, '')]),
  ]);
  const stranger = only.find((word) => !known.has(word));
  // A word that selects nothing would make everything look well.
  if (stranger !== undefined) throw new ToolpactError('invalid_option', `"${stranger}" is not a tool, a check or a group of checks`);
  return [ofTool.length > 0 ? ofTool : tools, ofCheck.length > 0 ? ofCheck : checks];
}
