import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { pathOf } from './own-packages.ts';

/** The folders of the library: each may import those before it, and none behind it. */
const order = [
  ...['json', 'time', 'outcome', 'classify', 'contract', 'events', 'ports', 'runtime', 'calls', 'stores', 'guards', 'toolbox'],
  ...['dialects', 'mcp', 'adapters', 'notify', 'telemetry', 'history'],
];
/** The packages, or single entries of one, that each package may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  toolpact: [],
  server: ['toolpact', '@toolpact/openapi', '@toolpact/testing'],
  inspector: ['toolpact', '@toolpact/server/page'],
  testing: ['toolpact'],
  openapi: ['toolpact'],
  restate: ['toolpact'],
  origins: ['toolpact', '@toolpact/openapi', '@toolpact/server', '@toolpact/testing'],
  cli: ['toolpact', '@toolpact/openapi', '@toolpact/origins', '@toolpact/server', '@toolpact/testing'],
  'create-toolpact': ['@toolpact/cli'],
};
/** Allowed imports of parts of the library from outside of it; no other part may import anything. */
const outside: readonly (readonly [place: string, specifier: string])[] = [
  ['toolpact/src/stores/sqlite', 'node:'],
  ['toolpact/src/stores/postgres', 'node:'],
  ['toolpact/src/telemetry/', '@opentelemetry/api'],
];
/** Files that read the messages of others, because these carry nothing else to tell their errors apart. */
const readsForeignMessages: readonly string[] = [
  'cli/src/main.ts',
  'cli/src/load/explain-load-error.ts',
  'cli/src/load/import-file.ts',
  'origins/src/coded/tools/documents/index-file.ts',
  'toolpact/src/adapters/langchain/failure.ts',
  'toolpact/src/adapters/mcp/client-error.ts',
  'toolpact/src/contract/explain-issues.ts',
];
/** Files that throw a plain `TypeError`, and why it is not a mistake that an author reads. */
const throwsTypeErrors: Readonly<Record<string, string>> = {
  'origins/src/value/sessions/session-slices.ts': 'the snapshot holds something that cannot be read',
  'server/src/client/exchange.ts': 'the other side broke its protocol',
  'server/src/mcp/servers.ts': 'would be a mistake of ours',
  'testing/src/faults/faulty-fetch.ts': 'imitates what the platform throws',
  'testing/src/tools/generate/generate-text.ts': 'is caught by its caller',
  'testing/src/tools/tool-trial.ts': 'becomes a finding of a check',
  'toolpact/src/adapters/mcp/from-mcp.ts': 'the other side broke its protocol',
  'toolpact/src/adapters/mcp/tool-names.ts': 'the other side broke its protocol',
  'toolpact/src/runtime/guards/guard-call.ts': 'becomes the outcome of a call',
  'toolpact/src/runtime/guards/run-guards.ts': 'becomes the outcome of a call',
  'toolpact/src/runtime/to-outcome.ts': 'becomes the outcome of a call',
  'toolpact/src/toolbox/resources/config.ts': 'is caught by its caller',
};

/** Source texts by path below packages/, without tests. */
type Tree = Readonly<Record<string, string>>;
type Rule = (tree: Tree) => string[];
type Node = { readonly type: string; readonly [key: string]: unknown };

/** The specifiers of all entries, and the files that they are made of. */
const entries = tsconfig.compilerOptions.paths as Readonly<Record<string, readonly string[]>>;
const entryFiles = Object.values(entries).map(([file = '']) => file.replace('./packages/', ''));

const rules: Readonly<Record<string, Rule>> = {
  'the folders of the library import those before them only': (tree) =>
    insideLibrary(tree).flatMap(({ from, to, folder, target }) =>
      order.indexOf(target) > order.indexOf(folder) ? [`${from} imports ${to}`] : [],
    ),
  'every folder of the library has its place in the order': (tree) =>
    Object.keys(tree).filter((file) => folderOf(file) !== undefined && !order.includes(folderOf(file) ?? '')),
  "another folder of the library is entered through its index or a file that is an entry, one's own never through its index": (tree) =>
    insideLibrary(tree).flatMap(({ from, to, folder, target }) => {
      const isIndex = to === `toolpact/src/${target}/index.ts`;
      return (folder === target ? !isIndex : isIndex || (target !== '' && entryFiles.includes(to))) ? [] : [`${from} imports ${to}`];
    }),
  'a package reaches another through its entries only': (tree) =>
    imports(tree).flatMap(({ from, specifier, to }) => {
      const isForeign = to !== undefined && packageOf(to) !== packageOf(from);
      return isForeign || (/^(?:@toolpact\/|toolpact(?:\/|$))/.test(specifier) && entries[specifier] === undefined)
        ? [`${from} imports ${specifier}`]
        : [];
    }),
  'a package imports only the packages that it is made of': (tree) =>
    imports(tree).flatMap(({ from, specifier }) => {
      const [name] = /^(?:@toolpact\/[^/]+|toolpact)(?=\/|$)/.exec(specifier) ?? [];
      const isAllowed = [name, specifier].some((one) => one !== undefined && mayImport[packageOf(from)]?.includes(one));
      return name === undefined || isAllowed ? [] : [`${from} imports ${name}`];
    }),
  'the library imports no other package, and parts of Node in its stores only': (tree) =>
    imports(tree).flatMap(({ from, specifier, to }) => {
      const isAllowed = outside.some(([place, start]) => from.startsWith(place) && specifier.startsWith(start));
      return packageOf(from) !== 'toolpact' || to !== undefined || isAllowed ? [] : [`${from} imports ${specifier}`];
    }),
  'no key begins with ~ but that of Standard Schema': (tree) =>
    Object.keys(tree).flatMap((file) =>
      keysIn(parse(tree, file)).flatMap((key) => (/^~(?!standard$)/.test(key) ? [`${file} has ${key}`] : [])),
    ),
  'files do not import each other in a circle, types aside': findCycles,
  'no file or folder has a name that says nothing': (tree) =>
    Object.keys(tree).filter((file) => /(?:^|\/)(?:utils|helpers|common|shared|types|misc)(?:[./]|$)/.test(file)),
  'no file cuts, searches or compares a message': (tree) =>
    Object.keys(tree).filter((file) => {
      const reads =
        /\bmessage\)?\.(?:replace|replaceAll|includes|startsWith|endsWith|match|split|indexOf|search)\(|\.test\([^()]*message\)/;
      return reads.test(tree[file] ?? '') && !readsForeignMessages.includes(file);
    }),
  'timers are set through the folder time': (tree) =>
    Object.keys(tree).filter((file) => {
      const mayBeOwn = file.startsWith('toolpact/src/time/') || file.startsWith('inspector/');
      return !mayBeOwn && /(?<![.\w])set(?:Timeout|Interval)\(|node:timers/.test(tree[file] ?? '');
    }),
  'mistakes of authors are reported as a ToolpactError with a code': (tree) =>
    Object.keys(tree).filter((file) => /\bnew TypeError\(/.test(tree[file] ?? '') && throwsTypeErrors[file] === undefined),
};

/** For each rule, trees that break it in one way each. */
const broken: Readonly<Record<keyof typeof rules, readonly Tree[]>> = {
  'the folders of the library import those before them only': [
    { 'toolpact/src/json/a.ts': "import type { B } from '../outcome/index.ts'" },
    { 'toolpact/src/outcome/a.ts': "import { b } from '../classify/index.ts'" },
    { 'toolpact/src/events/a.ts': "export { b } from '../ports/index.ts'" },
    { 'toolpact/src/runtime/a.ts': "export * from '../dialects/index.ts'" },
    { 'toolpact/src/calls/a.ts': "const b = await import('../guards/index.ts')" },
    { 'toolpact/src/runtime/a.ts': "type B = import('../guards/index.ts').B" },
    { 'toolpact/src/runtime/a/b.ts': "import { b } from '../../toolbox/index.ts'" },
  ],
  'every folder of the library has its place in the order': [{ 'toolpact/src/extras/a.ts': '' }],
  "another folder of the library is entered through its index or a file that is an entry, one's own never through its index": [
    { 'toolpact/src/runtime/a.ts': "import { b } from '../outcome/b.ts'" },
    { 'toolpact/src/runtime/a.ts': "import { b } from '../outcome/redaction/index.ts'" },
    { 'toolpact/src/runtime/a.ts': "import { b } from './index.ts'" },
    { 'toolpact/src/runtime/a.ts': "import { b } from '../index.ts'" },
  ],
  'a package reaches another through its entries only': [
    { 'server/src/a.ts': "import { b } from '../../toolpact/src/index.ts'" },
    { 'server/src/a.ts': "import { b } from 'toolpact/runtime'" },
    { 'cli/src/a.ts': "const { b } = await import('@toolpact/server/src/index.ts')" },
  ],
  'a package imports only the packages that it is made of': [
    { 'toolpact/src/adapters/mcp/a.ts': "const { b } = await import('@toolpact/openapi')" },
    { 'testing/src/a.ts': "import type { B } from '@toolpact/server'" },
    { 'openapi/src/a.ts': "import { b } from '@toolpact/origins/flat'" },
  ],
  'the library imports no other package, and parts of Node in its stores only': [
    { 'toolpact/src/outcome/a.ts': "import { z } from 'zod'" },
    { 'toolpact/src/outcome/a.ts': "import type { Readable } from 'node:stream'" },
    { 'toolpact/src/stores/memory.ts': "import { hash } from 'node:crypto'" },
  ],
  'no key begins with ~ but that of Standard Schema': [
    { 'server/src/a.ts': "export const a = (toolbox) => toolbox['~plan']" },
    { 'server/src/a.ts': "export const a = ({ '~plan': plan }) => plan" },
    { 'server/src/a.ts': "export interface A { readonly '~plan'?: string }" },
    { 'server/src/a.ts': "export type A = Pick<B, '~plan'>" },
    { 'server/src/a.ts': "export const a = (tool) => '~plan' in tool" },
  ],
  'files do not import each other in a circle, types aside': [
    {
      'toolpact/src/outcome/a.ts': "import './b.ts'",
      'toolpact/src/outcome/b.ts': "import './c.ts'",
      'toolpact/src/outcome/c.ts': "export { a } from './a.ts'",
    },
  ],
  'no file or folder has a name that says nothing': [{ 'cli/src/utils.ts': '' }, { 'server/src/shared/a.ts': '' }],
  'no file cuts, searches or compares a message': [
    { 'cli/src/a.ts': "export const a = error.message.replace(advice, '');" },
    { 'cli/src/a.ts': "export const a = failure.message.includes('endless stream');" },
    { 'cli/src/a.ts': 'export const a = /no guard/.test(thrown.message);' },
  ],
  'timers are set through the folder time': [
    { 'server/src/a.ts': 'export const a = (run: () => void) => setTimeout(run, 5);' },
    { 'server/src/a.ts': 'export const a = (run: () => void) => setInterval(run, 5);' },
    { 'server/src/a.ts': "import { setTimeout as pause } from 'node:timers/promises';" },
  ],
  'mistakes of authors are reported as a ToolpactError with a code': [
    { 'server/src/a.ts': "export const a = () => { throw new TypeError('limit must be a number above 0'); };" },
  ],
};

/** Keeps every rule, though it looks as if it might not. */
const sound: Tree = {
  'toolpact/src/index.ts': "export { a } from './runtime/a.ts'",
  'toolpact/src/outcome/index.ts': "export { b } from './b.ts'",
  'toolpact/src/outcome/b.ts': "// import './index.ts'\nexport const b = { text: \"import 'zod'\", key: '~plan' };",
  'toolpact/src/runtime/a.ts': "import type { B } from '../outcome/index.ts'; export const a = (schema) => schema['~standard'];",
  'toolpact/src/stores/sqlite.ts': "import 'node:fs'",
  'toolpact/src/guards/a.ts': "import { memoryStore } from '../stores/memory.ts'; import '../runtime/index.ts';",
  'cli/src/main.ts':
    "import 'toolpact'; import 'toolpact/internal'; import '@toolpact/server/node'; import 'zod'; import './shared-place.ts';",
};

const own: Tree = Object.fromEntries(
  globSync('*/src/**/*.{ts,tsx}', { cwd: pathOf('packages/') })
    .filter((file) => !/\.test(?:-d)?\.tsx?$/.test(file))
    .map((file) => [file.replaceAll('\\', '/'), readFileSync(pathOf(`packages/${file}`), 'utf8')]),
);

describe.each(Object.entries(rules))('%s', (title, rule) => {
  test('holds in the packages', () => expect(rule(own)).toEqual([]));
  test('holds in a sound tree', () => expect(rule(sound)).toEqual([]));
  const examples = (broken[title] ?? [{}]).map((tree) => [JSON.stringify(tree), tree] as const);
  test.each(examples)('is broken by %s', (_, tree) => expect(rule(tree)).toHaveLength(1));
});

test.each([
  ['readsForeignMessages', readsForeignMessages],
  ['throwsTypeErrors', Object.keys(throwsTypeErrors)],
])('%s lists files that are there', (_, files) => {
  expect(files.filter((file) => own[file] === undefined)).toEqual([]);
});

/** The package of a file. */
function packageOf(file: string): string {
  return file.slice(0, file.indexOf('/'));
}

/** The folder of the library that a file lies in. */
function folderOf(file: string): string | undefined {
  return /^toolpact\/src\/([^/]+)\//.exec(file)?.[1];
}

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** The file that it means; absent for a package. */
  readonly to?: string;
  /** Whether the compiler takes it away. */
  readonly isType: boolean;
}

/** Every import, re-export, dynamic import and import type. */
function imports(tree: Tree): Import[] {
  return Object.keys(tree).flatMap((from) =>
    nodesOf(parse(tree, from)).flatMap((node): Import[] => {
      const specifier = /Import|Export/.test(node.type) && (node.source as { value?: unknown } | null | undefined)?.value;
      if (typeof specifier !== 'string') return [];
      const isType = [node.importKind, node.exportKind].includes('type') || node.type.startsWith('TS');
      return [{ from, specifier, isType, ...(specifier.startsWith('.') && { to: posix.join(posix.dirname(from), specifier) }) }];
    }),
  );
}

/** The imports of the folders of the library, of one another and of the files beside them. */
function insideLibrary(tree: Tree) {
  return imports(tree).flatMap(({ from, to = '' }) => {
    const folder = folderOf(from);
    return folder === undefined || packageOf(to) !== 'toolpact' ? [] : [{ from, to, folder, target: folderOf(to) ?? '' }];
  });
}

function findCycles(tree: Tree): string[] {
  const all = Map.groupBy(
    imports(tree).filter(({ isType }) => !isType),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')];
    if (done.has(file)) return [];
    const found = (all.get(file) ?? []).flatMap(({ to }) => (to === undefined ? [] : visit(to, [...path, file])));
    done.add(file);
    return found;
  };
  return Object.keys(tree).flatMap((file) => visit(file, []));
}

/** The texts by which properties are named: in objects, patterns, types, member accesses and with `in`. */
function keysIn(program: Node): string[] {
  return nodesOf(program).flatMap((node) => {
    const named =
      node.key ??
      node.property ??
      (node.operator === 'in' ? node.left : undefined) ??
      (node.type === 'TSLiteralType' ? node.literal : undefined);
    const value = (named as { readonly value?: unknown } | undefined)?.value;
    return typeof value === 'string' ? [value] : [];
  });
}

const parsed = new WeakMap<Tree, Map<string, Node>>();
/** Parses each file of a tree once, for all rules. */
function parse(tree: Tree, file: string): Node {
  const programs = parsed.get(tree) ?? new Map<string, Node>();
  parsed.set(tree, programs);
  const program = programs.get(file) ?? (parseAst(tree[file] ?? '', { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node);
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
