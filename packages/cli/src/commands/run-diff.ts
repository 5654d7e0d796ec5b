import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { diffTools, lockTools, readLock, type ToolChange, type ToolLock } from '@toolpact/testing';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { changesText } from '../print/changes-text.ts';
import type { Paint } from '../print/terminal.ts';
import type { Given } from './command.ts';
import { openSubject } from './open-subject.ts';
import { lockFile } from './run-lock.ts';

/** Reports what changed since tools were locked. Ends with 1 when a change breaks callers. */
export async function runDiff(given: Given): Promise<number> {
  const { terminal, flags } = given;
  const path = resolve(terminal.cwd, (flags.get('lock') as string | undefined) ?? lockFile);
  const before = load(path, terminal.cwd);
  const opened = await openSubject(given);
  try {
    const changes = diffTools(before, await lockTools(opened.subject));
    await terminal.out(flags.get('json') === true ? `${JSON.stringify(changes, null, 2)}\n` : diffText(changes, terminal.outPaint));
    return changes.some(({ level }) => level === 'breaking') ? exitCodes.cannotRun : exitCodes.done;
  } finally {
    await opened.close().catch(() => undefined);
  }
}

function load(path: string, cwd: string): ToolLock {
  const shown = relative(cwd, path) || path;
  if (!existsSync(path)) throw new CliError(`There is no ${shown}.`, { fix: 'toolpact lock writes it; commit it with your tools.' });
  if (statSync(path).isDirectory()) throw new CliError(`${shown} is a folder.`, { fix: 'Name the file that toolpact lock wrote.' });
  try {
    return readLock(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CliError(`Could not read ${shown}: ${why}.`, { fix: 'toolpact lock writes a new one.', cause: thrown });
  }
}

function diffText(changes: readonly ToolChange[], paint: Paint): string {
  if (changes.length === 0) return 'Nothing changed.\n';
  const breaking = changes.filter(({ level }) => level === 'breaking').length;
  const sum =
    breaking === 0 ? paint('good', 'No breaking changes.') : paint('bad', `${breaking} of ${changes.length} changes break callers.`);
  return `${changesText(changes, paint)}\n\n${sum}\n`;
}
