// Tries every property that tests try a few times with many new cases. Usage: node scripts/run.mjs proof properties [--times 10]
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runVitest } from './run-vitest.ts';

const { values } = parseArgs({ options: { times: { type: 'string' } } });
const root = fileURLToPath(new URL('../', import.meta.url));
const files = globSync(['packages/*/{src,test}/**/*.test.ts', 'proofs/**/*.test.ts'], { cwd: root, exclude: ['**/node_modules'] }).filter(
  (file) => readFileSync(join(root, file), 'utf8').includes('propertyRuns('),
);
// As many cases take as much longer.
process.exitCode = runVitest([...files, '--testTimeout=3600000'], { TEST_PROPERTY_TIMES: String(values.times) });
