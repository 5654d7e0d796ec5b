// Runs the checks of a server at an address, or, given a file for SQLite, those of the runtime itself, and prints the results as JSON.
import process from 'node:process';
import { checks, payTwice, runChecks } from './inside.ts';
import { checksOf } from './outside.ts';

const target = process.argv[2] ?? '';
const sqlite = async (): Promise<void> => {
  const { sqliteStore } = await import('toolpact/stores/sqlite');
  await payTwice(sqliteStore(target));
};
const results = await runChecks(target.startsWith('http') ? checksOf(target) : { ...checks, 'SQLite store': sqlite });
console.log(JSON.stringify(results));
process.exit();
