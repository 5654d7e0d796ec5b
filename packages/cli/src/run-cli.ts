import { usageError } from './cli-error.ts';
import type { Command } from './commands/command.ts';
import { globalFlags } from './commands/commands.ts';
import { exitCodes } from './exit-codes.ts';
import { loadConfig } from './load/load-config.ts';
import { loadEnvFile } from './load/load-env-file.ts';
import { createModuleLoader } from './load/module-loader.ts';
import { findCommand, helpOf, overview } from './print/help-text.ts';
import { tellError } from './print/tell-error.ts';
import type { Terminal } from './print/terminal.ts';
import { didYouMean } from './settings/did-you-mean.ts';
import { type Flag, type FlagValue, readArguments } from './settings/read-arguments.ts';
import { readSettings } from './settings/read-settings.ts';
import { flagOf, type Setting, type SettingName, settingNames, settingOf } from './settings/settings.ts';

/** Does what the words say, and says what goes wrong; resolves to the exit code. */
export async function runCli(argv: readonly string[], terminal: Terminal, version: string): Promise<number> {
  try {
    return await runWords(argv, terminal, version);
  } catch (error) {
    return tellError(error, terminal);
  }
}

async function runWords(argv: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v' || name === 'version') {
    await terminal.out(`${version}\n`);
    return exitCodes.done;
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const [topic] = rest.filter((word) => !word.startsWith('-'));
    await terminal.out(topic === undefined ? overview(terminal.outPaint, version) : helpOf(topic, terminal.outPaint));
    // No command given: a usage error.
    return name === undefined ? exitCodes.usage : exitCodes.done;
  }
  if (name.startsWith('-')) {
    const near = didYouMean(name.replace(/^-+/, ''), ['help', 'version'], (flag) => `--${flag}`);
    throw usageError(
      near === '' ? `The command comes first, then ${name}.` : `There is no flag ${name}.${near}`,
      'toolpact help lists all commands.',
    );
  }
  const command = findCommand(name);
  // Behind `--` stand the words of another program.
  const ownWords = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (ownWords.includes('--help') || ownWords.includes('-h')) {
    await terminal.out(helpOf(name, terminal.outPaint));
    return exitCodes.done;
  }
  const { words, flags } = readArguments(name, rest, flagsOf(command));
  checkWords(name, command, words);
  checkChoices(command, flags);
  // First of all: the configuration file and the settings may need what it says.
  const envFile =
    command.groups.length === 0
      ? undefined
      : loadEnvFile(terminal, flags.get('env-file') as string | undefined, command.readsDotEnv === true);
  const named = (flags.get('config') as string | undefined) ?? (terminal.env.TOOLPACT_CONFIG || undefined);
  const loader = createModuleLoader(terminal.cwd);
  try {
    const isOther = command.readsOwnConfig === true;
    const config = command.groups.length === 0 ? undefined : await loadConfig(loader, terminal.cwd, isOther ? undefined : named);
    const written = new Map(settingsOf(command).flatMap((setting) => pick(setting, flags)));
    const settings = readSettings({ flags: written, env: terminal.env, file: config });
    const run = await command.load();
    return await run({ terminal, words, flags, settings, config, envFile, loader });
  } finally {
    loader.close();
  }
}

/** The flags a command understands: its own, those of its settings, and those of every command. */
function flagsOf(command: Command): Map<string, Flag | Setting> {
  return new Map<string, Flag | Setting>([
    ...Object.entries(globalFlags),
    ...settingsOf(command).map((name): [string, Setting] => [flagOf(name), settingOf(name)]),
    ...Object.entries(command.flags),
  ]);
}

function settingsOf({ groups }: Command): SettingName[] {
  return settingNames.filter((name) => groups.includes(settingOf(name).group));
}

function pick(name: SettingName, flags: ReadonlyMap<string, FlagValue>): [SettingName, string | boolean][] {
  const value = flags.get(flagOf(name)) as string | boolean | undefined;
  return value === undefined ? [] : [[name, value]];
}

function checkWords(name: string, { words: [least, most], takes, groups }: Command, words: readonly string[]): void {
  if (words.length < least) throw usageError(`toolpact ${name} needs ${takes.split(' ')[0]}.`, `toolpact ${name} ${takes}`);
  const surplus = words[most];
  if (surplus === undefined) return;
  const isFile = groups.includes('files') && /\.[mc]?[jt]s$/.test(surplus);
  throw usageError(
    `toolpact ${name} does not take "${surplus}".`,
    isFile ? `Files are named with a flag here: --tools ${surplus}` : `toolpact ${name} ${takes}`,
  );
}

function checkChoices({ flags: known }: Command, flags: ReadonlyMap<string, FlagValue>): void {
  for (const [name, { choices }] of Object.entries(known)) {
    const wrong = [flags.get(name) ?? []].flat().find((value) => choices?.includes(String(value)) === false);
    if (wrong !== undefined) throw usageError(`--${name} must be one of ${choices?.join(', ')}, not ${JSON.stringify(wrong)}.`);
  }
}
