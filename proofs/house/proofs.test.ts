import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

function prove(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'proof', ...words], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('--help lists every proof with its options, and runs none', () => {
  const { status, stdout, stderr } = prove('--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.match(/^ {2}[\w-]+/gm)?.map((name) => name.trim())).toEqual([
    'pauses',
    'crashes',
    'steps',
    'restate',
    'fleet',
    'simulation',
    'calls',
    'load',
    'battery',
    'kill',
    'workflow-engines',
    'tool-search',
    'gateway',
    'gateway-servers',
    'properties',
    'installs',
    'runtimes',
  ]);
  expect(stdout).toContain('--pauses    how many pauses on each store; 500 unless stated\n');
  expect(stdout).toContain('--store     the only store to use: sqlite or postgres\n');
});

test('docs/proofs.md has the last result of every proof', () => {
  const names = prove('--help')
    .stdout.match(/^ {2}[\w-]+/gm)
    ?.map((name) => name.trim());
  const rows = [...readFileSync(`${root}docs/proofs.md`, 'utf8').matchAll(/^\| `([\w-]+)(?: --only \w+)?` \|/gm)].map(([, name]) => name);
  expect([...new Set(rows)]).toEqual(names);
});

test.each([
  [['nonsense'], 'There is no proof "nonsense".'],
  [['toString'], 'There is no proof "toString".'],
  [['--kills', '3'], 'Options come after the name of a proof: --kills belongs to none.'],
  [['crashes', '--kills', 'many'], '--kills must be a whole number from 1, not "many".'],
  [['steps', '--store', 'mysql'], '--store must be sqlite or postgres, not "mysql".'],
  [['load', '--kills', '3'], "Unknown option '--kills'"],
])('the words %j are refused with the list, before anything runs', (words, problem) => {
  const { status, stdout, stderr } = prove(...words);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.startsWith(`${problem}\n\nUsage: npm run proof -- [name] [options]\n`), stderr).toBe(true);
  expect(stderr).toContain('  installs ');
});

test('every proof in the table is a file', () => {
  const table = readFileSync(`${root}scripts/proofs.mjs`, 'utf8');
  const files = [...table.matchAll(/file: '(.+)'/g)].map(([, file = '']) => file);
  expect(files).toHaveLength(17);
  for (const file of files) expect(existsSync(`${root}${file}`), file).toBe(true);
});
