import type { Outcome } from '../../../../core/outcome/index.ts';
import { createClient } from '../../../../edges/client/index.ts';
import { CliError, usageError } from '../../cli-error.ts';
import { flagOf } from '../../settings/settings.ts';
import type { Given } from '../command.ts';

/** Makes the client of the server that `--url` names; undefined without the flag. */
export function clientOf({ flags, settings, terminal }: Given): ReturnType<typeof createClient> | undefined {
  const url = flags.get('url') as string | undefined;
  if (url === undefined) return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageError(`--url must be an address such as http://127.0.0.1:8787, not ${JSON.stringify(url)}.`);
  const idle = [...settings.setBy].find(([, source]) => source === 'flag')?.[0];
  if (idle !== undefined) throw usageError(`--${flagOf(idle)} has no meaning with --url: the server decides that.`);
  const { TOOLPACT_API_KEY: token = '' } = terminal.env;
  return createClient(url, { retry: false, ...(token !== '' && { token }) });
}

/** Gives the data that a server answered with; its failure ends the command. */
export function dataOf<TData>(outcome: Outcome<TData>): TData {
  if (outcome.status === 'ok') return outcome.data;
  throw new CliError(outcome.status === 'error' ? outcome.error.message : 'The server did not answer.');
}

/** Gives the data that a server answered with, or undefined where it found nothing. */
export function foundIn<TData>(outcome: Outcome<TData>): TData | undefined {
  return outcome.status === 'error' && outcome.error.kind === 'not_found' ? undefined : dataOf(outcome);
}
