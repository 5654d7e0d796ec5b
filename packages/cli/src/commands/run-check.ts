import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromJsonSchema } from '@toolpact/openapi';
import { type CheckToolsOptions, type Finding, reportOnCrashes, reportOnTools, type ToolsReport, toolChecks } from '@toolpact/testing';
import { CliError, cannotWrite, usageError } from '../cli-error.ts';
import { type ContractName, contractChecks } from '../contracts.ts';
import { exitCodes } from '../exit-codes.ts';
import { junitText } from '../print/junit-text.ts';
import { complianceText, crashText, reportText } from '../print/report-text.ts';
import { plainLine, type Terminal } from '../print/terminal.ts';
import type { Given } from './command.ts';
import type { OpenedSubject } from './open-mcp.ts';
import { openSubject } from './open-subject.ts';

/** Judges tools, here or on a server, and prints what they keep. Ends with 1 when one of them breaks what it must keep. */
export async function runCheck(given: Given): Promise<number> {
  const { terminal, flags } = given;
  const options = optionsOf(given);
  const opened = await openSubject(given);
  try {
    if (flags.get('crash') === true) return await killTools(opened, options, given);
    const report = await judge(opened, options);
    // Without tools there are no findings, which would look like a success.
    if (report.tools.length === 0) throw new CliError(`Nothing was checked: there are no tools (${plainLine(opened.where)}).`);
    const junit = flags.get('junit');
    const isStrict = flags.get('strict') === true;
    await terminal.out(textOf(report, opened.where, given));
    if (typeof junit === 'string') writeReport(resolve(terminal.cwd, junit), junitText(report, isStrict));
    return report.findings.some(({ level }) => isStrict || level === 'must') ? exitCodes.cannotRun : exitCodes.done;
  } finally {
    await opened.close().catch(() => undefined);
  }
}

/** Lets processes of writing tools die, instead of trying arguments. */
async function killTools({ subject, where }: OpenedSubject, options: CheckToolsOptions, { flags, terminal }: Given): Promise<number> {
  const other = ['compliance', 'contract', 'junit'].find((flag) => flags.get(flag) !== undefined && flags.get(flag) !== false);
  if (other !== undefined) throw usageError(`--${other} has no meaning with --crash.`);
  const { tools } = subject;
  if (tools === undefined) throw usageError('--crash needs the files of the tools: a server cannot be killed from here.');
  const { seed = 1, allowWrites = false, timeoutMs = 2000, only } = options;
  const reports = await reportOnCrashes(tools, { seed, allowWrites, timeoutMs, ...(only !== undefined && { only }) }).catch(
    (thrown: unknown) => {
      if (thrown instanceof TypeError) throw new CliError(`${thrown.message}.`, { cause: thrown });
      throw thrown;
    },
  );
  if (reports.length === 0)
    throw new CliError(`Nothing was tried: none of these tools writes (${plainLine(where)}).`, {
      fix: "--crash is for tools with effects 'idempotent' or 'writes'; toolpact check without it checks the others.",
    });
  if (reports.every(({ notRun }) => notRun !== undefined) && !allowWrites)
    throw new CliError('Nothing was tried: --crash makes real calls.', {
      fix: 'Let them run with --allow-writes, against a test account: their effects are real.',
    });
  await terminal.out(
    flags.get('json') === true
      ? `${JSON.stringify({ seed, tools: reports }, null, 2)}\n`
      : crashText(reports, where, seed, terminal.outPaint),
  );
  const isStrict = flags.get('strict') === true;
  const isBroken = reports.some(({ findings }) => findings.some(({ level }) => isStrict || level === 'must'));
  return isBroken ? exitCodes.cannotRun : exitCodes.done;
}

async function judge({ subject, problems }: OpenedSubject, options: CheckToolsOptions): Promise<ToolsReport> {
  let report: ToolsReport;
  try {
    report = await reportOnTools(subject, options);
  } catch (thrown) {
    // A word that selects nothing.
    if (thrown instanceof TypeError) throw new CliError(`${thrown.message}.`, { cause: thrown });
    throw thrown;
  }
  const lost = problems.map(
    ({ tool, why }): Finding => ({
      check: 'tools/schema-usable',
      level: 'must',
      tool,
      message: `the tool cannot be called: ${why}`,
      fix: 'Correct its name or schema.',
    }),
  );
  const more = lost.map(({ tool = '' }) => ({
    tool,
    effects: 'writes' as const,
    followsContract: false,
    verdicts: { 'tools/schema-usable': { verdict: 'broken' as const } },
  }));
  return { ...report, tools: [...report.tools, ...more], findings: [...report.findings, ...lost] };
}

function textOf(report: ToolsReport, where: string, { flags, terminal }: Given): string {
  if (flags.get('json') === true) return `${JSON.stringify(report, null, 2)}\n`;
  return flags.get('compliance') === true ? complianceText(report) : reportText(report, where, terminal.outPaint);
}

function optionsOf({ flags, terminal }: Given): CheckToolsOptions {
  const only = (flags.get('only') as string | undefined)?.split(',').flatMap((word) => word.trim() || []);
  if (flags.get('compliance') === true) {
    if (flags.get('json') === true) throw usageError('Choose --json or --compliance: both print the report.');
    if (only?.some(isOfChecks) === true) throw usageError('--compliance needs all checks; let --only name tools alone.');
  }
  const contract = flags.get('contract') as ContractName | undefined;
  return {
    schema: fromJsonSchema,
    ...(contract !== undefined && { checks: contractChecks[contract] }),
    seed: numberOf(flags, 'seed', 1, 0),
    timeoutMs: numberOf(flags, 'patience', 2_000, 1, 3_600_000),
    allowWrites: flags.get('allow-writes') === true,
    secrets: secretsOf(terminal.env),
    ...(only !== undefined && { only }),
    onProgress: (progress) => sayProgress(progress, terminal),
  };
}

function isOfChecks(word: string): boolean {
  return toolChecks.some(({ id, group }) => word === id || word === group || id === `tools/${word}`);
}

function numberOf(flags: Given['flags'], name: string, preset: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const written = flags.get(name);
  if (written === undefined) return preset;
  const number = Number(written);
  if (!Number.isSafeInteger(number) || number < min || number > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw usageError(`--${name} must be a whole number ${range}, not ${JSON.stringify(written)}.`);
  }
  return number;
}

/** Secrets that this process knows and that no answer may contain. */
function secretsOf(env: Terminal['env']): Record<string, string> {
  const telling = Object.entries(env).filter(
    ([name, value]) => /key|token|secret|passw|credential/i.test(name) && (value ?? '').length >= 8,
  );
  return Object.fromEntries(telling.map(([name, value]) => [`the variable ${name}`, value ?? '']));
}

function sayProgress(
  { tool, done, total, findings }: { tool: string; done: number; total: number; findings: number },
  { say, paint }: Terminal,
): void {
  const sign = findings === 0 ? paint('good', '✓') : paint('warn', `${findings} ${findings === 1 ? 'finding' : 'findings'}`);
  say(`${paint('dim', `${String(done).padStart(String(total).length)} of ${total}`)}  ${sign}  ${plainLine(tool)}\n`);
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (thrown) {
    throw cannotWrite(path, thrown);
  }
}
