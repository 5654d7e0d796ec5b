// The whole test command: lanes side by side, one line per step, everything a failing step printed, one line of totals.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale, buildQuietly } from './build.mjs';
import { checkTestTypes } from './check-test-types.mjs';
import { ensurePeers } from './peers.mjs';
import { nodeArguments, peerToolArguments, root, runCaptured, runInherited, toolArguments } from './run-step.mjs';

const installed = 'install peers';
const packed = 'pack';

/** A step's `run` resolves to `{ code, output }` and may add `passed` and `failed` counts of tests. A type error stops nothing: dist is written all the same. */
const lanes = {
  1: [
    { name: 'format', run: () => tool('@biomejs/biome', 'biome', 'check', '--error-on-warnings', '--diagnostic-level=warn') },
    { name: 'build', run: buildOnce },
    { name: 'types', run: () => tool('typescript', 'tsc', '-p', 'tsconfig.json') },
    { name: 'inspector types', run: () => tool('typescript', 'tsc', '-p', 'packages/inspector/tsconfig.json') },
    { name: 'core types', run: () => tool('typescript', 'tsc', '-p', 'tsconfig.core.json') },
    { name: 'unit tests', run: () => vitest(['unit']) },
    {
      name: 'examples',
      run: () =>
        runAll(
          readdirSync(join(root, 'examples'), { withFileTypes: true }).flatMap((entry) =>
            entry.isDirectory() ? storiesIn(join('examples', entry.name)).filter((file) => file.endsWith('main.ts')) : [],
          ),
        ),
    },
  ],
  2: [
    { name: installed, run: installOnce },
    { name: 'build', run: buildOnce },
    { name: 'test types', needs: installed, run: checkTestTypes },
    {
      name: 'stories',
      needs: installed,
      run: () => runAll(storiesIn('examples/adapters'), ['--import', join(root, 'scripts/resolve-peers.ts')]),
    },
    { name: packed, needs: installed, run: packOnce },
    // Three workers: this step takes longest, the other lanes end long before it, and many of its tests wait for other processes.
    { name: 'peer tests', needs: installed, run: () => vitest(['peers', 'alone'], '--maxWorkers=3') },
  ],
  3: [
    { name: installed, run: installOnce },
    { name: 'build', run: buildOnce },
    {
      name: 'simulation',
      run: () => runCaptured(process.execPath, [...nodeArguments, 'proofs/simulation/simulate.ts', '--for', '30', '--threads', '1']),
    },
    { name: 'oxlint', needs: installed, run: () => peerTool('oxlint', 'oxlint', '--type-aware', '--deny-warnings') },
    { name: 'knip', needs: installed, run: () => peerTool('knip', 'knip', '--no-progress', '--no-config-hints') },
    { name: packed, needs: installed, run: packOnce },
    { name: 'publint', needs: packed, run: () => forEachArchive((archive) => peerTool('publint', 'publint', 'run', '--strict', archive)) },
    {
      name: 'attw',
      needs: packed,
      run: () => forEachArchive((archive) => peerTool('@arethetypeswrong/cli', 'attw', archive, '--profile', 'esm-only')),
    },
  ],
};

/** Runs all lanes, one of them (`--lane 1`), or vitest alone with the words given; returns the exit code. */
export async function test(words) {
  const lane = words[0] === '--lane' ? lanes[words[1]] : undefined;
  if (words.length > 0 && !lane) return (await buildIfStale()) || runInherited(toolArguments('vitest', 'vitest', 'run', ...words));
  keepCompiled();
  shareFolder();
  const startedAt = performance.now();
  console.log(`Node ${process.versions.node}\n`);
  const results = await (lane ? runLane(words[1]) : runAllLanes());
  const distinct = new Map(results.map((result) => [result.name, result]));
  return report([...distinct.values()], (performance.now() - startedAt) / 1000);
}

/** Lets every Node of this run keep what it compiled for those after it: many live for a moment, most of which is to read the same files. Each run begins with nothing kept. */
function keepCompiled() {
  const folder = join(root, '.cache/compiled');
  rmSync(folder, { recursive: true, force: true });
  process.env.NODE_COMPILE_CACHE = folder;
}

/** Gives the tests of this run a folder for what several of them need, and only one has to make. */
function shareFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.TEST_SHARED = folder;
}

/** Runs lane 3 after lane 1, because lane 2 takes as long as both. */
async function runAllLanes() {
  const [first, second] = await Promise.all([runLane(1).then(async (results) => [...results, ...(await runLane(3))]), runLane(2)]);
  return [...first, ...second];
}

async function runLane(number) {
  const results = [];
  for (const { name, needs, run } of lanes[number]) {
    const broken = results.find((result) => result.code !== 0 && result.name === needs);
    const startedAt = performance.now();
    const result = broken
      ? { code: 1, output: `not run, because "${broken.name}" failed\n` }
      : await Promise.resolve()
          .then(run)
          .catch((error) => ({ code: 1, output: `${error.stack}\n` }));
    const seconds = (performance.now() - startedAt) / 1000;
    results.push({ name, seconds, ...result });
    printStep(number, name, seconds, result);
  }
  return results;
}

function printStep(lane, name, seconds, { code, output, processorSeconds }) {
  const processor = processorSeconds === undefined ? '' : `, processor ${processorSeconds.toFixed(1).padStart(6)} s`;
  console.log(`${code === 0 ? '✓' : '✗'} lane ${lane}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s${processor}`);
  if (code !== 0) return console.log(`${output.trimEnd().replace(/^/gm, '    ')}\n`);
  const summary = output.match(/^ +(Test Files|Tests|Errors) .*$/gm);
  if (summary) console.log(summary.map((line) => `    ${line.trim()}`).join('\n'));
}

function report(results, seconds) {
  const isFailed = (result) => result.code !== 0;
  const passed = results.reduce((sum, result) => sum + (result.passed ?? 0), 0);
  const failed = results.reduce((sum, result) => sum + (isFailed(result) ? Math.max(1, result.failed ?? 0) : 0), 0);
  const names = results.filter(isFailed).map((result) => result.name);
  printSlowest(results.flatMap(({ files = [] }) => files));
  console.log(`\ntotal ${minutes(seconds)}`);
  if (names.length > 0) console.log(`failed: ${names.join(', ')}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Names the ten test files that took longest, so that everybody sees where the time goes. */
function printSlowest(files) {
  if (files.length === 0) return;
  const seconds = (ms) => (ms / 1000).toFixed(1).padStart(6);
  const slowest = files.toSorted((a, b) => b.loadingMs + b.testsMs - (a.loadingMs + a.testsMs)).slice(0, 10);
  console.log('\nslowest test files:  loading  tests');
  for (const { file, loadingMs, testsMs } of slowest)
    console.log(`                      ${seconds(loadingMs)} ${seconds(testsMs)} s  ${file}`);
}

function node(words) {
  return runCaptured(process.execPath, words);
}

function tool(...words) {
  return node(toolArguments(...words));
}

function peerTool(...words) {
  return node(peerToolArguments(...words));
}

let installing;
function installOnce() {
  installing ??= ensurePeers();
  return installing;
}

let building;
function buildOnce() {
  building ??= buildQuietly();
  return building;
}

let packing;
/** Packs what was built, once for all tools that judge the packages and for the tests that install them. */
function packOnce() {
  const folder = join(process.env.TEST_SHARED, 'packed');
  packing ??= node([join(root, 'scripts/pack.mjs'), folder]).then((result) => {
    if (result.code === 0) process.env.TEST_PACKED = folder;
    return result;
  });
  return packing;
}

/** Runs a tool on the archive of every package, side by side. */
async function forEachArchive(run) {
  const folder = process.env.TEST_PACKED;
  const packed = JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8'));
  return together(await Promise.all(packed.map(({ archive }) => run(join(folder, archive)))));
}

/** Runs projects of vitest.config.ts. A skipped test is a failure: nobody would notice it. */
async function vitest(projects, ...options) {
  const file = join(root, `.cache/tests-${projects[0]}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(file, { force: true });
  const words = [...projects.flatMap((project) => ['--project', project]), ...options];
  const result = await runCaptured(process.execPath, toolArguments('vitest', 'vitest', 'run', ...words), root, { TEST_TIMES: file });
  if (!existsSync(file)) return { ...result, code: result.code || 1 };
  const { skipped, ...counts } = JSON.parse(readFileSync(file, 'utf8'));
  return skipped === 0
    ? { ...result, ...counts }
    : { ...result, ...counts, code: 1, output: `${result.output}${skipped} tests were skipped\n` };
}

function storiesIn(folder) {
  return readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.ts') ? join(root, folder, name) : []));
}

/** Runs stories side by side; each checks itself. */
async function runAll(stories, words = []) {
  const outcomes = await Promise.all(stories.map((story) => node([...nodeArguments, ...words, story])));
  if (outcomes.length === 0) return { code: 1, output: 'no stories found\n' };
  const named = outcomes.map((outcome, index) =>
    outcome.code === 0 ? outcome : { ...outcome, output: `${stories[index]}\n${outcome.output}` },
  );
  return together(named);
}

/** One result of several programs: what the failed ones printed, and the processor time of all. */
function together(results) {
  const broken = results.filter(({ code }) => code !== 0);
  const processorSeconds = results.reduce((sum, result) => sum + (result.processorSeconds ?? Number.NaN), 0);
  return {
    code: broken.length > 0 ? 1 : 0,
    output: broken.map(({ output }) => output).join('\n'),
    ...(processorSeconds >= 0 && { processorSeconds }),
  };
}

function minutes(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
