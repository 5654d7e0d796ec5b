import { type CrashReport, type Finding, type ToolsReport, toolChecks, toolGroups } from '@toolpact/testing';
import { type Paint, plainLine, shortLine } from './terminal.ts';

const idsOf = new Map(toolGroups.map((group) => [group, toolChecks.filter((check) => check.group === group).map(({ id }) => id)]));
const levelOf = new Map(toolChecks.map(({ id, level }) => [id, level]));

/** Writes the table of tools and what they keep, then what was found, then one line that sums it up. */
export function reportText(report: ToolsReport, where: string, paint: Paint): string {
  return [tableText(report, paint), ...findingsText(report, paint), sumText(report, where, paint)].join('\n\n').concat('\n');
}

/** Writes what crashes do to tools: what was found, then one line that sums it up. */
export function crashText(reports: readonly CrashReport[], where: string, seed: number, paint: Paint): string {
  const findings = reports.flatMap((report) => report.findings);
  const must = findings.filter(({ level }) => level === 'must').length;
  const trials = reports.reduce((sum, report) => sum + report.trials, 0);
  const tried = reports.filter(({ notRun }) => notRun === undefined).length;
  const sum = `${trials} ${trials === 1 ? 'trial' : 'trials'} of ${tried} ${tried === 1 ? 'tool' : 'tools'} (${plainLine(where)}, seed ${seed}): ${must} broken, ${findings.length - must} could be better.`;
  return [
    ...findingsText({ findings }, paint),
    [
      paint(must === 0 ? 'good' : 'bad', sum),
      ...reports.flatMap(({ tool, notRun }) =>
        notRun === undefined ? [] : [paint('dim', `Not tried: ${plainLine(tool)}, ${plainLine(notRun)}.`)],
      ),
      ...(findings.length > 0 ? [paint('dim', 'toolpact explain <id> explains a check.')] : []),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Writes who follows the contract, as a table for a document. */
export function complianceText({ tools }: ToolsReport): string {
  const rows = tools.map(({ tool, followsContract }) => `| ${codeCell(tool)} | ${followsContract ? '✅' : '❌'} |`);
  return ['| Tool | Follows Contract |', '|------|-----------------|', ...rows, ''].join('\n');
}

/** A name from elsewhere may be anything; in a table it must not begin a cell of its own. */
function codeCell(name: string): string {
  return `\`${plainLine(name).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

type Mark = 'kept' | 'broken' | 'weak' | 'untested';
const marks: Readonly<Record<Mark, readonly [sign: string, tone: 'good' | 'bad' | 'warn' | 'dim']>> = {
  kept: ['✓', 'good'],
  broken: ['✗', 'bad'],
  weak: ['!', 'warn'],
  untested: ['–', 'dim'],
};

function tableText(report: ToolsReport, paint: Paint): string {
  const { tools } = report;
  const ends = isWhole(report) ? ['contract'] : [];
  const shown = toolGroups.filter((group) => tools.some((tool) => idsOf.get(group)?.some((id) => tool.verdicts[id] !== undefined)));
  const width = Math.max(4, ...tools.map(({ tool }) => plainLine(tool).length));
  const heads = [...shown, ...ends];
  const line = (first: string, cells: readonly string[]): string => [first, ...cells].join('  ').trimEnd();
  const cell = (mark: Mark, head: string): string => {
    const [sign, tone] = marks[mark];
    const left = Math.floor((head.length - 1) / 2);
    return `${' '.repeat(left)}${paint(tone, sign)}${' '.repeat(head.length - 1 - left)}`;
  };
  return [
    line(
      paint('strong', 'tool'.padEnd(width)),
      heads.map((head) => paint('strong', head)),
    ),
    ...tools.map((tool) =>
      line(plainLine(tool.tool).padEnd(width), [
        ...shown.map((group) => cell(markOf(tool, idsOf.get(group) ?? []), group)),
        ...ends.map((head) => cell(tool.followsContract ? 'kept' : 'broken', head)),
      ]),
    ),
    paint('dim', '✓ kept   ✗ broken   ! could be better   – not tested'),
  ].join('\n');
}

function markOf({ verdicts }: ToolsReport['tools'][number], ids: readonly string[]): Mark {
  const judged = ids.flatMap((id) => (verdicts[id] === undefined ? [] : [{ id, verdict: verdicts[id].verdict }]));
  const broken = judged.filter(({ verdict }) => verdict === 'broken');
  if (broken.some(({ id }) => levelOf.get(id) === 'must')) return 'broken';
  if (broken.length > 0) return 'weak';
  return judged.some(({ verdict }) => verdict === 'kept') ? 'kept' : 'untested';
}

function findingsText({ findings }: Pick<ToolsReport, 'findings'>, paint: Paint): string[] {
  return [...Map.groupBy(findings, ({ tool }) => tool ?? '')].map(([tool, found]) =>
    [paint('strong', plainLine(tool)), ...[...found].sort(byLevel).map((finding) => findingText(finding, paint))].join('\n'),
  );
}

function byLevel(a: Finding, b: Finding): number {
  return Number(a.level === 'should') - Number(b.level === 'should');
}

function findingText({ check, level, message, evidence, fix }: Finding, paint: Paint): string {
  const [sign, tone] = marks[level === 'must' ? 'broken' : 'weak'];
  const rows: string[] = [`  ${paint(tone, sign)} ${level.padEnd(6)}  ${plainLine(message)}  ${paint('dim', check)}`];
  for (const one of evidence === undefined ? [] : [evidence].flat())
    rows.push(paint('dim', `            ${shortLine(JSON.stringify(one) ?? '', 220)}`));
  if (fix !== undefined) rows.push(`            ${paint('good', 'fix')} ${fix}`);
  return rows.join('\n');
}

/** Checks whether all checks ran; some of them alone do not prove that a subject follows the contract. */
function isWhole({ tools }: ToolsReport): boolean {
  return tools.some(({ verdicts }) => toolChecks.every(({ id }) => verdicts[id] !== undefined));
}

function sumText(report: ToolsReport, where: string, paint: Paint): string {
  const { tools, findings, seed } = report;
  const follow = tools.filter(({ followsContract }) => followsContract).length;
  const must = findings.filter(({ level }) => level === 'must').length;
  const notRun = (reason: 'writes' | 'approval'): string =>
    tools
      .filter(({ verdicts }) => Object.values(verdicts).some((one) => one.verdict === 'untested' && one.notRun === reason))
      .map(({ tool }) => plainLine(tool))
      .join(', ');
  const [writing, waiting] = [notRun('writes'), notRun('approval')];
  return [
    `${paint(must === 0 ? 'good' : 'bad', `${follow} of ${tools.length} tools ${isWhole(report) ? 'follow the contract' : 'keep what was looked at'}`)} (${plainLine(where)}, seed ${seed}): ${must} broken, ${findings.length - must} could be better.`,
    ...(writing === '' ? [] : [paint('dim', `Not run, because they write: ${writing}; --allow-writes runs them.`)]),
    ...(waiting === '' ? [] : [paint('dim', `Not run, because they wait for approval: ${waiting}.`)]),
    ...(findings.length > 0 ? [paint('dim', 'toolpact explain <id> explains a check.')] : []),
  ].join('\n');
}
