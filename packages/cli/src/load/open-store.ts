import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ToolpactError } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { defaultRedactor, withTimeLimit } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import { makeFolder } from './make-folder.ts';

/** A store that cannot be closed, such as one whose server is frozen, must not keep a process that was told to stop. */
const closeMs = 5_000;

/** Opens the store a setting names: `memory`, a `postgres://` address, or a SQLite file, whose folder is made. Closing it takes 5 s at most. */
export async function openStore(where: string, cwd: string): Promise<Store> {
  return closeInTime(await openNamed(where, cwd));
}

/** Returns a store whose `close` ends in any case. */
export function closeInTime(store: Store): Store {
  return { ...store, close: () => withTimeLimit(store.close(), { ms: closeMs, onLate: () => undefined }) };
}

/** Checks whether a setting names a SQLite file that is not there yet. */
export function isMissingFile(where: string, cwd: string): boolean {
  return where !== 'memory' && !isAddress.test(where) && !existsSync(resolve(cwd, where));
}

const isAddress = /^[a-z][a-z\d+.-]+:\/\//i;

async function openNamed(where: string, cwd: string): Promise<Store> {
  if (where === 'memory') return (await import('toolpact/stores/memory')).memoryStore();
  if (/^postgres(ql)?:\/\//i.test(where)) return openPostgres(where);
  if (isAddress.test(where)) {
    throw new CliError(`There is no store for ${where.slice(0, where.indexOf(':'))} addresses.`, {
      fix: 'Use a file name, a postgres:// address, or memory.',
    });
  }
  const path = resolve(cwd, where);
  try {
    makeFolder(dirname(path));
    return (await import('toolpact/stores/sqlite')).sqliteStore({ path });
  } catch (error) {
    throw new CliError(`The store ${where} cannot be used: ${messageOf(error)}`, {
      fix: 'Name another file (--store), or go without one (--store memory).',
      cause: error,
    });
  }
}

async function openPostgres(connectionString: string): Promise<Store> {
  const store = (await import('toolpact/stores/postgres')).postgresStore(connectionString);
  try {
    await store.get({ space: 'start', tenant: 'start', key: 'start' });
    return store;
  } catch (error) {
    await closeInTime(store)
      .close()
      .catch(() => undefined);
    if (error instanceof ToolpactError && error.code === 'missing_package')
      throw new CliError('The PostgreSQL store needs the package pg.', { fix: 'npm install pg', cause: error });
    throw new CliError(`The PostgreSQL store cannot be used: ${messageOf(error)}`, {
      fix: 'Check the address and that the server runs; or use --store memory.',
      cause: error,
    });
  }
}

function messageOf(error: unknown): string {
  return defaultRedactor.text(error instanceof Error ? error.message || error.name : String(error));
}
