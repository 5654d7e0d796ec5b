import type { ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { systemClock } from 'toolpact/internal';

type Sdk = typeof import('@modelcontextprotocol/client');

/** The program of a server, and how it is started. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A message with more characters than this is not kept. */
export const longestMessage = 10_000_000;
/** The code of the answer that is made up for one that was too long. */
export const overlongCode = -32_099;
/**
 * So long a program may take to end when its input has ended, and again when it was asked to. Both together are less than the 4 s after which
 * clients kill the gateway itself.
 */
const graceMs = 1_500;
const lookMs = 25;
/** Of a message that is too long only so much of both ends is kept: enough to find out whose answer it is. */
const endChars = 200;

/** Groups of processes that end with this one, whatever ends it. */
const groups = new Set<number>();
let isHooked = false;

/**
 * Connects to a program over its pipes, as the SDK does, and ends with it all that it has started: the program that a client names is often only
 * the one that starts the server. Not for Windows, which has no groups of processes.
 */
export function createProcessTransport(
  { command, args, env, cwd }: Program,
  start: typeof spawn,
  { deserializeMessage, serializeMessage, SdkError, SdkErrorCode }: Sdk,
  onStderr: (stream: unknown) => void,
): Transport & { readonly pid: number | undefined } {
  let child: ChildProcess | undefined;
  let ending: Promise<void> | undefined;
  let isOver = false;
  const closed = Promise.withResolvers<void>();

  function take(line: string, size: number): void {
    if (line.trim() === '') return;
    try {
      transport.onmessage?.(size > longestMessage ? answerForOverlong(line, size) : deserializeMessage(line));
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  }

  function tellEnd(): void {
    if (isOver) return;
    isOver = true;
    transport.onclose?.();
  }

  async function end(ended: ChildProcess): Promise<void> {
    ended.stdin?.end();
    await within(graceMs, closed.promise);
    if (isAlive(ended)) {
      signalGroup(ended, 'SIGTERM');
      await untilGone(ended);
    }
    if (isAlive(ended)) {
      signalGroup(ended, 'SIGKILL');
      // Not until the group is gone: where nobody buries the dead they stay in it.
      await within(graceMs, closed.promise);
    }
    groups.delete(ended.pid ?? 0);
    // Who left the group may hold the pipes open.
    for (const pipe of [ended.stdin, ended.stdout, ended.stderr]) pipe?.destroy();
    tellEnd();
  }

  const transport: Transport & { readonly pid: number | undefined } = {
    get pid() {
      return child?.pid;
    },
    start() {
      const started = start(command, [...args], { env, stdio: 'pipe', detached: true, ...(cwd !== undefined && { cwd }) });
      child = started;
      if (started.pid !== undefined) endWithThisProcess(started.pid);
      onStderr(started.stderr);
      const onError = (error: Error): void => transport.onerror?.(error);
      for (const pipe of [started.stdin, started.stdout]) pipe.on('error', onError);
      readLines(started.stdout, take);
      started.once('close', () => {
        closed.resolve();
        tellEnd();
        // What the program left behind would have company when it is started again.
        ending ??= end(started);
      });
      return new Promise((resolve, reject) => {
        started.once('spawn', resolve);
        started.on('error', (error) => {
          reject(error);
          onError(error);
        });
      });
    },
    async send(message: JSONRPCMessage) {
      const stdin = child?.stdin;
      if (isOver || ending !== undefined || !stdin) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
      if (!stdin.write(serializeMessage(message))) await new Promise((resolve) => stdin.once('drain', resolve));
    },
    async close() {
      if (child !== undefined) ending ??= end(child);
      await ending;
    },
  };
  return transport;
}

/** Returns each line and its length; of one that is too long only both ends. */
function readLines(stream: NodeJS.ReadableStream, take: (line: string, size: number) => void): void {
  stream.setEncoding('utf8');
  let line = '';
  let size = 0;
  stream.on('data', (text: string) => {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) {
        take(line, size);
        line = '';
        size = 0;
      }
      line += part;
      size += part.length;
      if (size > longestMessage) line = line.slice(0, endChars) + line.slice(-endChars);
    }
  });
}

const idFirst =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"\s*:/;
const idLast =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"\s*:[\s\S]*,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * Makes up the answer to the request whose answer is too long, so that its call need not wait for its deadline. A member right before the last
 * brace, or right after the first, is one of the message and not of its result. Throws for what is no answer.
 */
function answerForOverlong(ends: string, size: number): JSONRPCMessage {
  const id = (idFirst.exec(ends) ?? idLast.exec(ends))?.[1];
  const what = `of ${size} characters, which is more than ${longestMessage}`;
  if (id === undefined) throw new Error(`it sent a message ${what}, and it was left out`);
  return { jsonrpc: '2.0', id: Number(id), error: { code: overlongCode, message: `The server sent an answer ${what}.` } };
}

function endWithThisProcess(pid: number): void {
  groups.add(pid);
  if (isHooked) return;
  isHooked = true;
  process.once('exit', killGroups);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const onSignal = (): void => {
      // Who listens, too, decides what becomes of this process.
      if (process.listenerCount(signal) > 1) return;
      killGroups();
      process.off(signal, onSignal);
      process.kill(process.pid, signal);
    };
    // A signal that nobody listens for ends this process without any event. Before all others: some listen once.
    process.prependListener(signal, onSignal);
  }
}

function killGroups(): void {
  for (const group of groups) kill(-group, 'SIGKILL');
}

/** Signals the group; where there are none, the program alone. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && !kill(-child.pid, signal)) child.kill(signal);
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && (kill(-child.pid, 0) || (child.exitCode === null && child.signalCode === null));
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function untilGone(child: ChildProcess): Promise<void> {
  const until = systemClock.monotonic() + graceMs;
  while (isAlive(child) && systemClock.monotonic() < until) await within(lookMs);
}

/** Waits for something, or for the time to pass. */
async function within(ms: number, done?: Promise<void>): Promise<void> {
  const passed = Promise.withResolvers<void>();
  const stop = systemClock.after(ms, passed.resolve);
  await Promise.race([passed.promise, done ?? passed.promise]);
  stop();
}
