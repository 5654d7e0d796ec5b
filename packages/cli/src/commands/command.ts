import type { ConfigFile } from '../load/load-config.ts';
import type { EnvFile } from '../load/load-env-file.ts';
import type { ModuleLoader } from '../load/module-loader.ts';
import type { Terminal } from '../print/terminal.ts';
import type { Flag, FlagValue } from '../settings/read-arguments.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { SettingGroup } from '../settings/settings.ts';

/** One command of `toolpact`. */
export interface Command {
  /** The words after the name, such as `<tool> [json]`. */
  readonly takes: string;
  /** How many words it takes. */
  readonly words: readonly [least: number, most: number];
  /** One line for the list of commands. */
  readonly summary: string;
  /** More, for its own help. */
  readonly about?: string;
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly groups: readonly SettingGroup[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** Whether the variables of a file `.env` in the working folder are set without asking. */
  readonly readsDotEnv?: true;
  /** Whether `--config` names a file of its own, and not `toolpact.config.ts`. */
  readonly readsOwnConfig?: true;
  /** Loads the command when it is asked for, so that no other command waits for it. */
  readonly load: () => Promise<RunCommand>;
}

/** Runs a command; resolves to the exit code. */
export type RunCommand = (given: Given) => Promise<number>;

/** Everything that a command is given. */
export interface Given {
  readonly terminal: Terminal;
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, FlagValue>;
  readonly settings: Settings;
  readonly config: ConfigFile | undefined;
  readonly envFile: EnvFile | undefined;
  readonly loader: ModuleLoader;
}
