import { createApiKey } from '../../../edges/server/index.ts';
import { usageError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from './command.ts';

/** Prints a new API key: the one place where a key is shown, because nobody else ever knows it. */
export async function runKey({ terminal, flags, words }: Given): Promise<number> {
  const [tenant = '', ...scopes] = words;
  if (/[:,\s]/.test(tenant)) throw usageError('The name of a tenant has no colon, comma or space.');
  const { key, hash } = createApiKey();
  const entry = [`${tenant}:${hash}`, ...scopes].join(' ');
  if (flags.get('json') === true) await terminal.out(`${JSON.stringify({ key, entry })}\n`);
  else {
    await terminal.out(`${key}\n`);
    terminal.say(`\nGive the key to the caller; it is shown only now.\nLet the server know it: TOOLPACT_API_KEYS='${entry}'\n`);
  }
  return exitCodes.done;
}
