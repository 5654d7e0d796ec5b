import { spawn } from 'node:child_process';
import { systemClock } from '../../packages/toolpact/src/time/index.ts';

/** A server that runs as a process of its own. */
export interface Program {
  readonly url: string;
  readonly stop: () => void;
}

/** It has so long to start. */
const startMs = 30_000;

/** Starts a program, and resolves when its output says where it listens. */
export function startProgram(
  [command = '', ...words]: readonly string[],
  cwd: string,
  readUrl: (output: string) => string | undefined,
): Promise<Program> {
  const child = spawn(command, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill('SIGKILL');
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => {
      stop();
      reject(new Error(`${command} ${why}\n${output}`));
    };
    const stopTimer = systemClock.after(startMs, () => fail(`did not start within ${startMs} ms`));
    const read = (text: string): void => {
      output += text;
      const url = readUrl(output);
      if (url === undefined) return;
      stopTimer();
      resolve({ url, stop });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.on('error', (error) => fail(String(error)));
    child.on('exit', (code) => fail(`ended with ${code}`));
  });
}
