import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { CliError, cannotWrite } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import { exitCodes } from '../exit-codes.ts';
import { defaultFiles } from '../load/load-tools.ts';
import { packageVersion } from '../load/package-version.ts';
import { askYesNo } from '../print/ask-yes-no.ts';
import type { Terminal } from '../print/terminal.ts';
import { type PackageFile, type Project, type ProjectPlan, planProject } from './plan-project.ts';

const agentsName = 'AGENTS.md';

/** Creates a project ready for tools. Asks first where a person is there; replaces nothing. */
export async function runInit({ terminal, words, flags }: Given): Promise<number> {
  const folder = resolve(terminal.cwd, words[0] ?? '.');
  const { plan, indent } = readProject(folder);
  const { paint, say } = terminal;
  const names = Object.keys(plan.files);
  if (names.length === 0 && plan.changes.length === 0 && plan.agentsFile === undefined) {
    say('Everything is in place already; nothing was changed.\n');
    return exitCodes.done;
  }
  say(`${describe(plan, terminal)}\n`);
  if (flags.get('yes') !== true && !(await askYesNo(terminal, 'Go on?'))) {
    say('Nothing was written.\n');
    return exitCodes.done;
  }
  writeProject(folder, plan, indent);
  const where = relative(terminal.cwd, folder);
  const needed = Object.keys({ ...plan.packageFile.dependencies, ...plan.packageFile.devDependencies });
  const isInstalled = needed.every((name) => existsSync(join(folder, 'node_modules', name)));
  const steps = [
    ...(where === '' ? [] : [`cd ${where}`]),
    ...(isInstalled ? [] : ['npm install']),
    'tools.ts' in plan.files ? `npx toolpact call to_fahrenheit '{"celsius":100}'` : 'npx toolpact list',
    'npx toolpact dev',
  ];
  say(`${paint('good', 'Done.')} Next:\n${steps.map((step) => `  ${paint('strong', step)}\n`).join('')}`);
  return exitCodes.done;
}

function writeProject(folder: string, { files, changes, packageFile, agentsFile }: ProjectPlan, indent: string | number): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: 'wx' });
    if (agentsFile !== undefined) writeFileSync(join(folder, agentsName), agentsFile);
    if (changes.length > 0) writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageFile, null, indent)}\n`);
  } catch (thrown) {
    throw cannotWrite(folder, thrown);
  }
}

function readProject(folder: string): { readonly plan: ProjectPlan; readonly indent: string | number } {
  const file = join(folder, 'package.json');
  const text = existsSync(file) ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : undefined;
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? [...readdirSync(folder), ...defaultFiles.filter((name) => existsSync(join(folder, name)))] : [];
  const agentsPath = join(folder, agentsName);
  const project: Project = {
    packageFile: parse(text, file),
    folder: packageName(folder),
    files,
    version: packageVersion(),
    ...(existsSync(agentsPath) && { agentsFile: readFileSync(agentsPath, 'utf8') }),
  };
  return { plan: planProject(project), indent: /^[ \t]+(?=")/m.exec(text ?? '')?.[0] ?? 2 };
}

function parse(text: string | undefined, file: string): PackageFile | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as PackageFile;
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${(error as Error).message}`, { fix: 'Correct it; nothing was written.' });
  }
}

function packageName(folder: string): string {
  return (
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z\d._-]+/g, '-')
      .replace(/^[._-]+|-+$/g, '') || 'my-tools'
  );
}

function describe({ files, kept, changes, framework, notes, agentsFile }: ProjectPlan, { paint }: Terminal): string {
  const lines = [
    ...Object.keys(files).map((name) => `  ${paint('good', 'new')}    ${name}`),
    ...kept.map((name) => `  ${paint('dim', 'keep')}   ${name}`),
    ...(agentsFile === undefined ? [] : [`  ${paint('good', 'add')}    ${agentsName}: points coding agents to the skill`]),
    ...changes.map((change) => `  ${paint('warn', 'change')} package.json: ${change}`),
    ...(framework === undefined ? [] : [`  ${paint('dim', 'found')}  ${framework.name}: tools.ts shows its line`]),
    ...notes.map((note) => `  ${paint('warn', 'note')}   ${note}`),
  ];
  return lines.join('\n');
}
