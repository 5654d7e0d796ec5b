import cluster from 'node:cluster';

/** What a serving process receives when it is started. */
export interface DevRound {
  /** The port of the process before it; 0 where the system chose one. */
  readonly port: number | undefined;
  readonly isFirst: boolean;
}

/** What a process that serves reports: that it listens, that it could not begin, or that it takes no more calls. */
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

/** Not a setting: settings begin with TOOLPACT_. */
const variable = '_TOOLPACT_DEV_ROUND';

/** Writes these settings as an environment variable for the process. */
export function toEnvironment(round: DevRound): Record<string, string> {
  return { [variable]: JSON.stringify(round) };
}

/** Reads the settings of this process; undefined if a person started it. Tools do not see the variable. */
export function readRound(): DevRound | undefined {
  const text = process.env[variable];
  delete process.env[variable];
  return cluster.isWorker && text !== undefined ? (JSON.parse(text) as DevRound) : undefined;
}

/** Reports to the process that watches the files; resolves when the report has left. */
export function reportUp(report: DevReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(report, undefined, undefined, () => resolve());
  });
}
