import { type DevReport, toEnvironment } from '../src/commands/dev-worker.ts';
import { type Options, type Running, start } from './run-toolpact.ts';

/**
 * Starts the half of `toolpact dev` that serves, in this process. The other half watches the files and starts the first one as a process of its
 * own; here it only says that it watches them.
 */
export function serveForDev(words: readonly string[], options: Options = {}): Running {
  const listeners: ((message: unknown) => void)[] = [];
  const parent = {
    send: async (report: object) => {
      if ((report as DevReport).is === 'ready') for (const listener of listeners) listener('watching');
    },
    onMessage: (listener: (message: unknown) => void) => void listeners.push(listener),
  };
  return start(['dev', ...words], { ...options, env: { ...options.env, ...toEnvironment({ port: undefined, isFirst: true }) }, parent });
}
