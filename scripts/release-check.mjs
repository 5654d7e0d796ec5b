// The checklist of a release: npm run release:check [-- --only tests,proofs]. It changes nothing and publishes nothing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { pack } from './pack.mjs';
import { publicPackages } from './public-packages.mjs';
import { root, runInherited } from './run-step.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
const task = (...words) => (runInherited([join(root, 'scripts/run.mjs'), ...words]) === 0 ? [] : [`npm run ${words.join(' ')} failed`]);
const { version } = JSON.parse(read('package.json'));

/** In the order in which they are worth knowing. Each returns what is wrong, one line each. */
const checks = {
  commit: {
    about: 'everything is committed',
    run: () => (git('status', '--porcelain') === '' ? [] : ['there are changes that no commit has']),
  },
  version: { about: 'all packages have one version, which is new and has its section in CHANGELOG.md', run: checkVersion },
  changesets: { about: 'every changeset has become a line in a changelog', run: checkChangesets },
  tests: { about: 'the test command', run: () => task('test') },
  proofs: { about: 'docs/proofs.md has a result of every proof since the last release', run: checkProofs },
  report: { about: 'sizes, names and lines beside those of the last release, to be read', run: () => task('report') },
  pack: { about: 'what npm gets: licences, types, no source', run: checkPacked },
  installs: { about: 'the packed files in fresh projects, alone and beside each framework', run: () => task('proof', 'installs') },
};

/** Runs the checklist; gives the exit code. */
export async function checkRelease(words) {
  const { values } = parseArgs({ args: words, options: { only: { type: 'string' } } });
  const names = values.only?.split(',') ?? Object.keys(checks);
  const unknown = names.filter((name) => !Object.hasOwn(checks, name));
  if (unknown.length > 0) {
    console.error(`There is no check "${unknown[0]}". The checks are ${Object.keys(checks).join(', ')}.`);
    return 1;
  }
  const lines = [];
  let failures = 0;
  for (const name of names) {
    const { about, run } = checks[name];
    console.log(`${name}: ${about}`);
    const problems = await run();
    failures += problems.length;
    lines.push(`${problems.length === 0 ? '✓' : '✗'} ${name.padEnd(10)} ${about}`, ...problems.map((problem) => `    ${problem}`));
  }
  console.log(`\n${lines.join('\n')}\n`);
  const isWhole = names.length === Object.keys(checks).length;
  if (failures > 0) console.log(`${version} cannot be released yet.`);
  else console.log(isWhole ? `Ready: git tag v${version} && git push origin v${version}` : 'What was checked is in order.');
  return failures === 0 ? 0 : 1;
}

function checkVersion() {
  const names = new Set(publicPackages().map(({ manifest }) => manifest.name));
  const problems = publicPackages().flatMap(({ folder, manifest }) => [
    ...(manifest.version === version ? [] : [`${folder} has version ${manifest.version}, not ${version}`]),
    ...Object.entries(manifest.dependencies ?? {})
      .filter(([name, wanted]) => names.has(name) && wanted !== version)
      .map(([name, wanted]) => `${folder} depends on ${name} ${wanted}, not ${version}`),
  ]);
  if (!new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm').test(read('CHANGELOG.md')))
    problems.push(`CHANGELOG.md has no section ${version}`);
  if (git('tag', '--list', `v${version}`) !== '') problems.push(`v${version} is tagged already`);
  return problems;
}

function checkChangesets() {
  const left = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return left.map((file) => `.changeset/${file} is left: npx @changesets/cli@3.0.3 version`);
}

async function checkProofs() {
  // Not for the Node of the host, which may be too old for TypeScript.
  const { staleProofs } = await import('./stale-proofs.ts');
  return staleProofs(read('docs/proofs.md'), new Date(JSON.parse(read('scripts/last-release.json')).date));
}

async function checkPacked() {
  if ((await build()) !== 0) return ['the build has errors'];
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-release-'));
  try {
    return pack(folder).flatMap(({ name, files, archiveBytes }) => {
      console.log(`  ${name}: ${files.length} files, ${Math.round(archiveBytes / 1000)} kB`);
      const wanted = ['package.json', 'README.md', 'LICENSE', ...(name === '@toolpact/server' ? ['dist/third-party-licenses.txt'] : [])];
      return [
        ...wanted.filter((file) => !files.includes(file)).map((file) => `${name} lacks ${file}`),
        ...files.filter((file) => /^(?:src|test)\/|\.test\.|\.map$/.test(file)).map((file) => `${name} brings ${file}`),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
