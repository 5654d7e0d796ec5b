import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Finding } from '@toolpact/testing';
import { quietFrameworks } from '../fixtures/quiet-frameworks.ts';
import { sourceArguments } from '../fixtures/source-arguments.ts';
import { faults } from './faults.ts';
import type { RunSetup } from './host.ts';
import type { Cell } from './judge.ts';
import type { Column } from './measurement.ts';
import type { HostFacts, Line } from './run-host.ts';

/** A column, and why its cells are not S. */
export interface MeasuredColumn extends Column {
  readonly why: Readonly<Record<string, string>>;
  /** Findings of `checkAdapter`; absent if the framework was measured alone. */
  readonly findings?: readonly Finding[];
}

/** The files of `hosts/`, without their ending. */
export const hostFiles: readonly string[] = readdirSync(new URL('hosts/', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

/**
 * Runs the whole battery of one file. With Toolpact one process outlives all faults, or the cell of the fault that ended it says so. For the
 * frameworks alone there is one for all faults that leave it alive and one for those that may not.
 */
export async function runFile(file: string, mode: RunSetup['mode']): Promise<MeasuredColumn[]> {
  const groups: Group[] = [];
  for (const which of mode === 'toolpact' ? (['all'] as const) : (['together', 'alone'] as const))
    groups.push(await runGroup(file, mode, which));
  return (groups[0]?.hosts ?? []).map((host) =>
    toColumn(host, new Map(groups.flatMap(({ cells }) => [...(cells.get(host.name) ?? [])])), groups[0]?.findings.get(host.name)),
  );
}

/** The version of a package that the tests have. */
export function versionOf(name: string): string {
  const file = new URL(`../peers/node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs over all items, two at a time, as many as the smallest machine has cores. */
export async function inPairs<TItem, TResult>(items: readonly TItem[], run: (item: TItem) => Promise<TResult>): Promise<TResult[]> {
  const results: TResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await run(items[index] as TItem);
  };
  await Promise.all([work(), work()]);
  return results;
}

interface Group {
  readonly hosts: readonly HostFacts[];
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, Cell>>;
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
}

/** Starts the program again after every fault that ended it, with those that are left. */
async function runGroup(file: string, mode: RunSetup['mode'], group: 'all' | 'together' | 'alone'): Promise<Group> {
  const titles = faults.filter(({ alone = false }) => group === 'all' || alone === (group === 'alone')).map(({ title }) => title);
  const cells = new Map<string, Map<string, Cell>>();
  const findings = new Map<string, readonly Finding[]>();
  let hosts: readonly HostFacts[] = [];
  let which: string = group;
  for (;;) {
    const { lines, errors } = await spawnHost(file, mode, which);
    for (const line of lines) {
      if ('hosts' in line) hosts = line.hosts;
      else if ('findings' in line) findings.set(line.host, line.findings);
      else if (!cells.has(line.host)) cells.set(line.host, new Map([[line.cell.fault, line.cell]]));
      else cells.get(line.host)?.set(line.cell.fault, line.cell);
    }
    if (hosts.length === 0) throw new Error(`the hosts of ${file} did not start:\n${errors}`);
    const [ended, ...left] = hosts.flatMap(({ name }) =>
      titles.filter((title) => cells.get(name)?.has(title) !== true).map((title) => [name, title] as const),
    );
    if (ended === undefined) return { hosts, cells, findings };
    const [host, fault] = ended;
    if (!cells.has(host)) cells.set(host, new Map());
    cells.get(host)?.set(fault, { fault, code: 'X', leaks: [], why: errors.slice(-1000) });
    if (left.length === 0) return { hosts, cells, findings };
    which = JSON.stringify(left);
  }
}

const script = fileURLToPath(new URL('run-host.ts', import.meta.url));

function spawnHost(file: string, mode: string, which: string): Promise<{ lines: Line[]; errors: string }> {
  const words = [...sourceArguments, script, file, mode, which];
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      words,
      { env: { ...env, ...quietFrameworks }, maxBuffer: 2 ** 26, timeout: 170_000 },
      (_error, stdout, stderr) => {
        // Frameworks write to the same stream now and then.
        const lines = stdout.split('\n').filter((line) => /^\{"hosts?":/.test(line));
        resolve({ lines: lines.map((line) => JSON.parse(line) as Line), errors: stderr });
      },
    );
  });
}

function toColumn(
  { name, title, adapter, packages }: HostFacts,
  cells: ReadonlyMap<string, Cell>,
  findings: readonly Finding[] | undefined,
): MeasuredColumn {
  const inOrder = faults.map((fault) => cells.get(fault.title) as Cell);
  return {
    name,
    title,
    adapter,
    versions: Object.fromEntries(packages.map((one) => [one, versionOf(one)])),
    codes: inOrder.map(({ code }) => code).join(''),
    app: inOrder.map(({ app }) => app ?? '.').join(''),
    leaks: Object.fromEntries(inOrder.filter(({ leaks }) => leaks.length > 0).map(({ fault, leaks }) => [fault, leaks.join(', ')])),
    ...(findings !== undefined && { findings }),
    why: Object.fromEntries(
      inOrder.filter(({ code, why }) => code !== 'S' && why !== undefined).map(({ fault, why }) => [fault, why as string]),
    ),
  };
}
