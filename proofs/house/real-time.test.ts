import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pathOf } from './own-packages.ts';

/** Files and folders that use real time, and why they must. */
const waitsForReal: Readonly<Record<string, string>> = {
  'packages/toolpact/src/guards/contain-strays.test.ts': 'starts programs of its own, and these set timers',
  'packages/toolpact/test/adapters/providers/scripted-server.ts': 'breaks a connection after its other end has read, which nothing reports',
  'proofs/battery/': 'makes real runs of frameworks, which have no clock to inject',
  'packages/toolpact/test/calls/long-toolbox.ts': 'runs in processes that are killed meanwhile',
  'packages/cli/test/start-process.ts': 'ends a process that hangs',
  'proofs/conformance/field-probe.ts': 'cancels a request to a server of others after it was sent',
  'proofs/crash/': 'stops and kills real processes, for longer than real leases',
  'packages/restate/test/crash-tool.ts': 'runs in workers that are killed meanwhile',
  'packages/toolpact/test/faults.test.ts': 'shows what the fetch of the platform throws when a timer of the platform stops it',
  'proofs/fleet/': 'kills and restarts real processes',
  'proofs/library-errors/': 'shows what libraries throw when their own timers end a request',
  'proofs/mcp-conformance/': 'serves the tools that the official suite describes, with their waits',
  'proofs/': 'holds a real server under load for a stated time',
  'proofs/fixtures/rerun-cases.ts': 'asks the call to sleep, on the clock of each test that uses it',
  'proofs/fixtures/skip-time.ts': 'sets the timers of the clock that it gives to tests',
  'packages/server/test/mcp-stdio-program.ts': 'runs as a process of its own, whose work is cancelled meanwhile',
  'packages/toolpact/test/telemetry/scenarios.ts': 'lets one turn of the loop pass between two spans',
};

describe('tests wait for events and not for time', () => {
  const usesReal = (text: string): boolean => {
    // A tool of a test may sleep, by the clock of a whole file; a fake clock in one of its tests says nothing of the others.
    const hasOwnClock = /\bskipTime\(\)|^before(?:All|Each)\(.*useFakeTimers\(/m.test(text);
    const sleeps = /(?<![.\w])sleep\(/.test(text) && !hasOwnClock;
    return sleeps || /(?<![.\w])set(?:Timeout|Interval)\(|node:timers\/promises|AbortSignal\.timeout\(/.test(text);
  };
  const isExcepted = (file: string): boolean => Object.keys(waitsForReal).some((place) => file.startsWith(place));
  const check = (file: string, text: string): boolean => !isExcepted(file) && usesReal(text);
  test('in src and test, helpers included', () => {
    expect(
      testFiles()
        .filter(([file, text]) => check(file, text))
        .map(([file]) => file),
    ).toEqual([]);
  });
  test('and every exception is needed', () => {
    const real = testFiles().filter(([, text]) => usesReal(text));
    expect(Object.keys(waitsForReal).filter((place) => !real.some(([file]) => file.startsWith(place)))).toEqual([]);
  });
  test.each([
    ['await new Promise((resolve) => setTimeout(resolve, 5));', true],
    ['await sleep(5);', true],
    ["import { setTimeout } from 'node:timers/promises';", true],
    ['call({ signal: AbortSignal.timeout(5) });', true],
    ['skipTime(); call({ signal: AbortSignal.timeout(5) });', true],
    ['skipTime(); await sleep(5);', false],
    ['skipTime(); await takes(5);', false],
    ['skipTime(); setTimeout(run, 5);', true],
    ['  vi.useFakeTimers(); await sleep(5);', true],
    ['beforeEach(() => void vi.useFakeTimers()); await sleep(5);', false],
    ['await box.wait(handle); await nextTurn();', false],
  ])('%s is refused: %s', (text, isRefused) => expect(check('src/a.test.ts', text)).toBe(isRefused));
});

/** All test files with their text, by path below the repository. This one names what it refuses. */
function testFiles(): [file: string, text: string][] {
  return globSync(['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.ts', 'proofs/**/*.ts'], {
    cwd: pathOf('.'),
    exclude: ['**/node_modules'],
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== 'proofs/house/real-time.test.ts')
    .map((file): [string, string] => [file, readFileSync(pathOf(file), 'utf8')]);
}
