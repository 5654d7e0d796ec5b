import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../../proofs/fixtures/start-postgres.ts';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';
import { openStore, type StoreAddress } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-processes-'));
const children = new Set<ChildProcess>();
let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const claimKeys = useProgram(new URL('claim-keys.ts', import.meta.url));
const writeUntilKilled = useProgram(new URL('write-until-killed.ts', import.meta.url));
const execArgv = ['--disable-warning=ExperimentalWarning'];

const stores: readonly (readonly [name: string, address: () => StoreAddress])[] = [
  ['sqlite', () => ({ path: join(folder, 'shared.db') })],
  ['postgres', () => ({ connectionString: server.connectionString, schema: 'shared' })],
];

describe.each(stores)('on %s', (_, address) => {
  test('four processes that claim the same 20,000 keys get each of them exactly once', async () => {
    const keys = 20_000;
    const claimers = Array.from({ length: 4 }, () => {
      const child = fork(claimKeys(), [JSON.stringify(address()), `${keys}`], { execArgv });
      children.add(child);
      return child;
    });
    await Promise.all(claimers.map((child) => once(child, 'message')));
    const answers = claimers.map((child) => once(child, 'message'));
    const ends = claimers.map((child) => once(child, 'exit'));
    for (const child of claimers) child.send('go');
    const told = (await Promise.all(answers)).map(([answer]) => answer as { won: number; misled: number });
    expect(told.reduce((sum, { won }) => sum + won, 0)).toBe(keys);
    expect(told.filter(({ misled }) => misled > 0)).toEqual([]);
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
    const store = openStore(address());
    for (let first = 0; first < keys; first += 500) {
      const records = await Promise.all(
        Array.from({ length: 500 }, async (__, index) => store.get({ space: 'claim', tenant: 'four', key: `${first + index}` })),
      );
      expect(records.filter((record) => record?.version !== 1)).toEqual([]);
    }
    await store.close();
  });

  test('a process that is killed loses nothing that was confirmed as written', async () => {
    for (let round = 0; round < 8; round += 1) {
      const lines = await writeAndKill(address(), `${round}`, 1 + Math.floor(Math.random() * 400));
      const store = openStore(address());
      const told = [...new Set(lines.flatMap(([what, key = '']) => (what === 'counted' ? [] : [key])))];
      const records = new Map(
        await Promise.all(told.map(async (key) => [key, await store.get({ space: 'kill', tenant: 't', key })] as const)),
      );
      const lost = lines.filter(([what, key = '']) => {
        if (what === 'counted') return false;
        const record = records.get(key);
        const state = (record?.value as { state?: string } | undefined)?.state;
        return what === 'done' ? state !== 'done' || record?.version !== 2 : record === undefined;
      });
      expect(lost, `round ${round}`).toEqual([]);
      const counted = Math.max(0, ...lines.filter(([what]) => what === 'counted').map(([, count]) => Number(count)));
      expect((await store.add({ space: 'kill', tenant: 't', key: `${round}` }, 0, 3_600_000)).count).toBeGreaterThanOrEqual(counted);
      await store.close();
    }
  });
});

/** Runs the writer, kills it after so many lines, and gives all lines it wrote. */
async function writeAndKill(address: StoreAddress, round: string, after: number): Promise<string[][]> {
  const child = spawn(process.execPath, [...execArgv, writeUntilKilled(), JSON.stringify(address), round], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const lines: string[][] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line.split(' '));
    if (lines.length === after) child.kill('SIGKILL');
  }
  children.delete(child);
  expect(lines.length).toBeGreaterThanOrEqual(after);
  return lines;
}
