import { describe, expect, test } from 'vitest';
import { startFixture, startThroughGateway } from './fixture.ts';
import { revisions, runSuite } from './run-suite.ts';

/** Checks that run, and those among them that fail without counting. */
const expected = { '2025-11-25': { passed: 81, failed: 0 }, '2026-07-28': { passed: 196, failed: 0 } };

// At the same time: the suite waits for most of it.
describe.concurrent.each([true, false])('with the fast path: %s', (fastPath) => {
  test.each(revisions)('the official suite passes for %s', { timeout: 120_000 }, async (revision) => {
    const { output, ...report } = await runSuite(revision, () => startFixture({ fastPath }));
    expect(report, output).toEqual({ exitCode: 0, failing: [], ...expected[revision] });
  });
});

/** Tasks are an extension, which does not count: those of servers of the newer era are not passed on. */
const eras = { '2025-11-25': 'legacy', '2026-07-28': 'modern' } as const;

test.concurrent.each(revisions)('the official suite passes through the gateway, for %s', { timeout: 120_000 }, async (revision) => {
  const { output, failing } = await runSuite(revision, () => startThroughGateway(eras[revision]));
  expect(failing, output).toEqual([]);
});
