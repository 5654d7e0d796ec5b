import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';
import type { StoreAddress } from './open-store.ts';

const { folder, connectionString } = usePostgres('fair');
const program = useProgram(new URL('fair-worker.ts', import.meta.url));
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

test.each<[string, () => StoreAddress]>([
  ['sqlite', () => ({ path: join(folder, 'fair.db') })],
  ['postgres', () => ({ connectionString: connectionString(), schema: 'fair' })],
])(
  'of eight processes that want one key on %s each gets it again and again, and no two at once',
  async (store, address) => {
    const ledger = join(folder, `${store}.ledger`);
    const runs = new Map<string, number>();
    /** In order, of the time when all eight were there: they start one after the other, and the first has the key for itself. */
    const shared: string[] = [];
    const allRan = Promise.withResolvers<void>();
    const children = names.map((name) => {
      const words = ['--disable-warning=ExperimentalWarning', program(), JSON.stringify(address()), ledger, name];
      const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
      createInterface({ input: child.stdout }).on('line', (line) => {
        runs.set(line, (runs.get(line) ?? 0) + 1);
        if (runs.size === names.length) shared.push(line);
        if (names.every((each) => shared.filter((name) => name === each).length >= 3)) allRan.resolve();
      });
      child.once('exit', () => allRan.reject(new Error(`${name} ended too early`)));
      return child;
    });
    await allRan.promise.finally(() =>
      Promise.all(
        children.map(async (child) => {
          const ended = once(child.removeAllListeners('exit'), 'exit');
          child.kill('SIGKILL');
          if (child.exitCode === null && child.signalCode === null) await ended;
        }),
      ),
    );
    const lines = readFileSync(ledger, 'utf8')
      .split('\n')
      .slice(0, 2 * sum(runs.values()) - names.length);
    const overlaps = lines.filter((line, index) => index % 2 === 1 && line !== `end ${lines[index - 1]?.slice('begin '.length)}`);
    expect(overlaps).toEqual([]);
  },
  240_000,
);

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
