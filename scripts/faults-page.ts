import { readFileSync } from 'node:fs';
import type { Column, Measurement } from '../proofs/battery/measurement.ts';
import { adapterLines } from './frameworks-page.ts';

/** Writes docs/faults.md from the two checked-in measurements: every framework alone, and with its adapter. */
export function faultsPage(): string {
  const { date, faults, columns: measured } = read('results.json');
  const columns = measured.toSorted((a, b) => place(a) - place(b));
  const alone = new Map(read('baseline.json').columns.map((column) => [column.name, column]));
  const rows = columns.map((column) => ({ column, own: alone.get(column.name) }));
  return `# ${faults.length} faults in every framework

<!-- Written by \`npm run docs\` from proofs/battery/baseline.json and results.json. Do not edit. -->

What does an agent do when a tool throws, hangs, returns nonsense, or is called with broken arguments? We made ${faults.length} such faults happen in each framework, alone and with Toolpact.

| | the model was told the truth, alone | with Toolpact |
|---|---:|---:|
${rows.map(({ column, own }) => `| ${column.title} | ${own === undefined ? '–' : percent(own.codes)} | ${percent(column.codes)} |`).join('\n')}

## Every fault

Each cell is a real run with a scripted model that calls the tool, reads the result and answers: on the left the framework alone, with tools written as its documentation says; on the right the same with Toolpact. Bare SDKs are measured with their own tool runners. MCP has no agent, so a plain loop calls its tools.

**S** the run reached its answer, and the model was told the truth · **s** the model was told that the call failed, but the cause was lost or wrong · **Q** the model was told success, or nothing ·
**E** the run ended early, without an error · **T** the run threw · **H** hung · **X** the process died · **–** no such feature

The text that the model got is judged: it has to say that the call failed, and name the cause in the words of the fault; of a successful call it has to contain the result. A bare \`undefined\` or \`[object Object]\` counts as **s** if the failure is flagged, otherwise as **Q**. The
rules are code: [proofs/battery](https://github.com/toolpact/toolpact/tree/main/proofs/battery).

| fault | ${columns.map(({ title }) => title).join(' | ')} |
|---|${columns.map(() => ':-:|').join('')}
${faults.map((fault, index) => `| ${fault} | ${rows.map(({ column, own }) => cell(own, column, index)).join(' | ')} |`).join('\n')}

## Score

Measured on ${date}, with the newest versions that install beside each other. LangGraph 1.5 and newer need packages that the registry did not have on
that day.

"Classified" counts, of the 30 faults that are errors, those for which the application gets a kind or code, and not just an error object, a flag, or nothing.

| | alone: told the truth | survived | classified | leaks a secret / a stack | with Toolpact: told the truth | classified | leaks | measured with |
|---|---:|---:|---:|---|---:|---:|---|---|
${rows.map(({ column, own }) => score(column, own)).join('\n')}

The same faults in tools that are wrapped, by \`fromTools\`, and by \`fromMcp\` from servers without Toolpact:

| | told the truth | classified | leaks |
|---|---:|---:|---|
| AI SDK | 47/47 | 30/30 | 0 / 0 |
| LangChain (no output schemas) | 46/46 | 30/30 | 0 / 0 |
| MCP v1, MCP v2 | 41/47 | 18/30 | 0 / 0 |

An MCP server without Toolpact answers with a text and no kind, so its failures are \`failed\`. Six faults lose their cause in the server, before anything
is sent: a thrown object, the cause of a failed \`fetch\` (twice), and results that are undefined, a function or a Map.

The measurements are checked in. \`npm test\` repeats the right-hand side and compares it, and fails if an installed version is not the one that was measured alone.
\`npm run battery:baseline\` measures the left-hand side again, \`npm run battery\` both.
`;
}

function read(file: string): Measurement {
  return JSON.parse(readFileSync(new URL(`../proofs/battery/${file}`, import.meta.url), 'utf8')) as Measurement;
}

/** Columns are in the order of docs/frameworks.md. */
function place({ adapter }: Column): number {
  return adapterLines.findIndex(([name]) => name === adapter);
}

function cell(own: Column | undefined, { codes }: Column, index: number): string {
  return `${own?.codes[index] ?? '–'} → ${codes[index]}`;
}

function score({ title, codes, app, leaks, versions }: Column, own: Column | undefined): string {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const alone =
    own === undefined
      ? ['–', '–', '–', '–']
      : [share(own.codes, 'S'), share(own.codes, 'SsQ'), `${count(own.app, 'C')}/30`, told(own.leaks)];
  return `| ${[title, ...alone, share(codes, 'S'), `${count(app, 'C')}/30`, told(leaks), packages.join(', ')].join(' | ')} |`;
}

function percent(codes: string): string {
  const tried = [...codes].filter((code) => code !== '–').length;
  return `${Math.round((100 * count(codes, 'S')) / tried)} %`;
}

function share(codes: string, letters: string): string {
  return `${count(codes, letters)}/${[...codes].filter((code) => code !== '–').length}`;
}

function count(text: string, letters: string): number {
  return [...text].filter((letter) => letters.includes(letter)).length;
}

function told(leaks: Column['leaks']): string {
  const times = (what: string): string => `${Object.values(leaks).filter((one) => one.includes(what)).length}`;
  return `${times('secret')} / ${times('stack')}`;
}
