import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

/** The built command line with the sample tools, in a folder of its own. */
export interface ServedSamples {
  readonly url: string;
  readonly child: ChildProcess;
  readonly close: () => Promise<void>;
}

/** Starts `toolpact dev --sample`, as `npm start` does. */
export async function serveSamples(): Promise<ServedSamples> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-samples-'));
  // The page shows the name of the folder.
  const cwd = join(folder, 'my-tools');
  mkdirSync(cwd);
  const child = spawn(process.execPath, [main, 'dev', '--sample', '--port', '0'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  for await (const piece of child.stdout) {
    said += String(piece);
    if (said.includes('Ctrl-C stops')) break;
  }
  return {
    url: /Local +(\S+)/.exec(said)?.[1] ?? '',
    child,
    close: async () => {
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
