import { defaultFiles } from '../load/load-tools.ts';
import { agentsBlock, agentsHeading, compilerFile, configFile, testFile, toolsFile } from './first-files.ts';
import { type Framework, frameworks } from './frameworks.ts';

/** The fields of `package.json` that count here. */
export interface PackageFile {
  readonly name?: string;
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A project as it is found. */
export interface Project {
  readonly packageFile: PackageFile | undefined;
  /** The name of its folder. */
  readonly folder: string;
  /** The files at its top, and those with tools. */
  readonly files: readonly string[];
  /** The text of `AGENTS.md`, which coding agents read. */
  readonly agentsFile?: string;
  /** The version of this package. */
  readonly version: string;
}

/** The files and changes to be written. */
export interface ProjectPlan {
  /** New files; none that exists. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that exist and stay as they are. */
  readonly kept: readonly string[];
  /** `AGENTS.md` with what a coding agent has to know of Toolpact, where it does not say so yet. */
  readonly agentsFile?: string;
  readonly packageFile: PackageFile;
  /** The changes of `package.json`, in words. */
  readonly changes: readonly string[];
  readonly framework: Framework | undefined;
  /** Advice for the user. */
  readonly notes: readonly string[];
}

const zodVersion = '^4.2.0';
/** The oldest Node that is supported: what its types know, every Node has. */
const nodeTypesVersion = '^22.0.0';
/** The script that npm writes where there is no test. */
const noTest = /^echo "?Error: no test specified"? && exit 1$/;

/** Decides what makes a project ready for tools. Nothing that exists is replaced. */
export function planProject({ packageFile, folder, files, agentsFile, version }: Project): ProjectPlan {
  const used = { ...packageFile?.dependencies, ...packageFile?.devDependencies };
  const framework = frameworks.find((known) => known.package in used);
  const tools = defaultFiles.find((name) => files.includes(name));
  const wanted = {
    [tools ?? 'tools.ts']: toolsFile(framework),
    // It tests the first tool, which other files with tools do not have.
    ...(tools === undefined && { 'tools.test.ts': testFile('vitest' in used) }),
    'toolpact.config.ts': configFile(tools ?? 'tools.ts'),
    // A project that has settings for the compiler keeps them, whatever their file is called.
    ...(tools === undefined && !files.some((name) => /^[jt]sconfig\b.*\.json$/.test(name)) && { 'tsconfig.json': compilerFile }),
  };
  const [made, kept] = split(wanted, files);
  const scripts = { ...packageFile?.scripts };
  const changes: string[] = [];
  const add = (name: string, line: string): void => {
    const free = [name, `tools:${name}`].find((one) => scripts[one] === undefined || noTest.test(scripts[one]));
    if (Object.values(scripts).includes(line) || free === undefined) return;
    scripts[free] = line;
    changes.push(`script ${free}: ${line}`);
  };
  add('dev', 'toolpact dev');
  add('check', 'toolpact check');
  if ('tools.test.ts' in made) add('test', 'vitest' in used ? 'vitest run' : 'node --test tools.test.ts');
  const lacking = (needed: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(needed).filter(([name]) => !(name in used)));
  const dependencies = lacking({ toolpact: `^${version}`, zod: zodVersion });
  const devDependencies = lacking({
    '@toolpact/cli': `^${version}`,
    ...('tools.test.ts' in made && { '@toolpact/testing': `^${version}` }),
    ...('tsconfig.json' in made && { '@types/node': nodeTypesVersion }),
  });
  changes.push(...linesOf('dependency', dependencies), ...linesOf('development dependency', devDependencies));
  const type = moduleType(packageFile, files);
  if (type.changes) changes.push('type: module');
  return {
    files: made,
    kept,
    ...(!agentsFile?.includes(agentsHeading) && { agentsFile: [agentsFile?.trimEnd(), agentsBlock].filter(Boolean).join('\n\n') }),
    packageFile: {
      ...(packageFile ?? { name: folder, version: '0.0.0', private: true }),
      ...(type.changes && { type: 'module' }),
      scripts,
      ...added('dependencies', packageFile, dependencies),
      ...added('devDependencies', packageFile, devDependencies),
    },
    changes,
    framework,
    notes: type.note === undefined ? [] : [type.note],
  };
}

function linesOf(what: string, packages: Readonly<Record<string, string>>): string[] {
  return Object.entries(packages).map(([name, range]) => `${what} ${name} ${range}`);
}

function added(
  field: 'dependencies' | 'devDependencies',
  packageFile: PackageFile | undefined,
  packages: Readonly<Record<string, string>>,
): PackageFile {
  return Object.keys(packages).length === 0 ? {} : { [field]: { ...packageFile?.[field], ...packages } };
}

function split(wanted: Readonly<Record<string, string>>, files: readonly string[]): [Record<string, string>, string[]] {
  const entries = Object.entries(wanted);
  return [
    Object.fromEntries(entries.filter(([name]) => !files.includes(name))),
    entries.flatMap(([name]) => (files.includes(name) ? [name] : [])),
  ];
}

/** Files of ours are modules. In a project with files that Node would then read otherwise, its author decides. */
function moduleType({ type }: PackageFile = {}, files: readonly string[]): { readonly changes: boolean; readonly note?: string } {
  if (type === 'module') return { changes: false };
  const others = files.filter((name) => name.endsWith('.js'));
  if (others.length === 0) return { changes: true };
  const note = `package.json keeps its type, because ${others[0]} may be CommonJS. Set "type": "module" there, or name the new files .mts.`;
  return { changes: false, note };
}
