import { classify } from '../classify/index.ts';
import { toLogRecord } from '../json/index.ts';
import { expectArgument, refuseOptions } from '../outcome/index.ts';
import type { Guard } from '../ports/index.ts';
import { defineGuard } from '../runtime/index.ts';
import { type AsyncStorage, createAsyncStorage } from '../time/index.ts';

export type { Guard } from '../ports/index.ts';

/** A rejection that no code handled, and the call that left it behind. */
type Stray = {
  readonly tool: string;
  /** Unknown for a call that had no id yet when the promise was rejected. */
  readonly invocationId?: string | undefined;
  readonly error: unknown;
};

/** Options for strays. */
export interface ContainStraysOptions {
  /** Gets each stray. What it throws or rejects with is printed. @default one line on the console */
  readonly onStray?: (stray: Stray) => unknown;
}

/** A call whose strays are contained. */
interface Owner {
  readonly tool: string;
  readonly invocationId?: string | undefined;
  readonly onStray: (stray: Stray) => unknown;
}

/**
 * Contains promises that a handler forgot: a rejection that no code handles is reported with the name of its tool instead of ending the
 * process. Rejections of the application itself still end it, and so do exceptions thrown in timers and callbacks. A job that a tool hands to a
 * pool made before the call belongs to the application, unless `AsyncResource.bind` of `node:async_hooks` binds it. Works until `stop` is called.
 */
export function containStrays(options: ContainStraysOptions = {}): Guard & { readonly stop: () => void } {
  refuseOptions<ContainStraysOptions>('containStrays', options, { onStray: true });
  const { onStray = printStray } = options;
  const stop = listen();
  const guard = defineGuard({
    name: 'contain-strays',
    phase: 'run',
    around: ({ tool, invocationId }, next) => runInside({ tool: tool.name, invocationId, onStray }, next),
  });
  return { ...guard, stop };
}

/**
 * Makes a call with its stray promises contained, for adapters and servers. From the first such call
 * on the process listens for rejections. Where Node's parts are missing, the call is just made.
 */
export function runContained<TValue>(tool: string, run: () => TValue, onStray: (stray: Stray) => unknown = printStray): TValue {
  if (typeof run !== 'function') expectArgument(false, 'runContained takes the name of a tool and a function');
  if (!isListening) {
    isListening = true;
    listen();
  }
  return runInside({ tool, onStray }, run);
}

let isListening = false;

/** The part of Node's `process` that is used here; browsers and some workers have none, or none of these methods. */
interface HostProcess {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly on?: (event: 'unhandledRejection', listener: (error: unknown) => void) => unknown;
  readonly off?: (event: 'unhandledRejection', listener: (error: unknown) => void) => unknown;
  readonly listeners: (event: 'unhandledRejection') => readonly { readonly [mark]?: () => boolean }[];
}

interface Host {
  readonly process?: HostProcess;
}

let users = 0;

/** Marks the listener of every copy of this module, so that none takes the strays of another for the application's. */
const mark = Symbol.for('toolpact.strays');

/** The call that the running code belongs to. */
const calls = createStorage();

function runInside<TValue>(owner: Owner, run: () => TValue): TValue {
  return calls === undefined ? run() : calls.run(owner, run);
}

/** Starts to listen for rejections, once for all users; gives the function that takes one user away. */
function listen(): () => void {
  const { process } = globalThis as Host;
  if (users === 0) process?.on?.('unhandledRejection', onRejection);
  users += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    users -= 1;
    if (users === 0) process?.off?.('unhandledRejection', onRejection);
  };
}

function createStorage(): AsyncStorage<Owner> | undefined {
  const storage = createAsyncStorage<Owner>();
  if (storage !== undefined) Object.defineProperty(onRejection, mark, { value: () => storage.getStore() !== undefined });
  return storage;
}

function onRejection(error: unknown): void {
  const owner = calls?.getStore();
  if (owner !== undefined) {
    const { onStray, ...call } = owner;
    report(onStray, { ...call, error });
    return;
  }
  const { process } = globalThis as Host;
  const listeners = process?.listeners('unhandledRejection') ?? [];
  if (listeners.some((listener) => listener[mark]?.() === true)) return;
  // Without a listener of the application Node would have ended the process, so end it here.
  if (process !== undefined && listeners.every((listener) => mark in listener) && endsProcess(process)) throw error;
}

function endsProcess({ execArgv, env }: HostProcess): boolean {
  return !/--unhandled-rejections[= ](none|warn)/.test(`${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`);
}

function report(onStray: Owner['onStray'], stray: Stray): void {
  try {
    const result = onStray(stray);
    if (result instanceof Promise) result.catch((error: unknown) => printFailed(error));
  } catch (error) {
    printFailed(error);
  }
}

function printFailed(error: unknown): void {
  console.error(toLogRecord(`toolpact: onStray failed. ${classify(error).message}`));
}

function printStray({ tool, invocationId, error }: Stray): void {
  const where = invocationId === undefined ? '' : ` [debugId ${invocationId}]`;
  console.error(toLogRecord(`toolpact: ${tool} left a rejected promise behind. ${classify(error).message}${where}`));
}
