import type { Terminal } from '../print/terminal.ts';

/** The settings of a serving process when it is started. */
export interface DevRound {
  /** The port of the process before it; 0 where the system chose one. */
  readonly port: number | undefined;
  readonly isFirst: boolean;
}

/** A report of a process that serves: that it listens, that it could not begin, or that it takes no more calls. */
export type DevReport =
  | { readonly is: 'ready'; readonly files: readonly string[]; readonly port: number; readonly tools: number }
  | {
      readonly is: 'failed';
      readonly files: readonly string[];
      readonly message: string;
      readonly fix: string | undefined;
      readonly exitCode: number;
    }
  | { readonly is: 'retired' };

/** A word of the process that watches the files: that it watches them, that another process has taken over, or that it stops. */
export type DevWord = 'watching' | 'retire' | 'stop';

/** Not a setting: settings begin with TOOLPACT_. */
const variable = '_TOOLPACT_DEV_ROUND';

/** Writes these settings as an environment variable for the process. */
export function toEnvironment(round: DevRound): Record<string, string> {
  return { [variable]: JSON.stringify(round) };
}

/** Reads the settings of this process; undefined if a person started it. Tools do not see the variable. */
export function readRound({ env, parent }: Pick<Terminal, 'env' | 'parent'>): DevRound | undefined {
  const text = env[variable];
  delete env[variable];
  return parent !== undefined && text !== undefined ? (JSON.parse(text) as DevRound) : undefined;
}

/** Reports to the process that watches the files; resolves when the report has left. */
export async function reportUp({ parent }: Pick<Terminal, 'parent'>, report: DevReport): Promise<void> {
  await parent?.send(report);
}

/** Waits for a word of the process that watches the files. */
export function untilTold<TWord extends DevWord>({ parent }: Pick<Terminal, 'parent'>, word: TWord): Promise<TWord> {
  return new Promise((resolve) => parent?.onMessage((message) => message === word && resolve(word)));
}
