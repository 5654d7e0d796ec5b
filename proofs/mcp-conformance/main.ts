import { startFixture, startThroughGateway } from './fixture.ts';
import { revisions, runSuite } from './run-suite.ts';

/** Runs the official suite against the fixture, each revision with the fast path on and off, and prints what came of it. */

let failed = false;
for (const revision of revisions) {
  for (const fastPath of [true, false]) {
    const { exitCode, passed, failed: wrong, failing, output } = await runSuite(revision, () => startFixture({ fastPath }));
    const verdict = failing.length === 0 ? 'everything that counts passed' : `failing: ${failing.join(', ')}`;
    const others = wrong === 0 ? '' : `, ${wrong} failed`;
    console.log(`${revision}, fast path ${fastPath ? 'on' : 'off'}: ${passed} checks passed${others}; ${verdict}`);
    if (exitCode === 0) continue;
    failed = true;
    console.log(output);
  }
}
for (const [revision, era] of [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'modern'],
] as const) {
  const { passed, failed: wrong, failing } = await runSuite(revision, () => startThroughGateway(era));
  const verdict = failing.length === 0 ? 'everything that counts passed' : `failing: ${failing.join(', ')}`;
  console.log(`${revision}, through the gateway: ${passed} checks passed, ${wrong} failed; ${verdict}`);
}
process.exitCode = failed ? 1 : 0;
