import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import tsconfig from '../../tsconfig.json' with { type: 'json' };

/** A package.json as far as the tests of the house read it. */
export interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** An entry of a package: the specifier that users import, and its files. */
export interface Entry {
  readonly specifier: string;
  readonly folder: string;
  readonly source: string;
  /** Built files, from the root of the repository. */
  readonly types: string;
  readonly code: string;
}

const root = new URL('../../', import.meta.url);

/** Every package that is published, by its folder below packages/. */
export const packages: Readonly<Record<string, PackageFile>> = Object.fromEntries(
  readdirSync(new URL('packages/', root)).flatMap((folder) => {
    const file = JSON.parse(readFileSync(new URL(`packages/${folder}/package.json`, root), 'utf8')) as PackageFile;
    return file.private === true ? [] : [[folder, file] as const];
  }),
);

/** The names of packages of this repository that nobody outside is promised. */
export const internalEntries: readonly string[] = ['toolpact/internal'];

export const entries: readonly Entry[] = Object.entries(packages).flatMap(([folder, { name, exports = {} }]) =>
  Object.entries(exports).flatMap(([key, target]) => {
    if (typeof target === 'string') return [];
    const specifier = posix.join(name, key);
    const source = (tsconfig.compilerOptions.paths as Readonly<Record<string, readonly string[]>>)[specifier]?.[0] ?? '';
    const inPackage = (file: string): string => posix.join('packages', folder, file);
    return [{ specifier, folder, source, types: inPackage(target.types), code: inPackage(target.default) }];
  }),
);

/** The path of a file of the repository. */
export const pathOf = (file: string): string => fileURLToPath(new URL(file, root));
