import { spawn } from 'node:child_process';

/** The output of a child process, and how it ended. */
export interface ChildResult {
  readonly stdout: string;
  readonly code: number | null;
  readonly tookMs: number;
  /** When it was gone, in epoch milliseconds. */
  readonly endedAt: number;
}

/** Runs this Node with the words given and resolves when it is gone; one that hangs is stopped after two minutes. */
export function runChild(words: readonly string[]): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 120_000,
    });
    let stdout = '';
    let endedAt = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('error', reject);
    child.on('exit', () => {
      endedAt = performance.timeOrigin + performance.now();
    });
    child.on('close', (code) => resolve({ stdout, code, tookMs: endedAt - performance.timeOrigin - startedAt, endedAt }));
  });
}
