import { type Finding, type ToolsReport, toolChecks, type Verdict } from '@toolpact/testing';
import { contractChecks } from '../contracts.ts';
import { plain } from './terminal.ts';

const requirements = new Map([...toolChecks, ...Object.values(contractChecks).flat()].map(({ id, requirement }) => [id, requirement]));

/** Writes a report as JUnit XML: a suite for each tool, a case for each check. What merely disappoints fails only when `strict`. */
export function junitText({ tools, findings }: ToolsReport, strict: boolean): string {
  const failing = (finding: Finding): boolean => strict || finding.level === 'must';
  const count = (found: readonly Finding[]): number => new Set(found.filter(failing).map(({ tool, check }) => `${tool} ${check}`)).size;
  const suites = tools.map(({ tool, verdicts }) => {
    const toolFindings = findings.filter((finding) => finding.tool === tool);
    const cases = Object.entries(verdicts).map(([id, verdict]) =>
      caseText(
        tool,
        id,
        verdict,
        toolFindings.filter(({ check }) => check === id),
        failing,
      ),
    );
    const skipped = Object.values(verdicts).filter(({ verdict }) => verdict === 'untested').length;
    return `  <testsuite name="${escaped(tool)}" tests="${cases.length}" failures="${count(toolFindings)}" skipped="${skipped}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  const tests = tools.reduce((sum, { verdicts }) => sum + Object.keys(verdicts).length, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="toolpact check" tests="${tests}" failures="${count(findings)}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function caseText(tool: string, id: string, verdict: Verdict, found: readonly Finding[], failing: (finding: Finding) => boolean): string {
  const inner = found.map((finding) => {
    const text = `${finding.message}\n${JSON.stringify(finding.evidence ?? null)}\n${finding.fix ?? ''}`;
    return failing(finding)
      ? `      <failure type="${finding.level}" message="${escaped(finding.message)}">${escaped(text)}</failure>`
      : `      <system-out>${escaped(text)}</system-out>`;
  });
  if (verdict.verdict === 'untested') inner.push(`      <skipped message="${escaped(verdict.why)}"/>`);
  const opened = `    <testcase classname="${escaped(tool)}" name="${escaped(`${id}: ${requirements.get(id) ?? ''}`)}"`;
  return inner.length === 0 ? `${opened}/>` : `${opened}>\n${inner.join('\n')}\n    </testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function escaped(text: string): string {
  // XML has no place for most control characters, escaped or not.
  return plain(text.toWellFormed())
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
