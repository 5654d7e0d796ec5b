import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/** Asks a person, for whom yes is the usual answer. Where no person is there, the answer is yes; the end of the input is a no. */
export function askYesNo({ stdin, say }: Pick<Terminal, 'stdin' | 'say'>, question: string): Promise<boolean> {
  if (stdin.isTTY !== true) return Promise.resolve(true);
  const output = new Writable({ write: (chunk: Uint8Array, _, done) => done(void say(String(chunk))) });
  const lines = createInterface({ input: stdin, output });
  return new Promise((resolve) => {
    lines.on('close', () => resolve(false));
    lines.question(`${question} [Y/n] `, (answer) => {
      resolve(/^\s*(y(es)?)?\s*$/i.test(answer));
      lines.close();
    });
  });
}
