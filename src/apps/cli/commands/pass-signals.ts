import type { ChildProcess } from 'node:child_process';
import { stopSignals } from './until-stopped.ts';

/**
 * Lets a child process decide how it stops: this process outlives the signals that ask it to stop, and passes them on. Not on Windows:
 * there the console sends them to both processes, and `kill` would end the child in the middle of its calls.
 */
export function passSignals(child: Pick<ChildProcess, 'kill'>, platform: NodeJS.Platform = process.platform): void {
  for (const signal of stopSignals) process.on(signal, () => platform !== 'win32' && child.kill(signal));
}
