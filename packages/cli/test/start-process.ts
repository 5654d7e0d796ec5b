import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { folderWith, main, type Options, type Ran, type Running, watchOutput } from './run-toolpact.ts';

/** A process that takes longer hangs. */
const patienceMs = 45_000;

/** A command that runs in a process of its own. */
export interface RunningProcess extends Running {
  readonly child: ChildProcessWithoutNullStreams;
}

interface ProcessOptions extends Options {
  readonly nodeArguments?: readonly string[];
}

/** Runs the command line as a process of its own, to its end. */
export function runProcess(words: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
  const { stdin, ended } = startProcess(words, options);
  stdin.end(options.input ?? '');
  return ended;
}

/**
 * Starts the command line as a process of its own; it is killed with its test at the latest. Only for what a process alone has: signals, pipes,
 * its exit, what is loaded before the command, and strays. Everything else runs in the process of the tests, which costs a tenth.
 */
export function startProcess(
  words: readonly string[],
  { cwd = folderWith(), env = {}, nodeArguments = [] }: ProcessOptions = {},
): RunningProcess {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TOOLPACT_|NO_COLOR|FORCE_COLOR|CI$|NODE_|VITEST)/.test(name)),
  );
  const child = spawn(process.execPath, [...nodeArguments, main, ...words], { cwd, env: { ...inherited, ...env }, stdio: 'pipe' });
  const output = watchOutput();
  for (const where of ['stdout', 'stderr'] as const) child[where].setEncoding('utf8').on('data', (text: string) => output.add(where, text));
  child.stdin.on('error', () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  child.on('close', (code) => {
    clearTimeout(timer);
    output.end(code);
  });
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await output.ended;
  });
  return { child, stdin: child.stdin, kill: (signal) => void child.kill(signal), until: output.until, ended: output.ended };
}
