import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const source = new URL('../../../scripts/resolve-source.ts', import.meta.url).href;

/** A server in a process of its own. */
export interface Child {
  readonly url: string;
  readonly process: ChildProcess;
  /** Resolves once the process has printed a line that begins so. */
  readonly printed: (start: string) => Promise<string>;
  readonly exited: Promise<number | null>;
}

/** Starts `child-server.ts` and waits until it listens. */
export async function startChild(...words: readonly string[]): Promise<Child> {
  const file = fileURLToPath(new URL('child-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', source, file, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const look of waiting) look();
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = (start: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find((line) => line.startsWith(start));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void exited.then((code) => reject(new Error(`the server ended with ${code} before it printed "${start}"`)));
    });
  const url = (await printed('listening ')).slice('listening '.length);
  return { url, process: child, printed, exited };
}
