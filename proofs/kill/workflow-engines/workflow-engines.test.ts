import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sourceArguments } from '../../fixtures/source-arguments.ts';

/** The engine that proofs/peers has. */
const engine = 'dbos';

test('a step of DBOS pays once, retries a refusal, and reports a payment whose answer was lost or whose process was killed', {
  timeout: 120_000,
}, async () => {
  const program = fileURLToPath(new URL('prove-workflow-engines.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...sourceArguments, program, '--only', engine]);
  expect(stdout).toContain('nothing was paid twice, and what is not known was said');
});
