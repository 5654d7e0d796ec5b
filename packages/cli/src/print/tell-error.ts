import { toLogRecord } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { plain, type Terminal } from './terminal.ts';

/** Says what went wrong and how to put it right; gives the exit code. */
export function tellError(error: unknown, { paint, say, verbose }: Terminal): number {
  if (error instanceof CliError) {
    say(`${paint('bad', 'error')} ${plain(error.message)}\n${error.fix === undefined ? '' : `${paint('good', 'fix')}   ${error.fix}\n`}`);
    if (verbose && error.cause !== undefined) say(`${errorText(error.cause, verbose)}\n`);
    return error.exitCode;
  }
  const fix = verbose ? '' : `${paint('good', 'fix')}   --verbose shows where it comes from.\n`;
  say(`${paint('bad', 'error')} ${errorText(error, verbose)}\n${fix}`);
  return exitCodes.cannotRun;
}

/** Writes an error as its name and message, or with its stack for those who asked for that. */
export function errorText(error: unknown, verbose: boolean): string {
  if (!(error instanceof Error)) return toLogRecord(String(error));
  return toLogRecord((verbose ? error.stack : undefined) ?? `${error.name}: ${error.message}`);
}
