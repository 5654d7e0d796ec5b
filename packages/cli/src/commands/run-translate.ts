import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { detectDialect } from 'toolpact/dialects';
import { CliError, usageError } from '../cli-error.ts';
import { type DialectName, dialectNames } from '../dialect-names.ts';
import { dialects } from '../dialects.ts';
import { exitCodes, recoveryCodes } from '../exit-codes.ts';
import { plainLine } from '../print/terminal.ts';
import type { Given } from './command.ts';

/** Reads a result in one format and prints it in another. */
export async function runTranslate({ terminal, flags, words }: Given): Promise<number> {
  const to = flags.get('to') as string | undefined;
  if (to === undefined) throw usageError('The target format is missing.', 'Add --to, for example --to problem.');
  const [file = '-'] = words;
  const json = parse(file === '-' ? await text(terminal.stdin) : read(resolve(terminal.cwd, file), terminal.cwd));
  const named = flags.get('from') as DialectName | undefined;
  const from = named === undefined ? detectDialect(json, Object.values(dialects)) : dialects[named];
  if (from === undefined)
    throw usageError('The format cannot be detected from the shape of the text.', `Add --from, one of ${dialectNames.join(', ')}.`);
  const decoded = from.decode(json);
  if (!decoded.ok) {
    terminal.say(`${terminal.paint('bad', 'unreadable')} as ${from.name}: ${plainLine(decoded.failure.message)}\n`);
    return recoveryCodes.fix_input;
  }
  const { outcome } = decoded;
  const encoded = to === 'outcome' ? outcome : dialects[to as DialectName].encode(outcome, { strict: flags.get('strict') === true });
  await terminal.out(`${JSON.stringify(encoded, null, 2)}\n`);
  return exitCodes.done;
}

function read(file: string, cwd: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${relative(cwd, file)} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const what = text.trim() === '' ? 'The input is empty.' : `The input is not JSON: ${(error as Error).message}.`;
    throw new CliError(what, { exitCode: recoveryCodes.fix_input, cause: error });
  }
}
