import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sourceArguments } from '../../fixtures/source-arguments.ts';

/** The engine that proofs/peers has. */
const engine = 'dbos';

test('a step of DBOS pays once, tries a refusal again, and tells of a payment whose answer was lost', () => {
  const program = fileURLToPath(new URL('prove-workflow-engines.ts', import.meta.url));
  const output = execFileSync(process.execPath, [...sourceArguments, program, '--only', engine], { encoding: 'utf8' });
  expect(output).toContain('nothing was paid twice, and what is not known was said');
});
