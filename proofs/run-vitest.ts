import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Runs a proof that is written as tests, with the caller's terminal, and gives the exit code. */
export function runVitest(words: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const program = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [program, 'run', ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}
