import { usageError } from '../cli-error.ts';
import { didYouMean } from './did-you-mean.ts';
import { readSetting, type Value } from './read-setting.ts';
import { flagOf, type SettingName, type SettingValue, settingNames, settingOf, variableOf } from './settings.ts';

/** All settings, each from the place that counts. */
export type Settings = { readonly [TName in SettingName]: SettingValue<TName> } & {
  /** Who set what; a setting that is not in it has its default. */
  readonly setBy: ReadonlyMap<SettingName, Source>;
};

/** A place where a setting can be written; the first in this order counts. */
export type Source = 'flag' | 'variable' | 'file';

/** The written values, by place. */
export interface Written {
  /** By the name of the setting. */
  readonly flags: ReadonlyMap<SettingName, string | boolean>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file?: { readonly path: string; readonly config: Readonly<Record<string, unknown>> } | undefined;
}

/** Variables that are no settings of a toolbox or server. */
export const otherVariables = {
  TOOLPACT_CONFIG: 'the configuration file, like --config',
  TOOLPACT_API_KEY: 'the key that `check` and the commands with `--url` send',
} as const;

/** Reads all settings: a flag counts before a variable, a variable before the file, the file before the default. Throws for names and values that are wrong, wherever they stand. */
export function readSettings({ flags, env, file }: Written): Settings {
  checkVariables(env);
  if (file !== undefined) checkFields(file.config, file.path);
  const values: Partial<Record<SettingName, Value>> = {};
  const setBy = new Map<SettingName, Source>();
  for (const name of settingNames) {
    const places: readonly (readonly [Source, unknown, string])[] = [
      ['flag', flags.get(name), `--${flagOf(name)}`],
      ['variable', env[variableOf(name)] || undefined, variableOf(name)],
      ['file', file?.config[name], `${name} in ${file?.path}`],
    ];
    // Everything written is checked, also what another place overrules: it would be a surprise later.
    const read = places.flatMap(([source, written, where]) =>
      written === undefined ? [] : [{ source, value: readSetting(name, written, where) }],
    );
    const [first] = read;
    if (first !== undefined) setBy.set(name, first.source);
    const value = first?.value ?? settingOf(name).default;
    if (value !== undefined) values[name] = value;
  }
  if (setBy.get('apiKeys') === 'flag') checkFlagKeys(values.apiKeys as readonly string[]);
  if (setBy.get('webhookSecret') === 'flag')
    throw usageError(
      'The secret of webhooks cannot be a flag, because other users of this machine can read flags.',
      `Put it into ${variableOf('webhookSecret')}.`,
    );
  return Object.freeze({ ...values, setBy }) as Settings;
}

/** Everybody on the machine can read flags. */
function checkFlagKeys(keys: readonly string[]): void {
  if (keys.every((key) => /^[^:\s]+:sha256:[\da-f]{64}(\s|$)/.test(key))) return;
  throw usageError(
    '--api-keys takes hashes only, because other users of this machine can read flags.',
    `Write tenant:sha256:… (toolpact key creates a key and its hash), or put the keys into ${variableOf('apiKeys')}.`,
  );
}

function checkVariables(env: Readonly<Record<string, string | undefined>>): void {
  const knownNames = [...settingNames.map(variableOf), ...Object.keys(otherVariables)];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('TOOLPACT_') || knownNames.includes(name)) continue;
    throw usageError(
      `The variable ${name} is not known.${didYouMean(name, knownNames)}`,
      'Correct or unset it. toolpact help serve lists all.',
    );
  }
}

function checkFields(config: Readonly<Record<string, unknown>>, path: string): void {
  for (const name of Object.keys(config)) {
    if (settingNames.includes(name as SettingName)) continue;
    throw usageError(
      `${path} has the unknown field "${name}".${didYouMean(name, settingNames)}`,
      'toolpact help serve lists all settings.',
    );
  }
}
