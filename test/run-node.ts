import { spawn } from 'node:child_process';

/** Runs Node with these words, as a process of its own, to its end. */
export function runNode(
  words: readonly string[],
  { cwd, env: more = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; stdout: string }> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const child = spawn(process.execPath, words, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout }));
  });
}
