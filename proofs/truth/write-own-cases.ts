// Runs the cases of proofs/library-errors once more and stores what was thrown: npm run truth -- --capture
import '../../scripts/resolve-source.ts';
import { writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { kindsOf } from '../library-errors/error-case.ts';
import { runCases } from '../library-errors/run-cases.ts';
import { type StoredCase, usualRetryable } from './corpus.ts';
import { type Stored, storeError } from './stored-error.ts';

// The imports of the cases resolve only after the line above has run.
const { allCases } = await import('../library-errors/all-cases.ts');
const folders = [dirname(process.execPath), process.cwd(), tmpdir(), homedir()];
const results = await runCases(allCases, (thrown) => ({ now: Date.now(), error: storeError(thrown, withoutFolders) }));
const stored: StoredCase[] = [];
for (const [{ library, id, expect }, result] of results) {
  if (!result.threw) continue;
  const kinds = kindsOf(expect);
  const retryable = expect.retryable ?? usualRetryable(kinds);
  const { now, error } = result.answer as { now: number; error: Stored };
  stored.push({
    library,
    id,
    now,
    kinds,
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(expect.status === undefined ? {} : { status: expect.status }),
    ...(expect.retryAfterMs === undefined ? {} : { retryAfterMs: [expect.retryAfterMs] }),
    error,
  });
}
const lines = stored.map((entry) => JSON.stringify(entry));
writeFileSync(new URL('libraries/01-libraries-of-our-tests.jsonl', import.meta.url), `${lines.join('\n')}\n`);
console.log(`stored ${stored.length} of ${allCases.length} errors`);
process.exit(0);

function withoutFolders(text: string): string {
  return folders.reduce((rest, folder) => rest.replaceAll(folder, '/app'), text);
}
