import { createClient } from '@toolpact/server/client';
import type { Outcome } from 'toolpact';
import { CliError } from '../../cli-error.ts';
import { originOptions } from '../../dialects.ts';
import type { Given } from '../command.ts';
import { fixOf } from '../key-fix.ts';
import { serverUrl } from './server-url.ts';
import { tenantOf } from './tenant-of.ts';

/** Creates the client of the server that `--url` names, for the tenant of `--tenant`; undefined without `--url`. */
export function clientOf(given: Given): ReturnType<typeof createClient> | undefined {
  const url = serverUrl(given);
  const { TOOLPACT_API_KEY: token = '' } = given.terminal.env;
  return url && createClient(url, { dialects: originOptions.dialects, retry: false, ...tenantOf(given), ...(token !== '' && { token }) });
}

/** Returns the data that a server answered with; its failure ends the command. */
export function dataOf<TData>(outcome: Outcome<TData>): TData {
  if (outcome.status === 'ok') return outcome.data;
  if (outcome.status !== 'error') throw new CliError('The server did not answer.');
  throw new CliError(outcome.error.message, { fix: fixOf(outcome.error) });
}

/** Returns the data that a server answered with, or undefined where it found nothing. */
export function foundIn<TData>(outcome: Outcome<TData>): TData | undefined {
  return outcome.status === 'error' && outcome.error.kind === 'not_found' ? undefined : dataOf(outcome);
}
