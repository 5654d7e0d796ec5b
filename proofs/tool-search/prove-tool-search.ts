// How often a search in a user's words finds the operation that does the task: npm run proof -- tool-search
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unpackPackage } from '../../scripts/unpack-package.ts';
import {
  type ApiRecall,
  joinRegisters,
  measureRecall,
  measureSpeed,
  measureTokens,
  type Registers,
  type Tasks,
  toolsOf,
} from './measure.ts';
import { mastra, minisearch, type Ranking, substring, toolpact } from './rankings.ts';
import { type Subject, tunedSubjects, unseenSubjects } from './subjects.ts';
import tasks from './tasks.json' with { type: 'json' };
import unseenTasks from './unseen-tasks.json' with { type: 'json' };

const peers = createRequire(new URL('../peers/package.json', import.meta.url));
const load = async (path: string): Promise<never> => (await import(pathToFileURL(path).href)) as never;

const { default: MiniSearch } = (await load(join(unpackPackage('minisearch@7.2.0'), 'dist/es/index.js'))) as { readonly default: never };
const { ToolSearchProcessor } = (await load(peers.resolve('@mastra/core/processors'))) as { readonly ToolSearchProcessor: never };
const { createTool } = (await load(peers.resolve('@mastra/core/tools'))) as { readonly createTool: never };
const rankings: Readonly<Record<string, Ranking>> = {
  toolpact,
  substring,
  'MiniSearch 7.2.0': minisearch(MiniSearch),
  'Mastra 1.71.0': mastra(ToolSearchProcessor, createTool),
};

/** Four APIs of about 900 operations together. */
const inTokens: readonly string[] = ['Asana', 'DigitalOcean', 'DocuSign', 'Slack'];

/** Prints how many of the tasks of some APIs each ranking solves. */
async function printRecall(title: string, subjects: readonly Subject[], tasksOf: (api: string) => Tasks): Promise<readonly ApiRecall[]> {
  console.log(title);
  const rows: ApiRecall[] = [];
  for (const subject of subjects) {
    const row = await measureRecall(subject.api, toolsOf(subject), tasksOf(subject.api), rankings);
    rows.push(row);
    const counts = Object.entries(row.solved).map(([ranking, own]) => `${ranking} ${own.length}`);
    console.log(`${row.api}: ${row.tools} tools, of ${row.tasks} tasks found ${counts.join(', ')}`);
  }
  printTotals(rows, (api) => Object.keys(tasksOf(api)));
  return rows;
}

/** Prints the share of some tasks that each ranking solves. */
function printTotals(rows: readonly ApiRecall[], tasksOf: (api: string) => readonly string[]): void {
  const total = rows.reduce((sum, { api }) => sum + tasksOf(api).length, 0);
  for (const ranking of Object.keys(rankings)) {
    const found = rows.reduce((sum, { api, solved }) => sum + tasksOf(api).filter((task) => solved[ranking]?.includes(task)).length, 0);
    console.log(`recall at 5, ${ranking}: ${(found / total).toFixed(3)} (${found} of ${total})`);
  }
}

const tuned: Readonly<Record<string, Tasks>> = tasks;
await printRecall('APIs that the ranking was tuned on', tunedSubjects, (api) => tuned[api] ?? {});
const unseen: Readonly<Record<string, Registers>> = unseenTasks;
const rows = await printRecall('\nAPIs that it was not tuned on', unseenSubjects, (api) => joinRegisters(unseen[api] ?? {}));
for (const register of Object.keys(Object.values(unseen)[0] ?? {})) {
  console.log(`of these, register "${register}"`);
  printTotals(rows, (api) => Object.keys(unseen[api]?.[register] ?? {}));
}

const all = tunedSubjects.flatMap((subject) => toolsOf(subject));
const { indexMs, queryMs } = measureSpeed(
  all.slice(0, 1_000),
  Object.values(tuned).flatMap((wanted) => Object.keys(wanted)),
);
console.log(`1,000 tools: indexed in ${indexMs.toFixed(1)} ms, a query in ${queryMs.toFixed(2)} ms`);
const { offered, searched } = await measureTokens(tunedSubjects.filter(({ api }) => inTokens.includes(api)));
console.log(
  `${offered.tools} tools of ${offered.apis}: ${offered.tokens.toLocaleString('en')} tokens offered at once; with a search ${searched.tokens.toLocaleString('en')} (${percent(searched.tokens / offered.tokens)} less), and ${searched.perSearch.toLocaleString('en')} more for what one search gives (${percent((searched.tokens + searched.perSearch) / offered.tokens)} less together)`,
);
if (indexMs >= 50 || queryMs >= 2 || searched.tokens / offered.tokens > 0.05) process.exitCode = 1;

function percent(part: number): string {
  return `${((1 - part) * 100).toFixed(1)} %`;
}
