import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FieldResult } from '../proofs/conformance/field-result.ts';
import { fieldServers } from '../proofs/conformance/field-servers.ts';

const numbers = new URL('../proofs/conformance/field-report.json', import.meta.url);

/** Writes proofs/conformance/field-report.md from the checked-in numbers. */
export function fieldReportPage(): string {
  const results = JSON.parse(readFileSync(numbers, 'utf8')) as readonly FieldResult[];
  const calls = sum(results, ({ wrong, right }) => wrong.tried + right.tried);
  return `# Field report: published MCP servers

<!-- Written by \`npm run docs\` from proofs/conformance/field-report.json, which \`node scripts/run.mjs field-report\` measures. Do not edit. -->

${results.length} servers from npm, ${sum(results, ({ tools }) => tools)} tools, ${calls} calls. Each server runs over stdio in an empty folder of its own and cannot reach the network; those that need it for their
work are marked ⌁ and show how they report that. Arguments are generated from each tool's own JSON Schema, the same ones in every run. Tools that may
write are called with valid arguments only if they can reach nothing but their folder.

## How they answer

| server | tools | unknown tool | wrong arguments taken | refusals that name the field | right arguments: ok / error / **error told as success** / none in 5 s | shows stack / path / secret | noise on stdout |
|---|---:|---|---:|---:|---|---|---|
${results.map(answerRow).join('\n')}

- **Wrong arguments taken**: the call breaks the tool's own input schema and is carried out anyway (for ⌁: sent out), so the model never learns of its mistake.
- **Error told as success**: the text says that it failed, but \`isError\` is not set; a program that reads the flag takes the text for a result.
- **Path**: an error names a place on the server's machine that the caller did not give. **Secret**: a variable of the server's environment comes out.
- **Unknown tool**: some answer with a protocol error, some with an error result. A model reads both; none of them reports success.
- After a call that was cancelled, and after a line that is no message, ${aliveSentence(results)}

## With \`toolpact wrap\` before them

The same calls, through [the gateway](../../docs/gateway.md), without rules.

| server | wrong arguments taken: alone / **with wrap** | refusals that name the field | right arguments: ok / error / error told as success / none | shows stack / path / secret | noise on stdout |
|---|---:|---:|---|---|---|
${results.flatMap((result) => (result.wrapped === undefined ? [] : [wrappedRow(result, result.wrapped)])).join('\n')}

Arguments are checked against the schema before a server sees them, and output that is not a message does not reach the client. The texts of a server are passed on,
with their paths; a rule with \`redact\` hides secrets in results. A server may offer more tools to the gateway than to a client that cannot be asked.

## What they tell about themselves

| server | with an output schema | results without structured content / that break the schema | with a hint on effects | structured content on errors |
|---|---:|---:|---:|---:|
${results.map(tellRow).join('\n')}

## What \`checkTools\` finds

In how many tools of a server each requirement is broken, as seen through \`fromMcp\`. With it in between, wrong arguments never reach a server, errors have a kind, and
every call ends in time; what is left, only the author of a tool can fix.

| check | ${results.map(({ name }) => shortName(name)).join(' | ')} |
|---|${results.map(() => '---:|').join('')}
${checksOf(results)
  .map((check) => `| ${check} | ${results.map(({ findings }) => findings[check] ?? '').join(' | ')} |`)
  .join('\n')}

## Examples

One call for each thing that went wrong.

${results
  .filter(({ examples }) => Object.keys(examples).length > 0)
  .map(exampleList)
  .join('\n\n')}

## Not run

${fieldServers.flatMap(({ name, leaveOut = {} }) => Object.entries(leaveOut).map(([tool, why]) => `- \`${tool}\` of ${name}: ${why}`)).join('\n')}

## Again

\`node scripts/run.mjs field-report\` installs the versions named here into a folder outside of the repository (\`~/.cache/toolpact-field-report\`, or \`TOOLPACT_FIELD_CACHE\`), without running
their install scripts, measures them, and writes the numbers and this page. It takes about two minutes.
`;
}

function wrappedRow(alone: FieldResult, { wrong, namesField, right, leaks, isNoisy }: NonNullable<FieldResult['wrapped']>): string {
  const cells = [
    titleOf(alone),
    `${alone.wrong.taken} / **${wrong.taken}** of ${wrong.tried}`,
    `${namesField} of ${wrong.refused}`,
    right.tried === 0 ? 'not run' : `${right.ok} / ${right.failed} / ${right.hidden} / ${right.silent}`,
    `${leaks.stack} / ${leaks.path} / ${leaks.secret}`,
    isNoisy ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

function answerRow(result: FieldResult): string {
  const { wrong, right, leaks, namesField, unknownTool, isNoisy } = result;
  const cells = [
    titleOf(result),
    result.tools,
    unknownTool,
    `${wrong.taken} of ${wrong.tried}${wrong.silent > 0 ? `, ${wrong.silent} not answered` : ''}`,
    `${namesField} of ${wrong.refused}`,
    right.tried === 0 ? 'not run' : `${right.ok} / ${right.failed} / **${right.hidden}** / ${right.silent}`,
    `${leaks.stack} / ${leaks.path} / ${leaks.secret}`,
    isNoisy ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

function tellRow(result: FieldResult): string {
  const { withOutput, tools, output, withHints, structuredErrors } = result;
  const kept = withOutput === 0 ? '–' : `${output.missing} / ${output.broken}`;
  return `| ${[titleOf(result), `${withOutput} of ${tools}`, kept, `${withHints} of ${tools}`, structuredErrors].join(' | ')} |`;
}

function exampleList({ name, version, examples }: FieldResult): string {
  const lines = Object.entries(examples).map(([what, example]) => `- ${what}: ${example.replace(/ → $/, ' → nothing')}`);
  return `**${name} ${version}**\n\n${lines.join('\n')}`;
}

function titleOf({ name, version, isCutOff }: FieldResult): string {
  return `${name} ${version}${isCutOff ? ' ⌁' : ''}`;
}

function shortName(name: string): string {
  return name.replace(/^@modelcontextprotocol\/server-/, '').replace(/^@[^/]+\//, '');
}

function aliveSentence(results: readonly FieldResult[]): string {
  const lost = results.filter(({ afterCancel, afterJunk }) => afterCancel !== 'answers' || afterJunk !== 'answers');
  return lost.length === 0 ? 'all of them go on answering.' : `these no longer answer: ${lost.map(({ name }) => name).join(', ')}.`;
}

function checksOf(results: readonly FieldResult[]): string[] {
  return [...new Set(results.flatMap(({ findings }) => Object.keys(findings)))].toSorted();
}

function sum(results: readonly FieldResult[], of: (result: FieldResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

if (import.meta.main) {
  const cache = process.env.TOOLPACT_FIELD_CACHE ?? join(homedir(), '.cache', 'toolpact-field-report');
  const { installServers } = await import('../proofs/conformance/install-servers.ts');
  installServers(cache, fieldServers);
  const { probe } = await import('../proofs/conformance/field-probe.ts');
  const results: FieldResult[] = [];
  for (const server of fieldServers) {
    const alone = await probe(server, cache);
    const { findings: _, examples: __, ...wrapped } = await probe(server, cache, { isWrapped: true });
    results.push({ ...alone, wrapped });
    console.log(`measured ${server.name} ${server.version}`);
  }
  writeFileSync(numbers, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(new URL('../proofs/conformance/field-report.md', import.meta.url), fieldReportPage());
  console.log('wrote proofs/conformance/field-report.json and field-report.md');
  process.exit(0);
}
