import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { entries, internalEntries, pathOf } from './own-packages.ts';

type Node = { readonly type: string; readonly [key: string]: unknown };
/** A type, function or constant, where it is declared. */
interface Declaration {
  readonly id: string;
  readonly file: string;
  readonly nodes: readonly Node[];
  /** Whether another file can import it. */
  readonly isExported: boolean;
}
/** Returns the text of a declaration file by its path below the folder to which the build writes the types of single files. */
type Read = (file: string) => string | undefined;

const built: Read = (file) => {
  const path = pathOf(`.cache/types/${file}`);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};
const files = Object.fromEntries(
  entries
    .filter(({ specifier }) => !internalEntries.includes(specifier))
    .map(({ specifier, source }) => [
      specifier,
      posix
        .normalize(source)
        .replace(/^packages\//, '')
        .replace(/\.ts$/, '.d.ts'),
    ]),
);

/** Folders whose types are exported by entries elsewhere. Every other folder that has an entry is the home of its own types. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'toolpact/src/events': ['toolpact'],
  'toolpact/src/json': ['toolpact'],
  'toolpact/src/outcome': ['toolpact', 'toolpact/extend'],
  'toolpact/src/ports': ['toolpact', 'toolpact/extend', 'toolpact/guards', 'toolpact/telemetry'],
  'toolpact/src/runtime': ['toolpact', 'toolpact/extend'],
  'toolpact/src/calls': ['toolpact', 'toolpact/guards'],
};

describe('a type that users meet can be imported', () => {
  const types = readTypes(built, isExportedFromBuilt);

  test.each(Object.entries(files))('%s exports the types below its signatures that have no other home', (_, file) => {
    expect(types.findHidden(file, files, homes)).toEqual([]);
  });

  test.each(Object.entries(files))('%s exports the types that its functions and constants give', (_, file) => {
    expect(types.findForeign(file)).toEqual([]);
  });
});

describe('the check of types finds', () => {
  const sample: Readonly<Record<string, string>> = {
    'index.d.ts': `export { type Lock, open } from './open.ts';`,
    'open.d.ts': `import type { Door } from './doors/door.ts';
      export interface Lock { readonly key: Key }
      type Key = { readonly teeth: readonly Tooth[] };
      interface Tooth { readonly length: number }
      type Opened = { readonly door: Promise<Door> };
      export declare function open<TDoor>(lock: Lock): Opened | TDoor;`,
    'doors/door.d.ts': `export * from './real-door.ts';`,
    'doors/real-door.d.ts': `export interface Door { readonly hinge: import('./hinge.ts').Hinge }`,
    'doors/hinge.d.ts': `export type Hinge = { readonly screws: import('../screws/screw.ts').Screw[] };`,
    'screws/screw.d.ts': 'export interface Screw { readonly length: number }',
  };
  const types = readTypes(
    (file) => sample[file],
    () => true,
  );

  test('types that an entry does not export, below other types and behind passed-on files too', () => {
    const all = { house: 'index.d.ts' };
    expect(types.findHidden('index.d.ts', all, {})).toEqual([
      'doors/hinge.d.ts Hinge',
      'doors/real-door.d.ts Door',
      'open.d.ts Tooth',
      'screws/screw.d.ts Screw',
    ]);
  });

  test('no type that the entry of its own folder exports, or the entries that are named for its folder', () => {
    const all = { house: 'index.d.ts', 'house/doors': 'doors/door.d.ts', 'house/screws': 'screws/screw.d.ts' };
    expect(types.findHidden('index.d.ts', all, {})).toEqual(['open.d.ts Tooth']);
    expect(types.findHidden('doors/door.d.ts', all, {})).toEqual(['doors/hinge.d.ts Hinge']);
    expect(types.findHidden('index.d.ts', all, { screws: ['house'] })).toEqual(['open.d.ts Tooth']);
    expect(types.findHidden('doors/hinge.d.ts', all, { screws: ['house'] })).toEqual(['screws/screw.d.ts Screw']);
  });

  test('types that a function gives and its own entry lacks', () => {
    expect(types.findForeign('index.d.ts')).toEqual(['open gives Door']);
  });
});

/**
 * Whether a built file exports an alias to another one. One that stays in the file it is declared in cannot be imported, so the compiler writes
 * it out.
 */
function isExportedFromBuilt(id: string): boolean {
  const [file = '', name = ''] = id.split(' ');
  const [folder = ''] = file.split('/');
  return exportsOfBuilt(folder).some((list) => new RegExp(`\\b${name}\\b`).test(list));
}

const exportLists = new Map<string, readonly string[]>();

/** The lists of exports in the built files of a package. */
function exportsOfBuilt(folder: string): readonly string[] {
  const known = exportLists.get(folder);
  if (known !== undefined) return known;
  const built = globSync(`packages/${folder}/dist/**/*.d.ts`, { cwd: pathOf('') }).map((file) => readFileSync(pathOf(file), 'utf8'));
  const lists = built.flatMap((text) => [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list = '']) => list));
  exportLists.set(folder, lists);
  return lists;
}

function readTypes(read: Read, isShared: (id: string) => boolean) {
  const programs = new Map<string, readonly Node[]>();
  const bodyOf = (file: string): readonly Node[] => {
    const body = programs.get(file) ?? (parseAst(read(file) ?? '', { lang: 'dts' }, file) as unknown as { body: Node[] }).body;
    programs.set(file, body);
    return body;
  };

  /** Finds what a name means in a file: declared there, or brought from another file of ours. */
  function find(file: string, name: string): Declaration | undefined {
    const nodes = bodyOf(file).flatMap((node) => (nameOf(declared(node)) === name ? [declared(node)] : []));
    if (nodes.length > 0) {
      const isExported = bodyOf(file).some((node) => node.type === 'ExportNamedDeclaration' && nameOf(declared(node)) === name);
      return { id: `${file} ${name}`, file, nodes, isExported };
    }
    for (const node of bodyOf(file)) {
      const part = node.type === 'ImportDeclaration' ? specifier(node, 'local', name) : undefined;
      if (part) return findIn(file, node, textOf(part.imported));
    }
    return findExported(file, name);
  }

  function findExported(file: string, name: string): Declaration | undefined {
    for (const node of bodyOf(file)) {
      if (node.type === 'ExportNamedDeclaration') {
        if (nameOf(declared(node)) === name) return find(file, name);
        const part = specifier(node, 'exported', name);
        if (part) return node.source ? findIn(file, node, textOf(part.local)) : find(file, textOf(part.local));
      }
      const found = node.type === 'ExportAllDeclaration' ? findIn(file, node, name) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  function findIn(file: string, node: Node, name: string): Declaration | undefined {
    const target = resolve(file, (node.source as { value: string }).value);
    return target === undefined ? undefined : findExported(target, name);
  }

  /** The public names of an entry with their declarations. */
  function exportsOf(file: string): Map<string, Declaration> {
    const names = bodyOf(file).flatMap((node): string[] => {
      if (node.type === 'ExportNamedDeclaration') {
        const own = nameOf(declared(node));
        return own === undefined ? (node.specifiers as Node[]).map((part) => textOf(part.exported)) : [own];
      }
      const target = node.type === 'ExportAllDeclaration' ? resolve(file, (node.source as { value: string }).value) : undefined;
      return target === undefined ? [] : [...exportsOf(target).keys()];
    });
    return new Map(
      names.flatMap((name) => {
        const declaration = findExported(file, name);
        return declaration ? [[name, declaration] as const] : [];
      }),
    );
  }

  const below = ({ file, nodes }: Declaration): (Declaration & { readonly isOpened: boolean })[] =>
    nodes.flatMap(references).flatMap(({ name, from, isOpened = false }) => {
      const target = from === undefined ? file : resolve(file, from);
      const found = target === undefined ? undefined : from === undefined ? find(target, name) : findExported(target, name);
      return found ? [{ ...found, isOpened }] : [];
    });

  return {
    /** Types that are reached from an entry's exports, that the compiler has to name, and that neither this entry nor their home exports. */
    findHidden(entry: string, all: Readonly<Record<string, string>>, elsewhere: Readonly<Record<string, readonly string[]>>): string[] {
      const exported = [...exportsOf(entry).values()];
      const shown = new Set(exported.map(({ id }) => id));
      const isAtHome = ({ id, file }: Declaration): boolean => {
        const folder = Object.keys(elsewhere).find((one) => file.startsWith(`${one}/`));
        const files = folder === undefined ? homesOf(file, Object.values(all)) : (elsewhere[folder] ?? []).map((name) => all[name] ?? '');
        return files.some((home) => [...exportsOf(home).values()].some((one) => one.id === id));
      };
      const seen = new Map(exported.filter(({ id }) => !isWrittenByUsers(id)).map((one) => [one.id, one]));
      const hidden = new Set<string>();
      for (const one of seen.values())
        for (const next of below(one)) {
          if (isWrittenByUsers(next.id) || isAtHome(next)) continue;
          if (!next.isOpened && !isNamedByHost(next) && mustBeNamed(next, isShared) && !shown.has(next.id)) hidden.add(next.id);
          if (!seen.has(next.id)) seen.set(next.id, next);
        }
      return [...hidden].sort();
    },
    /** Types that a function or constant of an entry gives, that the compiler has to name, and that this entry does not export. */
    findForeign(entry: string): string[] {
      const exported = exportsOf(entry);
      const here = new Set([...exported.values()].map(({ id }) => id));
      const findings = [...exported].flatMap(([name, declaration]) => {
        const seen = new Map<string, Declaration>();
        const look = (from: Declaration): void => {
          for (const next of below(from)) {
            if (seen.has(next.id) || next.isOpened) continue;
            seen.set(next.id, next);
            if (isWrittenOut(next, isShared)) look(next);
          }
        };
        look({ ...declaration, nodes: declaration.nodes.flatMap(given) });
        const named = [...seen.values()].filter((one) => mustBeNamed(one, isShared) && !here.has(one.id));
        return named.map(({ id }) => `${name} gives ${id.split(' ')[1]}`);
      });
      return [...new Set(findings)].sort();
    },
  };

  function resolve(file: string, source: string): string | undefined {
    if (!source.startsWith('.')) return undefined;
    const path = posix.join(posix.dirname(file), source).replace(/\.[jt]s$/, '.d.ts');
    return read(path) === undefined ? undefined : path;
  }
}

/** Returns the entries of the nearest folder that has one: `edges/server/node/listen.d.ts` is that of `edges/server/node`. */
function homesOf(file: string, all: readonly string[]): readonly string[] {
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) {
    const found = all.filter((entry) => posix.dirname(entry) === folder);
    if (found.length > 0) return found;
  }
  return [];
}

/** Options are written by users, who need no name for what is in them. */
function isWrittenByUsers(id: string): boolean {
  return /(Options|Settings|Config|Filter|Definition)$/.test(id);
}

/** The parts of a framework's own objects, below what an adapter gives, are named by the package of the framework. */
function isNamedByHost({ file }: Declaration): boolean {
  return file.startsWith('toolpact/src/adapters/') || file === 'toolpact/src/mcp/mcp-tool.d.ts';
}

/** The parts of a function or constant whose types a caller gets. */
function given(node: Node): Node[] {
  if (node.type === 'TSDeclareFunction') return node.returnType ? [node.returnType as Node] : [];
  if (node.type !== 'VariableDeclaration') return [];
  return (node.declarations as { id: Node }[]).flatMap(({ id }) => (id.typeAnnotation ? [id.typeAnnotation as Node] : []));
}

/** The compiler writes out what it computes, and aliases that no other file can import. A program must be able to name all other types. */
function mustBeNamed({ id, nodes, isExported }: Declaration, isShared: (id: string) => boolean): boolean {
  return (
    nodes.some(({ type }) => type === 'TSInterfaceDeclaration' || type === 'ClassDeclaration') ||
    (isExported && nodes.some(isShape) && isShared(id))
  );
}

function isWrittenOut({ id, nodes, isExported }: Declaration, isShared: (id: string) => boolean): boolean {
  return nodes.some(isShape) && !(isExported && isShared(id));
}

const shapes = new Set(['TSTypeLiteral', 'TSIntersectionType', 'TSUnionType', 'TSFunctionType']);
function isShape(node: Node): boolean {
  return node.type === 'TSTypeAliasDeclaration' && shapes.has((node.typeAnnotation as Node).type);
}

function declared(node: Node): Node {
  return node.type === 'ExportNamedDeclaration' && node.declaration ? (node.declaration as Node) : node;
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'VariableDeclaration') return (node.declarations as { id: { name?: string } }[])[0]?.id.name;
  return (node.id as { name?: string } | null | undefined)?.name;
}

function specifier(node: Node, side: 'local' | 'exported', name: string): Node | undefined {
  return (node.specifiers as Node[]).find((part) => textOf(part[side]) === name);
}

function textOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: string; value?: string };
  return name ?? value ?? '';
}

interface Reference {
  readonly name: string;
  /** The file of an `import('…')`. */
  readonly from?: string;
  /** Whether only what is in the type is met, not the type itself. */
  readonly isOpened?: boolean;
}

/** The types that a caller meets in a node: not those of parameters, and not those of members that begin with "~", which are ours. */
function references(node: unknown): Reference[] {
  if (Array.isArray(node)) return node.flatMap(references);
  if (typeof node !== 'object' || node === null) return [];
  const { type, typeName, exprName, expression, source, qualifier, key } = node as Node;
  if (/^~(?!standard)/.test(textOf(key))) return [];
  const inner = Object.entries(node).flatMap(([part, value]) =>
    part === 'params' && type !== 'TSTypeParameterInstantiation' ? [] : references(value),
  );
  if (type === 'TSInterfaceHeritage' || type === 'TSIndexedAccessType') {
    const base = textOf(expression);
    return [...(base === '' ? [] : [{ name: base }]), ...inner].map((one) => ({ ...one, isOpened: true }));
  }
  if (type === 'TSImportType') return [{ name: textOf(qualifier), from: textOf(source) }, ...inner];
  const name = textOf(type === 'TSTypeReference' ? typeName : type === 'TSTypeQuery' ? exprName : undefined);
  return name === '' ? inner : [{ name }, ...inner];
}
