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

/** The commands in the overview, by what people are about to do. */
const tasks: Readonly<Record<string, readonly string[]>> = {
  'Write tools': ['init', 'dev', 'call', 'list', 'schema'],
  'Check them': ['check', 'explain', 'lock', 'diff'],
  'Serve them': ['serve', 'mcp', 'wrap', 'work', 'key'],
  'Look at calls': ['calls', 'approvals', 'wait', 'settle', 'cancel', 'rerun', 'inspect', 'operate'],
  'Convert results': ['translate'],
};

/** The commands whose help has every setting; the others name the groups, because settings are seldom given to them. */
const withAllSettings: readonly string[] = ['dev', 'serve'];

/** Writes the overview of all commands. */
export function overview(paint: Paint, version: string): string {
  const width = Math.max(...Object.entries(commands).map(([name, { takes }]) => `${name} ${takes}`.length));
  const parts = Object.entries(tasks).map(([title, names]) => {
    const rows = names.map((name) => {
      const { takes, summary } = findCommand(name);
      return [`${name} ${takes}`.padEnd(width), summary] as const;
    });
    return section(title, rows, paint);
  });
  return `${paint('strong', 'toolpact')} ${version}: one contract for every tool call

${parts.join('\n\n')}

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
  const isShown = (group: SettingGroup): boolean => group === 'files' || withAllSettings.includes(name);
  const others = command.groups.filter((group) => !isShown(group));
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
    ...command.groups.filter(isShown).map((group) => section(groupTitles[group], settingRows(group), paint)),
    ...(others.length === 0
      ? []
      : [`${paint('strong', 'Settings')}\n  Also takes those of ${others.join(', ')}: toolpact help serve lists them.`]),
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
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw usageError(`toolpact has no command "${name}".${didYouMean(name, Object.keys(commands))}`, 'toolpact help lists all commands.');
  return command;
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
