import { type ApiKey, apiKeys, createApiKey } from '@toolpact/server';
import { usageError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from './command.ts';

/** Prints a new API key: the one place where a key is shown, because only its hash is kept. */
export async function runKey({ terminal, flags, words }: Given): Promise<number> {
  const [tenant = '', ...granted] = words;
  if (/[:,\s]/.test(tenant)) throw usageError('The name of a tenant cannot contain a colon, comma or space.');
  const { key, hash } = createApiKey();
  const scopes = granted.filter((word) => !word.startsWith('role:'));
  checkEntry({ hash, tenantId: tenant === '' ? 'tenant' : tenant, scopes });
  const entry = [`${tenant}:${hash}`, ...granted].join(' ');
  if (flags.get('json') === true) await terminal.out(`${JSON.stringify({ key, entry })}\n`);
  else {
    await terminal.out(`${key}\n`);
    terminal.say(`\nGive the key to the caller. It is not shown again.\nAdd it to the server: TOOLPACT_API_KEYS='${entry}'\n`);
  }
  return exitCodes.done;
}

/** Refuses what a server would refuse when it starts. */
function checkEntry(entry: ApiKey): void {
  try {
    apiKeys([entry]);
  } catch (error) {
    throw usageError((error as Error).message);
  }
}
