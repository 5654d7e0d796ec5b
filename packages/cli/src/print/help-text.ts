import { usageError } from '../cli-error.ts';
import type { Command } from '../commands/command.ts';
import { commands, globalFlags } from '../commands/commands.ts';
import { exitCodeTable } from '../exit-codes.ts';
import { didYouMean } from '../settings/did-you-mean.ts';
import { flagOf, type Setting, type SettingGroup, settingNames, settingOf, variableOf } from '../settings/settings.ts';
import type { Paint } from './terminal.ts';

const groupTitles: Readonly<Record<SettingGroup, string>> = {
  files: 'Files',
  calls: 'Calls',
  guards: 'Guards',
  telemetry: 'Telemetry',
  server: 'Server',
  access: 'Access',
};

/** Writes the overview of all commands. */
export function overview(paint: Paint, version: string): string {
  const rows = Object.entries(commands).map(([name, { takes, summary }]) => [`${name} ${takes}`, summary] as const);
  return `${paint('strong', 'toolpact')} ${version}: one contract for every tool call

${section('Commands', rows, paint)}

${paint('strong', 'Start here')}
  toolpact dev --sample
  toolpact help <command>

Every setting is a flag, a TOOLPACT_* variable and a field of toolpact.config.ts; the first one found wins. toolpact help serve lists them.
`;
}

/** Writes the help of one command. */
export function helpOf(name: string, paint: Paint): string {
  const command = findCommand(name);
  const { takes, summary, about, examples, flags } = command;
  const parts = [
    `${paint('strong', `toolpact ${name}`)} ${takes}\n\n  ${about === undefined ? `${capital(summary)}.` : `${capital(summary)}.\n\n${wrap(about, 2)}`}`,
    section('Examples', examples, paint),
    ...(Object.keys(flags).length === 0
      ? []
      : [
          section(
            'Flags',
            Object.entries(flags).map(([flag, row]) => [`--${flag}${row.kind === 'switch' ? '' : ` <${row.value}>`}`, row.about] as const),
            paint,
          ),
        ]),
    ...command.groups.map((group) => section(groupTitles[group], settingRows(group), paint)),
    section(
      'Everywhere',
      Object.entries(globalFlags).map(([flag, row]) => [`--${flag}${row.kind === 'switch' ? '' : ` <${row.value}>`}`, row.about] as const),
      paint,
    ),
    ...(name === 'call'
      ? [
          section(
            'Exit codes',
            exitCodeTable.map(([code, word, meaning]) => [String(code), `${word === '' ? '' : `${word}: `}${meaning}`] as const),
            paint,
          ),
        ]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Finds a command by its exact name. Throws with the nearest one. */
export function findCommand(name: string): Command {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined)
    throw usageError(`toolpact has no command "${name}".${didYouMean(name, Object.keys(commands))}`, 'toolpact help lists all commands.');
  return found;
}

/** Writes the default of a setting. */
export function defaultOf({ default: value, unset }: Setting): string {
  if (value === undefined) return unset ?? '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

function settingRows(group: SettingGroup): (readonly [string, string])[] {
  return settingNames.flatMap((name) => {
    const setting = settingOf(name);
    if (setting.group !== group) return [];
    const flag =
      setting.kind === 'switch' ? `--[no-]${flagOf(name)}` : `--${flagOf(name)} <${setting.choices?.join('|') ?? setting.value}>`;
    return [[flag, `${setting.about} [${defaultOf(setting)}; ${variableOf(name)}]`] as const];
  });
}

const leftWidth = 30;
const lineWidth = 110;

function section(title: string, rows: readonly (readonly [string, string])[], paint: Paint): string {
  const width = Math.min(leftWidth, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) => {
    if (right === '') return `  ${left}`;
    const text = wrap(right, width + 4).trimStart();
    return left.length > width ? `  ${left}\n${' '.repeat(width + 4)}${text}` : `  ${left.padEnd(width)}  ${text}`;
  });
  return `${paint('strong', title)}\n${lines.join('\n')}`;
}

function wrap(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (indent + (lines[last] ?? '').length + word.length + 1 > lineWidth) lines.push(word);
    else lines[last] = lines[last] === '' ? word : `${lines[last]} ${word}`;
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
