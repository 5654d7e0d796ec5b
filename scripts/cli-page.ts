import type { Command } from '../packages/cli/src/commands/command.ts';
import { commands, globalFlags } from '../packages/cli/src/commands/commands.ts';
import { exitCodeTable } from '../packages/cli/src/exit-codes.ts';
import { defaultOf } from '../packages/cli/src/print/help-text.ts';
import { otherVariables } from '../packages/cli/src/settings/read-settings.ts';
import { flagOf, type Setting, type SettingGroup, settingNames, settingOf, variableOf } from '../packages/cli/src/settings/settings.ts';

/** Writes docs/cli.md from the tables of the command line. */
export function cliPage(): string {
  return `# Command line

<!-- Written by \`npm run docs\` from packages/cli/src. Do not edit. -->

\`\`\`sh
npm install --save-dev @toolpact/cli
npx toolpact dev --sample            # serves sample tools over HTTP and MCP
npx toolpact dev tools.ts            # serves your own, and reloads them when a file changes
npx toolpact call add '{"a":2,"b":3}' --sample
\`\`\`

Without a project, run \`npx -y @toolpact/cli dev --sample\`. If you run \`toolpact serve\` in production, install \`@toolpact/cli\` without \`--save-dev\`.

Results go to stdout, and everything else to stderr, including the output of your tools. Colours appear on a terminal only; \`NO_COLOR\`, \`CI\` and \`--no-color\` turn them off, \`FORCE_COLOR\` on. \`--verbose\` shows stack traces.

| command | does |
|---|---|
${Object.entries(commands)
  .map(([name, { takes, summary }]) => `| [\`${name} ${escaped(takes)}\`](#${name}) | ${summary} |`)
  .join('\n')}

## Files with tools

Tools come from a \`.ts\`, \`.mts\`, \`.js\` or \`.mjs\` file. Everything it exports that was made by \`defineTool\` is served: alone, in arrays or as fields of an object, by name or as default:

\`\`\`ts
import { defineTool } from 'toolpact';
import { z } from 'zod';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets a person.',
  input: z.object({ name: z.string() }),
  effects: 'none',
  run: ({ name }) => \`Hello \${name}!\`,
});
\`\`\`

The command puts all tools into one toolbox with a [store](stores.md) and the [guards](guards.md) below. A file may export a toolbox made by \`createToolbox\` instead. It is served unchanged, and settings of
calls, guards and store are an error. Only \`dev\` adds a store if there is none, so that you see the calls.

TypeScript is loaded without a build: [existing projects](existing-projects.md) lists what works. Types are not checked: run \`tsc --noEmit\`
for that.

\`dev\` watches the files and their imports, except packages. After a change it loads the new tools, while running calls finish with the old ones. MCP clients with an open session reconnect. If the new files do not load, the old tools stay, and the error is shown. A change of the configuration file needs a restart.

## Settings

\`\`\`ts
// toolpact.config.ts
import { defineConfig } from '@toolpact/cli/config';

export default defineConfig({ tools: 'src/tools.ts', port: 8080, retryAttempts: 5, rateLimit: 60 });
\`\`\`

Every field is also a flag and a variable: \`retryAttempts\`, \`--retry-attempts 5\`, \`TOOLPACT_RETRY_ATTEMPTS=5\`. A flag wins over a variable, a variable over the file, and the file over the default. Switches: \`--list-calls\`, \`--no-list-calls\`, \`TOOLPACT_LIST_CALLS=off\`.
Lists are separated by commas. An unknown name is an error in all three places.

${(Object.keys(groups) as SettingGroup[]).map(groupPart).join('\n\n')}

Two more variables: ${Object.entries(otherVariables)
    .map(([name, about]) => `\`${name}\` (${about})`)
    .join(', ')}.

## Who may call

Without credentials, the server accepts requests from this machine only, and anyone on this machine can do everything. Any other \`host\` requires \`apiKeys\` or \`jwtJwks\`, and \`hosts\`; otherwise the server does not start.

\`\`\`sh
toolpact key acme                                          # prints a key, and the entry with its hash
export TOOLPACT_API_KEYS='acme:sha256:57b4…, ops:sha256:9c1e… admin tools:call:*'
toolpact serve --host 0.0.0.0 --hosts tools.example.com
\`\`\`

An entry is \`tenant:sha256:…\`, or \`tenant:key\` in a variable or file; scopes follow after spaces. Keys are never printed or logged.

## Exit codes

The exit code of \`call\` tells a script what to do next (and that of \`translate\`, for an unreadable result):

| code | outcome | meaning |
|---:|---|---|
${exitCodeTable.map(([code, name, meaning]) => `| ${code} | ${name} | ${meaning} |`).join('\n')}
| 130 | | stopped by Ctrl-C |

${Object.entries(commands)
  .map(([name, command]) => commandPart(name, command))
  .join('\n\n')}

Every command also takes ${Object.entries(globalFlags)
    .map(([name, { about }]) => `\`--${name}\` (${about.replace(/\.$/, '')})`)
    .join(', ')}.
`;
}

const groups: Readonly<Record<SettingGroup, string>> = {
  files: 'Files and store',
  calls: 'Calls',
  guards: 'Guards',
  telemetry: 'Telemetry',
  server: 'Server',
  access: 'Access',
};

function groupPart(group: SettingGroup): string {
  const rows = settingNames.filter((name) => settingOf(name).group === group);
  return `### ${groups[group]}

| field | flag | variable | default | |
|---|---|---|---|---|
${rows.map((name) => `| \`${name}\` | \`${flagText(name, settingOf(name))}\` | \`${variableOf(name)}\` | ${escaped(defaultText(settingOf(name)))} | ${settingOf(name).about} |`).join('\n')}`;
}

function flagText(name: string, { kind, choices, value }: Setting): string {
  return kind === 'switch' ? `--[no-]${flagOf(name)}` : escaped(`--${flagOf(name)} <${choices?.join('|') ?? value}>`);
}

function defaultText(setting: Setting): string {
  return setting.default === undefined || typeof setting.default === 'boolean' ? defaultOf(setting) : `\`${defaultOf(setting)}\``;
}

function commandPart(name: string, { takes, summary, about, examples, flags, groups: taken }: Command): string {
  const own = Object.entries(flags).map(
    ([flag, { kind, value, about: text }]) => `| \`--${flag}${kind === 'switch' ? '' : ` <${value}>`}\` | ${text} |`,
  );
  const settings = taken.length === 0 ? '' : `\nSettings: ${taken.map((group) => groups[group].toLowerCase()).join(', ')}.\n`;
  return `## ${name}

\`toolpact ${name} ${takes}\`: ${summary}.${about === undefined ? '' : ` ${about}`}

\`\`\`sh
${examples.map(([line, what]) => (what === '' ? line : `${line}    # ${what}`)).join('\n')}
\`\`\`
${own.length === 0 ? '' : `\n| flag | |\n|---|---|\n${own.join('\n')}\n`}${settings}`.trimEnd();
}

/** A bar would end the cell of a table. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
