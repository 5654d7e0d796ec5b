import { type Check, storeChecks, toolChecks } from '@toolpact/testing';
import { catalogue, type Outcome } from 'toolpact';
import type { Dialect } from 'toolpact/extend';
import { checkSuites } from '../packages/cli/src/commands/check-suites.ts';
import { contractChecks } from '../packages/cli/src/contracts.ts';
import { dialects } from '../packages/cli/src/dialects.ts';
import { lostPaths } from '../packages/testing/src/lost-paths.ts';
import { type AdapterResult, type Broken, readResults, type ToolsResult } from '../proofs/conformance/results.ts';
import { adapterCases } from '../proofs/suites/adapters/adapter-cases.ts';
import { adapterChecks } from '../proofs/suites/adapters/adapter-checks.ts';
import { dialectChecks } from '../proofs/suites/dialects/dialect-checks.ts';
import { sampleOutcomes } from '../proofs/suites/dialects/sample-outcomes.ts';
import { serverChecks } from '../proofs/suites/server/check-server.ts';
import { truthSection } from './truth-section.ts';

/** Writes proofs/conformance/README.md: the findings of every suite in everything we ship. */
export async function conformancePage(): Promise<string> {
  const { tools, adapters, stores, dialects: judged, servers } = readResults();
  const judgedAll = [...adapters.map(({ broken }) => broken), ...[stores, judged, servers].flatMap((part) => Object.values(part))];
  const open = [...judgedAll, ...Object.values(tools).map(demanded)].reduce((sum, broken) => sum + linesOf(broken).length, 0);
  const page = `# Conformance

<!-- Written by \`npm run docs\` from proofs/conformance/results.json and the dialects themselves. Do not edit. -->

The findings of our checks in everything we ship: ${Object.values(tools).reduce((sum, part) => sum + part.tools, 0)} tools, ${adapters.length} hosts of adapters, ${Object.keys(stores).length} stores, ${Object.keys(judged).length} dialects, and the server on ${Object.keys(servers).length} ways to it.
**✓** keeps the promise · **✗** does not; the reason is below. Open findings: ${open}. Each check comes with a subject that fails it, so a ✓ means something. \`npm test\` runs all of this again and fails when
this page is no longer true; \`npm run conformance\` measures it anew.

The checks of tools and stores are part of \`@toolpact/testing\` ([how to use them](testing.md)); those of adapters, dialects and servers judge only this repository, and are tests in \`proofs/suites\`.
\`npx toolpact explain\` lists the ${checkSuites.reduce((sum, { checks }) => sum + checks.length, 0)} checks that you can run, and explains each.

## Tools

\`checkTools(toolbox)\`, or \`toolpact check tools.ts\`, tries every tool with valid, borderline, wrong and hostile arguments made from its own schema. Here it judges the tools that we ship, each pack with its services on this machine; \`openapi\` is the pet store.

${toolTable(tools)}

**!** a tool should, and does not yet · **–** could not be tested. What could be better:

${toolNotes(tools).join('\n')}

\`--contract\` judges by one of the five contracts of origin too (\`checkTools(toolbox, { checks })\` with the \`checks\` of its entry in \`@toolpact/origins\`), and \`--compliance\` prints which tools follow it, as a table for a document:

| contract | what it demands besides |
|---|---|
${Object.entries(contractChecks)
  .map(([name, checks]) => `| \`${name}\` | ${checks.map(({ requirement }) => requirement).join(' ')} |`)
  .join('\n')}

## Adapters

How a call can end, and whether it arrives in each host: the run goes on, the host's own flag, the text the model reads, and the outcome the application hears, by kind and with a code of one's own.

| | ${adapters.map(({ title }) => title).join(' | ')} |
|---|${adapters.map(() => ':-:|').join('')}
${[...adapterRows(), ...wholeRows()].map(([label, markOf]) => `| ${label} | ${adapters.map(markOf).join(' | ')} |`).join('\n')}

**–** the adapter wraps no tools of its host. Measured with ${measuredWith(adapters)}.

## Stores

${promiseTable(storeChecks, stores)}

PostgreSQL is the real server.

## Dialects

${promiseTable(dialectChecks, judged)}

### What each dialect carries

Every field of an outcome, written strictly (only what the format documents) and read back. **✓** arrives as it was · **◐** in some outcomes
only · **–** is lost or changed (rounded, reworded). Written with the extension, which is the default, all of them arrive; [dialects.md](dialects.md) says why each is lost.

| field | ${Object.keys(dialects).join(' | ')} |
|---|${Object.keys(dialects)
    .map(() => ':-:|')
    .join('')}
${fieldRows().join('\n')}

## Server

${promiseTable(serverChecks, servers)}
${open === 0 ? '' : `\n## Open\n\n${openLines({ ...ofTools(tools), ...stores, ...judged, ...servers }, adapters).join('\n')}\n`}
${await truthSection()}
The [field report](field-report.md) shows what the same checks find in published MCP servers.
`;
  // The sections are written as if they lay in docs/.
  return page.replaceAll(/\]\((?!field-report)(?=[\w-]+\.md)/g, '](../../docs/');
}

type Tools = Readonly<Record<string, ToolsResult>>;
const levelOf = new Map(toolChecks.map(({ id, level }) => [id, level]));

function toolTable(tools: Tools): string {
  const rows = toolChecks.map(({ id, level, requirement }) => {
    const marks = Object.values(tools).map(({ broken, untested }) => {
      if (Object.hasOwn(broken, id)) return level === 'must' ? '✗' : '!';
      return Object.hasOwn(untested, id) ? '–' : '✓';
    });
    return `| ${requirement}${level === 'should' ? ' (should)' : ''} | ${marks.join(' | ')} |`;
  });
  const heads = Object.entries(tools).map(([name, part]) => `${name} (${part.tools})`);
  return `| | ${heads.join(' | ')} |\n|---|${heads.map(() => ':-:|').join('')}\n${rows.join('\n')}`;
}

/** Lists unmet advice, each once for all tools it is for. */
function toolNotes(tools: Tools): string[] {
  const said = Object.entries(tools).flatMap(([name, { broken }]) =>
    linesOf(Object.fromEntries(Object.entries(broken).filter(([id]) => levelOf.get(id) === 'should'))).map((line) => {
      const [tool = '', ...message] = line.split(': ');
      return { tool: `\`${tool}\` (${name})`, message: message.join(': ') };
    }),
  );
  return [...Map.groupBy(said, ({ message }) => message)].map(
    ([message, all]) => `- ${message.replaceAll('|', '\\|')}: ${all.map(({ tool }) => tool).join(', ')}`,
  );
}

function demanded({ broken }: ToolsResult): Broken {
  return Object.fromEntries(Object.entries(broken).filter(([id]) => levelOf.get(id) === 'must'));
}

function ofTools(tools: Tools): Readonly<Record<string, Broken>> {
  return Object.fromEntries(Object.entries(tools).map(([name, part]) => [name, demanded(part)]));
}

type AdapterRow = readonly [label: string, markOf: (adapter: AdapterResult) => string];

/** One row per kind, with and without a code, and one per other way to end. */
function adapterRows(): AdapterRow[] {
  const kinds = new Set(Object.keys(catalogue));
  const titles = adapterCases.map(({ title }) => title).filter((title) => !title.endsWith(' with a code'));
  return titles.map((title) => {
    const own = kinds.has(title) ? [title, `${title} with a code`] : [title];
    const isAbout = (message: string): boolean => own.some((one) => message.startsWith(`${one}: `));
    return [kinds.has(title) ? `\`${title}\`` : title, ({ broken }) => mark(linesOf(broken).some(isAbout))];
  });
}

/** Rows of further promises of an adapter, one per check that is not about the ways to end. */
function wholeRows(): AdapterRow[] {
  const byCase = ['adapter/answers', 'adapter/flag', 'adapter/text', 'adapter/content', 'adapter/outcome'];
  return adapterChecks
    .filter(({ id }) => !byCase.includes(id))
    .map(({ id, requirement }) => [
      requirement,
      ({ broken, wraps }) => (id === 'adapter/inbound' && !wraps ? '–' : mark(Object.hasOwn(broken, id))),
    ]);
}

function promiseTable<TSubject>(checks: readonly Check<TSubject>[], judged: Readonly<Record<string, Broken>>): string {
  const names = Object.keys(judged);
  const rows = checks.map(
    ({ id, requirement, level }) =>
      `| ${requirement.replaceAll('|', '\\|')}${level === 'should' ? ' (should)' : ''} | ${names.map((name) => mark(Object.hasOwn(judged[name] ?? {}, id))).join(' | ')} |`,
  );
  return `| | ${names.join(' | ')} |\n|---|${names.map(() => ':-:|').join('')}\n${rows.join('\n')}`;
}

function linesOf(broken: Broken): string[] {
  return Object.values(broken).flatMap((messages) => messages.split('\n'));
}

function mark(isBroken: boolean): string {
  return isBroken ? '✗' : '✓';
}

/** Counts, for each field, in how many outcomes it is and in how many of those a strict envelope loses it. */
function fieldRows(): string[] {
  const fields = [...new Set(sampleOutcomes.flatMap(fieldsOf))].toSorted(byDepth);
  const lost = new Map(
    Object.entries(dialects).map(([name, dialect]) => [name, sampleOutcomes.map((outcome) => lossesOf(dialect, outcome))]),
  );
  return fields.map((field) => {
    const cells = [...lost.values()].map((all) => {
      const having = sampleOutcomes.flatMap((outcome, index) => (fieldsOf(outcome).includes(field) ? [all[index] ?? []] : []));
      const losing = having.filter((paths) => paths.some((path) => path === field || field.startsWith(`${path}.`))).length;
      return losing === 0 ? '✓' : losing === having.length ? '–' : '◐';
    });
    return `| \`${field}\` | ${cells.join(' | ')} |`;
  });
}

const opened = ['error', 'meta', 'pending'];

function fieldsOf(outcome: Outcome): string[] {
  return Object.entries(outcome).flatMap(([key, value]) =>
    opened.includes(key) ? Object.keys(value as object).map((inner) => `${key}.${inner}`) : [key],
  );
}

function byDepth(left: string, right: string): number {
  const depth = Number(left.includes('.')) - Number(right.includes('.'));
  return depth !== 0 ? depth : left < right ? -1 : 1;
}

/** Gives the paths that a strict envelope loses; all of them when it cannot be read back. */
function lossesOf(dialect: Dialect, outcome: Outcome): string[] {
  const decoded = dialect.decode(JSON.parse(JSON.stringify(dialect.encode(outcome, { strict: true }))));
  return decoded.ok ? lostPaths(outcome, decoded.outcome) : fieldsOf(outcome);
}

function measuredWith(adapters: readonly AdapterResult[]): string {
  const versions = new Set(adapters.flatMap(({ versions }) => Object.entries(versions).map(([name, version]) => `${name} ${version}`)));
  return [...versions].join(', ');
}

function openLines(judged: Readonly<Record<string, Broken>>, adapters: readonly AdapterResult[]): string[] {
  const all = [...Object.entries(judged), ...adapters.map(({ title, broken }) => [title, broken] as const)];
  return all.flatMap(([name, broken]) =>
    Object.entries(broken).flatMap(([id, messages]) => messages.split('\n').map((message) => `- ${name}, \`${id}\`: ${message}`)),
  );
}
