import { dirname } from 'node:path';
import { createPathsMatcher, getTsconfig, type TsConfigJson } from 'get-tsconfig';

interface Project {
  readonly options: TsConfigJson.CompilerOptions;
  readonly paths: (specifier: string) => string[];
}

const projects = new Map<string, Project>();
const cache = new Map<string, never>();

/** Gives where the nearest tsconfig.json lets an import of this file point to; an empty list if it says nothing about it. */
export function pathsOf(file: string): (specifier: string) => string[] {
  return projectOf(file).paths;
}

/** Gives the compiler options of the nearest tsconfig.json, with what it extends. */
export function compilerOptionsOf(file: string): TsConfigJson.CompilerOptions {
  return projectOf(file).options;
}

function projectOf(file: string): Project {
  const folder = dirname(file);
  const known = projects.get(folder);
  if (known !== undefined) return known;
  const project = readProject(file);
  projects.set(folder, project);
  return project;
}

/** A tsconfig.json that cannot be read must not keep tools from loading: Node would not have looked at it. */
function readProject(file: string): Project {
  const nothing: Project = { options: {}, paths: () => [] };
  try {
    const found = getTsconfig(file, 'tsconfig.json', cache);
    if (found === null) return nothing;
    return { options: found.config.compilerOptions ?? {}, paths: createPathsMatcher(found) ?? nothing.paths };
  } catch {
    return nothing;
  }
}
