import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packages } from './own-packages.ts';

const root = new URL('../../', import.meta.url);
const ofPackages = readdirSync(new URL('packages/', root)).flatMap((folder) => markdownIn(`packages/${folder}`));
const pages = [...['.', 'docs', 'examples', 'proofs', 'proofs/conformance'].flatMap(markdownIn), ...ofPackages, ...inOrigins()];

test.each(pages)('every link, and every file named, in %s is there', (page) => {
  const text = read(page);
  const links = [...text.matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !leadsSomewhere(link, page))).toEqual([]);
  const files = [...text.matchAll(/`((?:packages|proofs|examples|docs|scripts|bench)\/[\w./-]+)`/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});

test('published pages link to the web only, because nothing lies beside them there', () => {
  const packed = Object.keys(packages).flatMap((folder) => markdownIn(`packages/${folder}`));
  const lost = packed.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)\s]*)\)/g)].map(([, link = '']) => `${page}: ${link}`),
  );
  expect(lost).toEqual([]);
});

test('the README agrees with docs/faults.md about the frameworks', () => {
  const told = [...read('docs/faults.md').matchAll(/^\| [^|]+ \| (\d+)\/4[67] \| \d+\/4[67] \|/gm)].map(([, count]) => Number(count));
  expect(told).toHaveLength(15);
  expect(read('README.md')).toContain(`in ${Math.min(...told)} to ${Math.max(...told)} of them`);
});

test('the README agrees with docs/openapi.md about OpenAPI', () => {
  const rows = [...read('docs/openapi.md').matchAll(/^\| [^|]+ \| `[^|]+ \| (\d+) \| (\d+) /gm)];
  const [operations, tools] = [1, 2].map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0).toLocaleString('en'));
  expect(read('README.md')).toContain(`(${tools} of ${operations} operations of ${rows.length} large public ones`);
});

test('every page is on the site', () => {
  const names = markdownIn('docs').map((page) => page.slice('docs/'.length, -'.md'.length));
  const site = read('site/.vitepress/config.ts');
  expect(names.filter((name) => !site.includes(`'${name}'`))).toEqual([]);
});

function markdownIn(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.md'));
  return names.map((name) => (folder === '.' ? name : `${folder}/${name}`));
}

/** Each origin has a page of its own in its folder. */
function inOrigins(): string[] {
  return ['flat', 'error-type', 'coded', 'value', 'status'].flatMap((name) => markdownIn(`packages/origins/src/${name}`));
}

function read(page: string): string {
  return readFileSync(new URL(page, root), 'utf8');
}

/** Checks that the file exists and, if it is a page, has the heading. */
function leadsSomewhere(link: string, page: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? new URL(page, root) : new URL(path, new URL(page, root));
  if (!existsSync(target)) return false;
  return anchor === undefined || headingsIn(readFileSync(target, 'utf8')).includes(anchor);
}

/** The anchors that Markdown hosts make of headings. */
function headingsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}
