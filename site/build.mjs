// Builds the site: installs what only it needs, writes the reference from the types, then makes the pages. `npm run docs:build` runs it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = dirname(fileURLToPath(import.meta.url));
const root = join(site, '..');
const wrappers = join(root, '.cache/reference');
// Beside the packages of the site, because pages import them.
const pages = join(site, 'pages');
const reference = join(pages, 'reference');
/** The entries that users import, by the name of their page: `server/node` for `@toolpact/server/node`. */
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
const entries = Object.entries(paths)
  .filter(([specifier]) => specifier !== 'toolpact/internal')
  .map(([specifier, [source]]) => [specifier.replace('@toolpact/', ''), source]);

if (!existsSync(join(site, 'node_modules/vitepress'))) run('npm', ['install', '--no-audit', '--no-fund']);
cpSync(join(root, 'docs'), fresh(pages), { recursive: true });
writeReference();
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build']);
giveReferenceToAgents(join(site, 'dist'));
checkAnchors(join(site, 'dist'));

/** Writes one page per entry of the packages. TypeDoc names a page after its file, so each entry gets a file of its name. */
function writeReference() {
  fresh(wrappers);
  for (const [name, source] of entries) {
    const file = join(wrappers, `${name}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    const path = relative(dirname(file), join(root, source));
    writeFileSync(file, `export * from '${path.replaceAll('\\', '/')}';\n`);
  }
  writeFileSync(
    join(wrappers, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['.'], compilerOptions: { types: ['node'] } }),
  );
  run(process.execPath, [
    'node_modules/typedoc/bin/typedoc',
    '--options',
    'typedoc.json',
    ...entries.flatMap(([name]) => ['--entryPoints', join(wrappers, `${name}.ts`)]),
  ]);
  rmSync(join(reference, 'README.md'), { force: true });
  for (const file of readdirSync(reference, { recursive: true }).filter((name) => name.endsWith('.md')))
    finishPage(join(reference, file), file);
}

/** Gives a page the name that users import, and writes types so that the site does not take them for HTML. */
function finishPage(path, file) {
  const entry = file.replaceAll('\\', '/').replace(/\.md$/, '');
  const text = readFileSync(path, 'utf8')
    .replace(/^[\s\S]*?(?=^# )/m, '')
    .replace(/^# .*$/m, `# ${specifierOf(entry)}`);
  writeFileSync(path, withoutCounts(text));
}

/** Gives the specifier that users import, by the name of its page. */
function specifierOf(name) {
  return /^toolpact(\/|$)/.test(name) ? name : `@toolpact/${name}`;
}

/** Repairs links that TypeDoc numbers as if their heading stood on the page more than once. */
function withoutCounts(text) {
  const seen = new Map();
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const slug = heading.toLowerCase().replace(/[^\w-]/g, '');
    seen.set(slug, (seen.get(slug) ?? 0) + 1);
  }
  return text.replace(/\(#([\w-]+)-(\d+)\)/g, (link, slug, count) => (seen.get(slug) === 1 && Number(count) > 0 ? `(#${slug})` : link));
}

/** Puts the Markdown of the reference beside its pages and names it in llms.txt. The file with all pages is long enough without it. */
function giveReferenceToAgents(dist) {
  const names = readdirSync(reference, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  for (const name of names) cpSync(join(reference, name), join(dist, 'reference', name));
  const lines = names.map((name) => `- [${specifierOf(name.slice(0, -'.md'.length))}](/reference/${name})`);
  const listed = join(dist, 'llms.txt');
  const text = readFileSync(listed, 'utf8').replace(/\]\(\/([\w-]+)\.md\)$/gm, (link, page) => `${link}: ${aboutPage(page)}`);
  writeFileSync(listed, `${text}\n### Functions and types\n\n${lines.join('\n')}\n`);
}

/** Gives the words with which docs/index.md introduces a page. */
function aboutPage(page) {
  const row = readFileSync(join(root, 'docs/index.md'), 'utf8')
    .split('\n')
    .find((line) => line.includes(`](${page}.md)`));
  if (row === undefined) throw new Error(`docs/index.md does not introduce ${page}.md.`);
  return row.split(' | ').at(-1).replace(/ \|$/, '');
}

/** Fails for a link to a heading that does not exist. VitePress itself only looks for the pages. */
function checkAnchors(dist) {
  const pages = new Map(
    readdirSync(dist, { recursive: true })
      .filter((name) => name.endsWith('.html'))
      .map((name) => [`/${name.replaceAll('\\', '/').replace(/(index)?\.html$/, '')}`, readFileSync(join(dist, name), 'utf8')]),
  );
  const dead = [...pages].flatMap(([from, html]) =>
    [...html.matchAll(/<a [^>]*href="((?!https?:)[^"]*#[^"]+)"/g)].flatMap(([, link]) => {
      const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${from}`);
      const target = pages.get(pathname);
      return target === undefined || target.includes(` id="${decodeURIComponent(hash.slice(1))}"`) ? [] : [`${from}: ${link}`];
    }),
  );
  if (dead.length === 0) return;
  console.error(`Links to headings that do not exist:\n${[...new Set(dead)].join('\n')}`);
  process.exit(1);
}

function fresh(folder) {
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

function run(command, words) {
  const { status } = spawnSync(command, words, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' });
  if (status !== 0) process.exit(status ?? 1);
}
