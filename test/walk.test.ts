import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runNode } from './run-node.ts';

// A process of its own: the test runner would count its own files and change the code that it loads.
test('one call runs through no more source files than are stated', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { code, stdout } = await runNode(['--no-warnings', 'scripts/walk.ts'], { cwd: root });
  const walks = [...stdout.matchAll(/^(\S) (.+?) +(\d+) files \(at most (\d+)\)$/gm)].map(([, mark, name, files, most]) => ({
    name,
    most: Number(most),
    isKept: mark === '✓',
    // Fewer would mean that the call was not traced.
    isTraced: Number(files) > 8,
  }));
  expect(walks).toEqual([
    { name: 'in process', most: 13, isKept: true, isTraced: true },
    { name: 'idempotent, SQLite', most: 26, isKept: true, isTraced: true },
    { name: 'HTTP', most: 24, isKept: true, isTraced: true },
    { name: 'MCP tools/call', most: 32, isKept: true, isTraced: true },
  ]);
  expect(code).toBe(0);
});
