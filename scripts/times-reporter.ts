import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes what the test command says about a run of vitest: how many tests passed, failed and were skipped, and the time of each test file. */
export function timesReporter(output: string): Reporter {
  return {
    onTestRunEnd(modules) {
      const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
      const count = (wanted: string): number => states.filter((state) => state === wanted).length;
      const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') + count('pending') };
      writeFileSync(output, JSON.stringify({ ...counts, files: modules.map(timesOf) }));
    },
  };
}

function timesOf(module: TestModule): { readonly file: string; readonly loadingMs: number; readonly testsMs: number } {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  const loadingMs = prepareDuration + environmentSetupDuration + setupDuration + collectDuration;
  return { file: relative(process.cwd(), module.moduleId), loadingMs: Math.round(loadingMs), testsMs: Math.round(duration) };
}
