import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';

const program = useProgram(new URL('signalled.ts', import.meta.url));

test.each<[string, NodeJS.Signals, readonly string[], object]>([
  ['does not listen for Ctrl-C', 'SIGINT', [], { code: null, signal: 'SIGINT', said: [] }],
  ['is told to end', 'SIGTERM', [], { code: null, signal: 'SIGTERM', said: [] }],
  ['closes its gateway itself', 'SIGINT', ['listens'], { code: 0, signal: null, said: ['closed'] }],
])('servers end with a program that %s', async (_, sent, words, expected) => {
  const child = spawn(process.execPath, [program(), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [pid] = await once(lines, 'line');
  onTestFinished(() => {
    if (isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL');
  });
  const said: string[] = [];
  lines.on('line', (line) => said.push(line));
  child.kill(sent);
  const [code, signal] = await once(child, 'close');
  expect({ code, signal, said }).toEqual(expected);
  // The dead are buried by the first process of the machine, in its own time.
  await vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false), { timeout: 15_000 });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
