import { fileURLToPath } from 'node:url';
import { createToolbox, defineTool } from 'toolpact';
import type { Finding } from './finding.ts';
import { runChild } from './run-child.ts';
import { args, description, input, name, output, search, searchBroken } from './search-stations.ts';

const file = fileURLToPath(import.meta.url);
const marks = [0.1, 0.5, 1] as const;
const maxGrowthMb = 1;

/** Makes calls by the million in a process of their own and compares the heap after a collection at three points. */
export async function measureMemory(calls: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [mode, named] of [
    ['ok', 'successful'],
    ['failing', 'failing'],
  ] as const) {
    const { stdout, code } = await runChild(['--expose-gc', file, mode, String(calls)]);
    const heaps = code === 0 ? (JSON.parse(stdout) as number[]) : [];
    const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN);
    findings.push({
      name: `heap over ${calls.toLocaleString('en')} ${named} calls`,
      found: `${heaps.map((megabytes, index) => `${megabytes.toFixed(2)} MB at ${(marks[index] ?? 0) * 100} %`).join(', ')}`,
      target: `grows ≤ ${maxGrowthMb} MB`,
      met: growth <= maxGrowthMb,
    });
  }
  return findings;
}

/** The child's side: prints the heap in megabytes at each mark. */
async function run(mode: string, calls: number): Promise<void> {
  const isOk = mode === 'ok';
  const tool = defineTool({ name, description, input, output, effects: 'none', run: isOk ? search : searchBroken });
  const toolbox = createToolbox([tool], { report: () => {} });
  const heaps: number[] = [];
  for (let count = 1; count <= calls; count += 1) {
    const outcome = await (count % 2 === 0 ? tool.call(args) : toolbox.call(name, args));
    if ((outcome.status === 'ok') !== isOk) throw new Error(`call ${count} ended as ${outcome.status}`);
    if (!marks.some((mark) => count === Math.round(calls * mark))) continue;
    await new Promise(setImmediate);
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
  }
  console.log(JSON.stringify(heaps));
}

const [, started, mode, calls] = process.argv;
if (started === file && mode !== undefined) await run(mode, Number(calls));
