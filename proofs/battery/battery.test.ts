import { readFileSync } from 'node:fs';
import type { Finding } from '@toolpact/testing';
import { createToolbox, defineTool } from 'toolpact';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import packageJson from '../../packages/toolpact/package.json' with { type: 'json' };
import { toAdapterResult } from '../conformance/adapter-result.ts';
import { readResults } from '../conformance/results.ts';
import { checkAdapter } from '../suites/adapters/check-adapter.ts';
import { call, type Fault, good } from './fault.ts';
import { faults } from './faults.ts';
import { type BatteryHost, finalAnswer } from './host.ts';
import type { Cell } from './judge.ts';
import type { Column, Measurement } from './measurement.ts';
import { hostFiles, versionOf } from './run-battery.ts';
import { runFault, toSubject } from './run-host.ts';

/**
 * One fault of each kind in every framework, through its adapter, all in this process. `npm run proof -- battery` has all 47, each framework in a
 * process of its own, and the same faults in tools that were written for a framework.
 */
const decisive = [
  'async reject Error',
  'HttpError 429 + retry-after',
  'never-resolving promise',
  'args: wrong type',
  'unknown tool name',
  'result circular',
  'secret in the error message',
  '2 parallel calls, one throws',
];

const read = (file: string): Measurement => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Measurement;
const results = read('results.json');
const baseline = read('baseline.json');
const titles = faults.map(({ title }) => title);
const chosen = decisive.map((title) => faults.find((fault) => fault.title === title) as Fault);

const hosts = new Map<string, BatteryHost>();
beforeAll(async () => {
  for (const file of hostFiles) {
    const { hosts: inFile } = (await import(`./hosts/${file}.ts`)) as { hosts: readonly BatteryHost[] };
    for (const host of inFile) hosts.set(host.name, host);
  }
});

test('there are 47 faults, 30 of which must be classified', () => {
  expect(new Set(titles).size).toBe(47);
  expect(faults.filter(({ isError }) => isError)).toHaveLength(30);
});

describe.each(results.columns.map((column) => [column.title, column] as const))('%s', (_, column) => {
  const host = (): BatteryHost => hosts.get(column.name) ?? expect.unreachable();

  test('one fault of each kind ends well, is classified, and the model reads the truth without secrets', async () => {
    const cells: Cell[] = [];
    for (const fault of chosen) cells.push(await runFault(host(), 'toolpact', fault));
    expect(cells.filter(({ code, leaks }) => code !== 'S' || leaks.length > 0)).toEqual([]);
    expect(cells.map(({ fault, app = '.' }) => [fault, app])).toEqual(chosen.map(({ title, isError }) => [title, isError ? 'C' : '.']));
  });

  test('every kind of outcome arrives: flag, text, code and call id, as proofs/conformance/README.md says', async () => {
    const findings: readonly Finding[] = await checkAdapter(toSubject(host()));
    expect(findings).toEqual([]);
    expect(readResults().adapters).toContainEqual(toAdapterResult(column, findings));
  });
});

describe('a call that the model sends twice in one answer, with one id', () => {
  const transferred = async (host: string, amounts: readonly number[]): Promise<readonly unknown[]> => {
    const runs: unknown[] = [];
    const input = z.object({ account: z.string(), amount: z.number() });
    const transfer = defineTool({
      name: 'transfer',
      description: 'Moves money.',
      effects: 'writes',
      input,
      run: async ({ amount }) => {
        runs.push(amount);
        await Promise.resolve();
        return 'moved';
      },
    });
    const calls = amounts.map((amount) => call({ ...good, amount }));
    const toolbox = createToolbox([transfer], { report: () => undefined });
    const { answer } = await (hosts.get(host) ?? expect.unreachable()).run({ mode: 'toolpact', toolbox, calls });
    expect(answer).toContain(finalAnswer);
    return runs;
  };

  test.each(results.columns)('is made once in $title', async ({ name, adapter }) => {
    // A server of MCP sees requests, and no answers of models.
    expect(await transferred(name, [5, 5])).toEqual(adapter === 'mcp' ? [5, 5] : [5]);
  });

  // OpenAI Agents ends the run itself.
  test.each(results.columns.filter(({ name }) => name !== 'openai-agents'))(
    'is two calls in $title where the arguments differ',
    async ({ name }) => expect((await transferred(name, [5, 6])).toSorted()).toEqual([5, 6]),
  );
});

test('every host has a column with all faults, and all passed', () => {
  expect(results.faults).toEqual(titles);
  expect(results.columns.map(({ name }) => name)).toEqual([...hosts.keys()]);
  for (const { codes } of results.columns) expect(codes).toBe('S'.repeat(titles.length));
});

test('every adapter of the package has a column', () => {
  const adapters = Object.keys(packageJson.exports).flatMap((path) => /^\.\/adapters\/(.+)/.exec(path)?.[1] ?? []);
  expect([...new Set(results.columns.map(({ adapter }) => adapter))].sort()).toEqual(adapters.sort());
});

test.each([
  ['with its adapter', results, 'npm run battery'],
  ['alone', baseline, 'npm run battery:baseline'],
])('each framework %s was measured in the version that is installed', (_, { columns }, command) => {
  const installed = ({ versions }: Column) => Object.fromEntries(Object.keys(versions).map((one) => [one, versionOf(one)]));
  expect(
    columns.map(({ name, versions }) => ({ name, versions })),
    `run \`${command}\``,
  ).toEqual(columns.map((column) => ({ name: column.name, versions: installed(column) })));
});
