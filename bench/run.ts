// The parts of a call, next to the same work by hand: node bench/run.ts [--quick] [--json] [--check] [--only <word>]
import '../scripts/resolve-peers.ts';
import { parseArgs } from 'node:util';
import { failures, successes } from './calls.ts';
import { classifications } from './classifications.ts';
import type { Contestant } from './contestant.ts';
import { measureExit } from './exit.ts';
import type { Chapter, Finding } from './finding.ts';
import { measureInFlight } from './in-flight.ts';
import { measureMemory } from './memory.ts';
import { measureSize } from './size.ts';
import { type Effort, type Timing, timeRounds } from './time-rounds.ts';
import { toTable } from './to-table.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

const effort: Effort = options.quick ? { rounds: 10, roundMs: 10, warmUpMs: 100 } : { rounds: 40, roundMs: 20, warmUpMs: 300 };

const chapters: Chapter[] = [];
await timed('Successful call', async () => [...successes, ...(await import('./peer-calls.ts')).peers].map(inProcess));
await timed('Failing call', async () => failures.map(inProcess));
await timed('Reading an error', async () => classifications);
await timed('Dialects', async () => (await import('./dialects.ts')).dialectCalls);
await measured('Memory, calls at once, exit', [
  ['memory heap', () => measureMemory(options.quick ? 100_000 : 1_000_000)],
  ['in-flight', async () => [await measureInFlight(10_000)]],
  ['exit', async () => [await measureExit(options.quick ? 2 : 5)]],
]);
await measured('Size', [['size imports', measureSize]]);

tell('');
const missed = chapters.flatMap(({ findings }) => findings.filter(({ met }) => met === false));
if (options.json) {
  console.log(
    JSON.stringify({ node: process.versions.node, platform: `${process.platform} ${process.arch}`, effort, chapters }, undefined, 2),
  );
} else {
  console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}; best and median of ${effort.rounds} rounds\n`);
  console.log(toTable(chapters));
  console.log(missed.length === 0 ? '\nAll targets met.' : `\nNOT met: ${missed.map(({ name }) => name).join('; ')}.`);
}
// A report is no check: the machine may be busy. The peers may hold timers of their own, so the end is not waited for.
process.exit(options.check && missed.length > 0 ? 1 : 0);

/** All that these do happens in this process, so its processor time is the whole cost, however busy the machine is. */
function inProcess(contestant: Contestant): Contestant {
  return { ...contestant, alone: true };
}

async function timed(title: string, load: () => Promise<readonly Contestant[]>): Promise<void> {
  const all = await load();
  const chosen = all.filter((contestant) => isChosen(`${title} ${contestant.name}`));
  if (chosen.length === 0) return;
  // The baseline of a chosen one runs, too.
  const needed = new Set(chosen.flatMap(({ name, base }) => [name, base]));
  const contestants = all.filter(({ name }) => needed.has(name));
  const timings = await timeRounds(contestants, effort, (progress) => tell(`${title}: ${progress}`));
  chapters.push({ title, findings: contestants.map((contestant) => toFinding(contestant, timings)) });
}

async function measured(title: string, parts: readonly (readonly [words: string, () => Promise<Finding[]>])[]): Promise<void> {
  const findings: Finding[] = [];
  for (const [words, measure] of parts) {
    if (!isChosen(`${title} ${words}`)) continue;
    tell(`${title}: ${words}`);
    findings.push(...(await measure()));
  }
  if (findings.length > 0) chapters.push({ title, findings });
}

function isChosen(text: string): boolean {
  return options.only === undefined || text.toLowerCase().includes(options.only.toLowerCase());
}

function toFinding({ name, base, atMost }: Contestant, timings: ReadonlyMap<string, Timing>): Finding {
  const { best, median } = timings.get(name) ?? { best: Number.NaN, median: Number.NaN };
  const bare = base === undefined ? undefined : timings.get(base);
  const ratio = bare && best / bare.best;
  return {
    name,
    best,
    median,
    ...(bare && { ratio: best / bare.best, medianRatio: median / bare.median }),
    ...(atMost && 'ratio' in atMost && { target: `≤ ${atMost.ratio} ×`, met: (ratio ?? Number.NaN) <= atMost.ratio }),
    ...(atMost && 'us' in atMost && { target: `≤ ${atMost.us} µs`, met: best <= atMost.us * 1000 }),
  };
}

function tell(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${progress}`);
  else if (progress !== '' && !/round (?!1 )\d+ of/.test(progress)) process.stderr.write(`${progress}\n`);
}
