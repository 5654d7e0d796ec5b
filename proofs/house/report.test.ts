import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import lastRelease from '../../scripts/last-release.json' with { type: 'json' };
import { runNode } from '../fixtures/run-node.ts';
import { sourceArguments } from '../fixtures/source-arguments.ts';

// A process of its own: the test runner would change the code whose calls are traced.
test('the report shows every number beside that of the last release', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { code, stdout } = await runNode([...sourceArguments, 'scripts/report.ts', '--files', '--starts', '1'], { cwd: root });
  const [table = '', ...walks] = stdout.split('\n\n');
  const names = [...table.matchAll(/^(.+?) +([\d,]+) +([\d,]+) +[-+]?[\d,]+/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(lastRelease.figures));
  expect(walks.map((walk) => walk.split('\n')[0])).toEqual(['in process', 'idempotent, SQLite', 'HTTP', 'MCP tools/call']);
  for (const walk of walks) expect(walk).toContain('\n  toolpact/src/runtime/call-tool.ts\n');
  expect(code).toBe(0);
});
