import { usageError } from '../../cli-error.ts';
import { flagOf } from '../../settings/settings.ts';
import type { Given } from '../command.ts';

/** Reads the server that `--url` names; undefined without the flag. A flag that only works on tools of this project must not look as if it worked there. */
export function serverUrl({ flags, settings }: Given): URL | undefined {
  const url = flags.get('url') as string | undefined;
  if (url === undefined) return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageError(`--url must be an address such as http://127.0.0.1:8787, not ${JSON.stringify(url)}.`);
  const idle = ['approve', 'sample'].find((name) => flags.has(name)) ?? [...settings.setBy].find(([, source]) => source === 'flag')?.[0];
  if (idle !== undefined) throw usageError(`--${flagOf(idle)} has no meaning with --url: the server decides that.`);
  return new URL(url);
}
