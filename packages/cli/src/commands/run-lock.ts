import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { lockTools, readLock } from '@toolpact/testing';
import { CliError, cannotWrite } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from './command.ts';
import { openSubject } from './open-subject.ts';

/** Where the promises of tools are kept. */
export const lockFile = 'toolpact.lock.json';

/** Writes down what tools promise now. */
export async function runLock(given: Given): Promise<number> {
  const { terminal, flags } = given;
  const opened = await openSubject(given);
  try {
    const lock = await lockTools(opened.subject);
    const path = resolve(terminal.cwd, (flags.get('lock') as string | undefined) ?? lockFile);
    if (flags.get('lock') !== undefined) checkIsLock(path, terminal.cwd);
    try {
      writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
    } catch (thrown) {
      throw cannotWrite(path, thrown);
    }
    const count = Object.keys(lock.tools).length;
    terminal.say(`${terminal.paint('good', 'wrote')} ${relative(terminal.cwd, path)} with ${count} ${count === 1 ? 'tool' : 'tools'}\n`);
    return exitCodes.done;
  } finally {
    await opened.close().catch(() => undefined);
  }
}

/** Throws if there is something else at the path, such as a package.json: it would be lost. */
function checkIsLock(path: string, cwd: string): void {
  if (!existsSync(path) || statSync(path).isDirectory()) return;
  try {
    readLock(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    throw new CliError(`${relative(cwd, path)} is not a lock file, so it was not overwritten.`, {
      fix: 'Name another file, or delete this one.',
      cause: thrown,
    });
  }
}
