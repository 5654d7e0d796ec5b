import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fromOpenApi, type OpenApiTools } from '@toolpact/openapi';
import { createToolbox, type ListedTool, toModelText } from 'toolpact';
import { toTools } from 'toolpact/adapters/anthropic';
import { createToolIndex } from '../../packages/toolpact/src/toolbox/search/tool-index.ts';
import { unpackPackage } from '../../scripts/unpack-package.ts';
import type { Ranking } from './rankings.ts';
import type { Subject } from './subjects.ts';

/** Which of an API's tasks each ranking solved: an accepted operation is among the first five. */
export interface ApiRecall {
  readonly api: string;
  readonly tools: number;
  readonly tasks: number;
  readonly solved: Readonly<Record<string, readonly string[]>>;
}

/** The tasks of one API in users' words, each with the operations that do it. */
export type Tasks = Readonly<Record<string, readonly string[]>>;

/** The tasks of one API by how they are worded. */
export type Registers = Readonly<Record<string, Tasks>>;

/** Gives the tasks of all registers together. */
export function joinRegisters(registers: Registers): Tasks {
  return Object.assign({}, ...Object.values(registers)) as Tasks;
}

const shown = 5;

/** Returns the tools of a published API as a toolbox lists them. */
export function toolsOf(subject: Subject): readonly ListedTool[] {
  return createToolbox(readApi(subject)).list();
}

function readApi({ from, file }: Subject): OpenApiTools['tools'] {
  const document: object = JSON.parse(readFileSync(join(unpackPackage(from), file), 'utf8'));
  const baseUrl = (declared: string | undefined): string =>
    declared !== undefined && /^https?:/.test(declared) && URL.canParse(declared) ? declared : 'https://api.example.com';
  return fromOpenApi(document, { baseUrl }).tools;
}

/** Finds for each ranking the tasks of an API whose operation is among the first five. */
export async function measureRecall(
  api: string,
  tools: readonly ListedTool[],
  tasks: Tasks,
  rankings: Readonly<Record<string, Ranking>>,
): Promise<ApiRecall> {
  const names = new Set(tools.map(({ name }) => name));
  const solved: Record<string, string[]> = {};
  for (const [ranking, prepare] of Object.entries(rankings)) {
    const search = await prepare(tools);
    const own: string[] = [];
    solved[ranking] = own;
    for (const [task, accepted] of Object.entries(tasks)) {
      const unknown = accepted.filter((name) => !names.has(name));
      if (unknown.length > 0) throw new Error(`${api} has no operation ${unknown.join(', ')}`);
      const first = (await search(task)).slice(0, shown);
      if (first.some((name) => accepted.includes(name))) own.push(task);
    }
  }
  return { api, tools: tools.length, tasks: Object.keys(tasks).length, solved };
}

/** The processor time that indexing and searching take, the least of some attempts: what else runs on this machine counts for little. */
export function measureSpeed(
  tools: readonly ListedTool[],
  queries: readonly string[],
): { readonly indexMs: number; readonly queryMs: number } {
  const index = createToolIndex(tools);
  const indexMs = quickest(5, () => void createToolIndex(tools));
  const queryMs = quickest(5, () => {
    for (const query of queries) index.search(query, shown);
  });
  return { indexMs, queryMs: queryMs / queries.length };
}

function quickest(attempts: number, run: () => void): number {
  const times = Array.from({ length: attempts }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** Measures what a model reads of the tools of some APIs, as Anthropic gets them: all offered, and with the search. A token is about four characters. */
export async function measureTokens(subjects: readonly Subject[]) {
  const tools = subjects.flatMap((subject) => readApi(subject)).slice(0, 900);
  const tokensOf = (text: string): number => Math.ceil(text.length / 4);
  const toolbox = createToolbox(tools, { search: {} });
  const found = await toolbox.answer({ name: 'search_tools', args: { query: 'create a new customer' } });
  return {
    offered: {
      tools: tools.length,
      apis: subjects.map(({ api }) => api).join(', '),
      tokens: tokensOf(JSON.stringify(toTools(createToolbox(tools)))),
    },
    searched: { tokens: tokensOf(JSON.stringify(toTools(toolbox))), perSearch: tokensOf(toModelText(found)) },
  };
}
