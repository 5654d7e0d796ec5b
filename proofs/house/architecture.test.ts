import { globSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

/** Source text by path below src. */
type Tree = Readonly<Record<string, string>>;
type Node = { readonly type: string; readonly [key: string]: unknown };
type Rule = (tree: Tree) => string[];

const rings = ['core', 'parts', 'edges', 'apps'];
const coreOrder: Readonly<Record<string, readonly string[]>> = {
  'core/json': [],
  'core/time': [],
  'core/outcome': ['core/json', 'core/time'],
  'core/contract': ['core/json', 'core/time', 'core/outcome'],
  'core/events': ['core/json', 'core/time', 'core/outcome'],
  'core/ports': ['core/json', 'core/time', 'core/outcome', 'core/contract', 'core/events'],
  'core/runtime': ['core/json', 'core/time', 'core/outcome', 'core/contract', 'core/events', 'core/ports'],
  'core/dialects': ['core/json', 'core/time', 'core/outcome', 'core/contract', 'core/events'],
};
/** Folders that may see less than their ring allows. */
const narrowed: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['core/outcome', 'core/contract', 'core/runtime'],
  'extend.ts': ['core/outcome', 'core/dialects', 'core/ports', 'core/runtime', 'edges/conformance'],
  'apps/inspector': ['core/outcome', 'core/contract', 'core/events', 'core/ports'],
};
const bannedNames = ['utils', 'helpers', 'common', 'shared', 'types', 'misc'];
const hostGlobals = ['process', 'Buffer', 'require'];
/** Files that read the messages of others, because these carry nothing else to tell their errors apart. */
const readsForeignMessages: readonly string[] = [
  'apps/cli/main.ts',
  'apps/cli/load/explain-load-error.ts',
  'apps/cli/load/import-file.ts',
  'core/contract/explain-issues.ts',
  'edges/adapters/genkit/thrown-by-genkit.ts',
  'edges/adapters/langchain/failure.ts',
  'edges/adapters/mastra/refused-values.ts',
  'edges/adapters/mcp/client-error.ts',
  'edges/adapters/providers/prompt-evaluation-error.ts',
  'edges/packs/sandbox/documents/index-file.ts',
];
/** Files that throw a plain `TypeError`, and why it is not a mistake that an author reads. */
const throwsTypeErrors: Readonly<Record<string, string>> = {
  'core/runtime/guards/guard-call.ts': 'becomes the outcome of a call',
  'core/runtime/guards/run-guards.ts': 'becomes the outcome of a call',
  'core/runtime/to-outcome.ts': 'becomes the outcome of a call',
  'edges/adapters/mcp/from-mcp.ts': 'the other side broke its protocol',
  'edges/adapters/mcp/tool-names.ts': 'the other side broke its protocol',
  'edges/client/exchange.ts': 'the other side broke its protocol',
  'edges/conformance/faults/faulty-fetch.ts': 'imitates what the platform throws',
  'edges/conformance/tools/generate/generate-text.ts': 'is caught by its caller',
  'edges/conformance/tools/tool-trial.ts': 'becomes a finding of a check',
  'edges/server/mcp/servers.ts': 'would be a mistake of ours',
  'parts/resources/config.ts': 'is caught by its caller',
  'parts/sessions/session-saver.ts': 'the store holds something that cannot be read',
  'parts/sessions/session-slices.ts': 'the snapshot holds something that cannot be read',
};
/** Verbs that an export may have besides the words of its file: `create-server.ts` and `server.ts` both fit `createServer`. */
const commonVerbs = ['create', 'define', 'to', 'from', 'is', 'check', 'read', 'make', 'get', 'run', 'of', 'by'];

/** Files of other folders that may be imported besides each folder's index: those with their own sub-path. */
const publicFiles = JSON.stringify(packageJson.exports)
  .match(/dist\/[^"]+(?=\.js")/g)
  ?.map((file) => file.replace('dist/', '').concat('.ts'));

const rules = {
  'imports go from an outer ring to an inner one, never upward and never to a neighbour': (tree) =>
    imports(tree).flatMap(({ from, to }) => (to === undefined || mayImport(folderOf(from), folderOf(to)) ? [] : `${from} imports ${to}`)),
  "another folder is entered through its index or a file with its own sub-path, one's own folder never through its index": (tree) =>
    imports(tree).flatMap(({ from, to }) => {
      if (to === undefined) return [];
      const isEntry = to === `${folderOf(to)}/index.ts`;
      const isAllowed = folderOf(from) === folderOf(to) ? !isEntry : isEntry || publicFiles?.includes(to);
      return isAllowed ? [] : `${from} imports ${to}`;
    }),
  'files do not import each other in a circle': findCycles,
  'core imports neither a dependency nor a part of Node': (tree) =>
    imports(tree).flatMap(({ from, specifier, to }) =>
      from.startsWith('core/') && to === undefined ? `${from} imports ${specifier}` : [],
    ),
  "core uses none of Node's globals": (tree) =>
    sources(tree).flatMap((file) => (file.startsWith('core/') ? globalsIn(parse(tree, file)).map((name) => `${file} uses ${name}`) : [])),
  'no file or folder has a name that says nothing': (tree) =>
    Object.keys(tree).filter((file) => file.split('/').some((part) => bannedNames.includes(part.replace(/\..*/, '')))),
  'files and folders are named in kebab-case': (tree) =>
    Object.keys(tree).filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test|\.test-d)?\.tsx?$/.test(file)),
  'a file that exports one value is named after it, or after its type': (tree) =>
    sources(tree).flatMap((file) => {
      const [values, types] = exportsOf(parse(tree, file));
      if (values.length !== 1 || file.endsWith('index.ts')) return [];
      const own = posix.basename(file).replace(/\..*/, '');
      return [...values, ...types].some((name) => fitsName(own, name)) ? [] : `${file} exports ${values[0]}`;
    }),
  'no file cuts, searches or compares a message': (tree) =>
    sources(tree).flatMap((file) => {
      const isRead =
        /\bmessage\)?\.(?:replace|replaceAll|includes|startsWith|endsWith|match|split|indexOf|search)\(|\.test\([^()]*message\)/;
      return isRead.test(tree[file] ?? '') && !readsForeignMessages.includes(file) ? [file] : [];
    }),
  'timers are set through core/time': (tree) =>
    sources(tree).filter((file) => {
      const mayBeOwn = file.startsWith('core/time/') || file.startsWith('apps/inspector/');
      return !mayBeOwn && /(?<![.\w])set(?:Timeout|Interval)\(|node:timers/.test(tree[file] ?? '');
    }),
  'mistakes of authors are reported as a ToolpactError with a code': (tree) =>
    sources(tree).filter((file) => /\bnew TypeError\(/.test(tree[file] ?? '') && throwsTypeErrors[file] === undefined),
  'nothing is exported as default': (tree) =>
    sources(tree).filter((file) =>
      nodesOf(parse(tree, file)).some(
        (node) => node.type === 'ExportDefaultDeclaration' || (node.type === 'ExportSpecifier' && nameOf(node.exported) === 'default'),
      ),
    ),
  'there are no enums': (tree) =>
    sources(tree).filter((file) => nodesOf(parse(tree, file)).some((node) => node.type === 'TSEnumDeclaration')),
} satisfies Record<string, Rule>;

/** For each rule, trees that break it in one way each. */
const broken: Readonly<Record<string, readonly Tree[]>> = {
  'imports go from an outer ring to an inner one, never upward and never to a neighbour': [
    { 'core/json/a.ts': "import type { B } from '../outcome/index.ts'" },
    { 'core/json/a.ts': "import { b } from '../time/index.ts'" },
    { 'core/time/a.ts': "import { b } from '../json/index.ts'" },
    { 'core/outcome/a.ts': "import { b } from '../contract/index.ts'" },
    { 'core/contract/a.ts': "import type { B } from '../events/index.ts'" },
    { 'core/events/a.ts': "export { b } from '../contract/index.ts'" },
    { 'core/ports/a.ts': "import type { B } from '../runtime/index.ts'" },
    { 'core/dialects/a.ts': "import type { B } from '../ports/index.ts'" },
    { 'core/runtime/a.ts': "export * from '../dialects/index.ts'" },
    { 'core/dialects/a.ts': "const b = await import('../runtime/index.ts')" },
    { 'core/runtime/a.ts': "type B = import('../../parts/guards/index.ts').B" },
    { 'core/runtime/a.ts': "import { b } from '../../index.ts'" },
    { 'parts/guards/a.ts': "import { b } from '../stores/index.ts'" },
    { 'parts/guards/a.ts': "import { b } from '../../edges/server/index.ts'" },
    { 'edges/server/a.ts': "import { b } from '../client/index.ts'" },
    { 'apps/inspector/a.ts': "import { b } from '../../edges/server/index.ts'" },
    { 'index.ts': "export { b } from './parts/guards/index.ts'" },
    { 'extend.ts': "export { b } from './parts/stores/index.ts'" },
    { 'core/runtime/a.ts': "import { b } from '../../extend.ts'" },
  ],
  "another folder is entered through its index or a file with its own sub-path, one's own folder never through its index": [
    { 'core/runtime/a.ts': "import { b } from '../outcome/b.ts'" },
    { 'core/runtime/a.ts': "import { b } from '../outcome/classify/index.ts'" },
    { 'core/runtime/a.ts': "import { b } from './index.ts'" },
  ],
  'files do not import each other in a circle': [
    {
      'core/outcome/a.ts': "import './b.ts'",
      'core/outcome/b.ts': "import './c.ts'",
      'core/outcome/c.ts': "import type { A } from './a.ts'",
    },
  ],
  'core imports neither a dependency nor a part of Node': [
    { 'core/outcome/a.ts': "import { z } from 'zod'" },
    { 'core/outcome/a.ts': "import type { Readable } from 'node:stream'" },
  ],
  "core uses none of Node's globals": [
    { 'core/outcome/a.ts': 'export const a = process.env.A' },
    { 'core/outcome/a.ts': 'export const a = { process }' },
    { 'core/outcome/a.ts': 'export const a = globalThis.process?.pid' },
    { 'core/outcome/a.ts': "export const a = Buffer.from('a')" },
    { 'core/outcome/a.ts': "export const a = require('a')" },
  ],
  'no file or folder has a name that says nothing': [
    { 'core/outcome/utils.ts': '' },
    { 'parts/shared/a.ts': '' },
    { 'core/types.test-d.ts': '' },
  ],
  'files and folders are named in kebab-case': [{ 'core/outcome/makeFailure.ts': '' }, { 'core/Outcome/a.ts': '' }],
  'a file that exports one value is named after it, or after its type': [
    { 'parts/a/resource-values.ts': 'export interface Reading {} export function openAll() {}' },
    { 'parts/a/numbers.ts': 'export const readText = () => 1;' },
  ],
  'no file cuts, searches or compares a message': [
    { 'parts/a/a.ts': "export const a = error.message.replace(advice, '');" },
    { 'parts/a/a.ts': "export const a = failure.message.includes('endless stream');" },
    { 'apps/cli/a.ts': 'export const a = /no guard/.test(thrown.message);' },
  ],
  'timers are set through core/time': [
    { 'parts/a/a.ts': 'export const a = (run: () => void) => setTimeout(run, 5);' },
    { 'parts/a/a.ts': 'export const a = (run: () => void) => setInterval(run, 5);' },
    { 'parts/a/a.ts': "import { setTimeout as pause } from 'node:timers/promises';" },
  ],
  'mistakes of authors are reported as a ToolpactError with a code': [
    { 'parts/a/a.ts': "export const a = () => { throw new TypeError('limit must be more than 0'); };" },
  ],
  'nothing is exported as default': [{ 'parts/a/a.ts': 'export default 1' }, { 'parts/a/a.ts': 'const a = 1; export { a as default }' }],
  'there are no enums': [{ 'parts/a/a.ts': 'export enum A { b }' }, { 'parts/a/a.ts': 'export const enum A { b }' }],
};

/** Keeps every rule, though it looks as if it might not. */
const sound: Tree = {
  'index.ts': "export { a } from './core/runtime/index.ts'",
  'core/outcome/index.ts': "export { b } from './b.ts'",
  'core/outcome/b.ts': "// import './index.ts'\nexport const b = { process: 1, text: \"import 'zod'\" }.process;",
  'core/outcome/b.test.ts': "import { z } from 'zod'; import '../runtime/a.ts'; process.exit();",
  'core/runtime/index.ts': "export { a } from './a.ts'",
  'core/runtime/a.ts': "import type { B } from '../outcome/index.ts'",
  'parts/guards/index.ts': "import { a } from '../../core/runtime/index.ts'; import 'node:fs'",
  'apps/cli/main.ts': "import '../../parts/guards/index.ts'; import '../../core/outcome/index.ts'; process.exit()",
};

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

const ownTree = readTree();
describe.each(Object.entries<Rule>(rules))('%s', (title, rule) => {
  test('holds in src', () => expect(rule(ownTree)).toEqual([]));
  test('holds in a sound tree', () => expect(rule(sound)).toEqual([]));
  const examples = (broken[title] ?? [{}]).map((tree) => [JSON.stringify(tree).slice(0, 120), tree] as const);
  test.each(examples)('is broken by %s', (_, tree) => expect(rule(tree)).toHaveLength(1));
});

function readTree(): Tree {
  const src = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return Object.fromEntries(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(src + file, 'utf8')]));
}

/** All test files with their text, by path below the repository. This one names what it refuses. */
function testFiles(): [file: string, text: string][] {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return globSync(['src/**/*.test.ts', 'test/**/*.ts'], { cwd: root, exclude: ['**/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== 'proofs/house/architecture.test.ts')
    .map((file): [string, string] => [file, readFileSync(root + file, 'utf8')]);
}

/** The files the package is built from: all but tests. */
function sources(tree: Tree): string[] {
  return Object.keys(tree).filter((file) => !/\.test(-d)?\.tsx?$/.test(file));
}

/** Every import, re-export, dynamic import and import type; `to` is the file it means, absent for a package. */
function imports(tree: Tree): { from: string; specifier: string; to?: string }[] {
  return sources(tree).flatMap((from) =>
    nodesOf(parse(tree, from)).flatMap((node) => {
      const specifier = /Import|Export/.test(node.type) && (node.source as { value?: unknown } | null | undefined)?.value;
      if (typeof specifier !== 'string') return [];
      return specifier.startsWith('.') ? { from, specifier, to: posix.join(posix.dirname(from), specifier) } : { from, specifier };
    }),
  );
}

/** `core/outcome` of `core/outcome/failure.ts`; the main entry is a folder of its own. */
function folderOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const allowed = narrowed[from] ?? coreOrder[from];
  return allowed ? allowed.includes(to) : ringOf(from) > ringOf(to) && ringOf(to) >= 0;
}

function ringOf(folder: string): number {
  return rings.indexOf(folder.split('/')[0] ?? '');
}

function findCycles(tree: Tree): string[] {
  const edges = imports(tree);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')];
    if (done.has(file)) return [];
    const found = edges.flatMap(({ from, to }) => (from !== file || to === undefined ? [] : visit(to, [...path, file])));
    done.add(file);
    return found;
  };
  return sources(tree).flatMap((file) => visit(file, []));
}

/** The values and the types that a file exports where it declares them. */
function exportsOf(program: Node): [values: string[], types: string[]] {
  const [values, types]: [string[], string[]] = [[], []];
  for (const { type, declaration } of program.body as readonly Node[]) {
    if (type !== 'ExportNamedDeclaration' || declaration === null || declaration === undefined) continue;
    const { type: kind, id, declarations = [{ id }] } = declaration as Node;
    const names = (declarations as readonly Node[]).map((one) => String(nameOf(one.id)));
    (/^TS/.test(kind) ? types : values).push(...names);
  }
  return [values, types];
}

/** Tells whether a file name and an export say the same: all words of one stand in the other. */
function fitsName(file: string, exported: string): boolean {
  const [own, words] = [wordsOf(file), wordsOf(exported)];
  const isSame = file.replaceAll('-', '') === exported.toLowerCase();
  return isSame || own.every((word) => words.includes(word)) || words.every((word) => own.includes(word) || commonVerbs.includes(word));
}

/** The words of a name in kebab-case or camelCase, without the plural. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split('-')
    .map((word) => word.replace(/s$/, ''));
}

function globalsIn(program: Node): string[] {
  const nodes = nodesOf(program);
  const labels = new Set(nodes.flatMap((node) => (isLabel(node) ? [node.key ?? node.property] : [])));
  const isUsed = (node: Node) => node.type === 'Identifier' && hostGlobals.includes(String(node.name)) && !labels.has(node);
  return [...new Set(nodes.filter(isUsed).map((node) => String(node.name)))];
}

/** Says whether a node only names a member, as in `a.process` or `{ process: 1 }`. */
function isLabel(node: Node): boolean {
  if (node.computed === true || node.shorthand === true) return false;
  return node.type === 'MemberExpression' ? nameOf(node.object) !== 'globalThis' : 'key' in node;
}

function nameOf(node: unknown): unknown {
  return (node as { name?: unknown } | undefined)?.name;
}

const parsed = new WeakMap<Tree, Map<string, Node>>();
/** Parses each file of a tree once, for all rules. */
function parse(tree: Tree, file: string): Node {
  const programs = parsed.get(tree) ?? new Map<string, Node>();
  parsed.set(tree, programs);
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  const program = programs.get(file) ?? (parseAst(tree[file] ?? '', { lang }, file) as unknown as Node);
  programs.set(file, program);
  return program;
}

const listed = new WeakMap<Node, Node[]>();
/** Every node of a program, each before those below it. */
function nodesOf(program: Node): Node[] {
  const nodes = listed.get(program) ?? [];
  if (nodes.length === 0) collectNodes(program, nodes);
  listed.set(program, nodes);
  return nodes;
}

function collectNodes(value: unknown, nodes: Node[]): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) nodes.push(value as Node);
  for (const below of Object.values(value)) collectNodes(below, nodes);
}
