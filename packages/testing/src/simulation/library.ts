/** The parts of Toolpact that a simulated process uses. */
export type Library = Pick<typeof import('toolpact'), 'createToolbox' | 'createWorker' | 'defineTool' | 'fail'> &
  Pick<typeof import('toolpact/extend'), 'defineGuard'> &
  Pick<typeof import('toolpact/notify'), 'defineNotifier'> &
  Pick<typeof import('toolpact/stores/memory'), 'memoryStore'>;

/** The globals of a simulated process. Each call asks the process that has the graph at that moment. */
export interface Host {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly random: () => number;
  readonly setTimer: (run: () => void, ms: number, isRepeated: boolean) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  readonly print: (text: string) => void;
}

/** A module graph of the library: state of its own, and a host that changes with each process that has it. */
export interface Graph {
  readonly library: Library;
  /** Gives the graph to another process: its modules forget what they remember. */
  readonly give: (host: Host) => void;
}

/** A library that was read: makes graphs of it. */
export interface LoadedLibrary {
  readonly createGraph: () => Graph;
}

const shadowed = [
  'Date',
  'performance',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'crypto',
  'Math',
  'console',
  'process',
  'globalThis',
] as const;

/** Asked for at run time: what this package loads needs no Node. */
const nodeModule = (id: string): unknown => process.getBuiltinModule(id);

/**
 * Reads the text of the library: one CommonJS file that needs nothing but Node. Its globals are shadowed by those of a host, so that each graph
 * lives by the clock, the timers and the randomness of one simulated process.
 */
export function loadLibrary(text: string): LoadedLibrary {
  const make = new Function('require', 'exports', ...shadowed, `${text}\n;return () => {\n${resetOf(text)}\n};`);
  return {
    createGraph() {
      let host: Host = withoutProcess;
      const globals = createGlobals(() => host);
      const exports = {} as Library;
      const load = (id: string): unknown => (id === 'node:crypto' ? seededCrypto(() => host) : nodeModule(id));
      const reset = make(load, exports, ...shadowed.map((name) => globals[name])) as () => void;
      return {
        library: exports,
        give(next) {
          host = next;
          reset();
        },
      };
    },
  };
}

/** Where a graph has no process: what its modules do as they load must not depend on time or chance. */
const withoutProcess: Host = {
  now: () => 0,
  monotonic: () => 0,
  random: () => 0.5,
  setTimer: () => undefined,
  clearTimer: () => undefined,
  print: () => undefined,
};

/** The folders whose modules remember something of calls and processes. */
const stateful = /packages\/toolpact\/src\/(?:calls|events|guards|notify|runtime|time)\//;

/**
 * Writes what puts the modules back to where they were after loading: a graph costs milliseconds to make and runs slowly at first, so it serves
 * many processes, one after another. Module state is what lies at the top of a module: a `let`, or a `Map` or `Set` that begins empty.
 */
function resetOf(text: string): string {
  const lines: string[] = [];
  let isStateful = false;
  for (const line of text.split('\n')) {
    // The bundler names the file of each module in a comment before it.
    if (/^\/\/(?:#region)? ?\S+\.[jt]s$/.test(line)) isStateful = stateful.test(line);
    if (!isStateful) continue;
    const [, name, value] = /^let (\w+)(?: = ([^;]+))?;$/.exec(line) ?? [];
    if (name !== undefined) lines.push(`${name} = ${value ?? 'undefined'};`);
    const [, emptied] = /^const ([\w$]+) = (?:\/\* @__PURE__ \*\/ )?new (?:Map|Set)\(\);$/.exec(line) ?? [];
    if (emptied !== undefined) lines.push(`${emptied}.clear();`);
    const [, list, length] = /^const ([\w$]+) = new Array\((\d+)\);$/.exec(line) ?? [];
    if (list !== undefined) lines.push(`${list}.length = 0; ${list}.length = ${length};`);
  }
  return lines.join('\n');
}

function createGlobals(host: () => Host): Record<(typeof shadowed)[number], unknown> {
  class OwnDate extends Date {
    constructor(...given: readonly []) {
      if (given.length === 0) super(host().now());
      else super(...given);
    }
    static override now(): number {
      return Math.floor(host().now());
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Date;
    }
  }
  const performance = { now: () => host().monotonic(), timeOrigin: 0 };
  const setTimer =
    (isRepeated: boolean) =>
    (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): unknown =>
      host().setTimer(() => run(...given), ms, isRepeated);
  const clearTimer = (timer: unknown): void => {
    if (timer !== undefined) host().clearTimer(timer);
  };
  const print = (...given: unknown[]): void => host().print(given.map(String).join(' '));
  const process = {
    nextTick: (run: (...given: unknown[]) => void, ...given: unknown[]) => queueMicrotask(() => run(...given)),
    getBuiltinModule: nodeModule,
    env: {},
    pid: 1,
    listeners: () => [],
    on: () => undefined,
    off: () => undefined,
  };
  const own = {
    Date: OwnDate,
    performance,
    setTimeout: setTimer(false),
    clearTimeout: clearTimer,
    setInterval: setTimer(true),
    clearInterval: clearTimer,
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => setTimer(false)(run, 0, ...given),
    clearImmediate: clearTimer,
    crypto: { randomUUID: () => createUuid(host().random), getRandomValues: (bytes: Uint8Array) => fill(bytes, host().random) },
    Math: Object.assign(Object.create(Math) as object, { random: () => host().random() }),
    console: { log: print, info: print, warn: print, error: print, debug: print },
    process,
  };
  return { ...own, globalThis: own };
}

function seededCrypto(host: () => Host): unknown {
  return {
    ...process.getBuiltinModule('node:crypto'),
    randomBytes: (size: number) => fill(Buffer.alloc(size), host().random),
    randomUUID: () => createUuid(host().random),
  };
}

function fill<TBytes extends Uint8Array>(bytes: TBytes, random: () => number): TBytes {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(random() * 256);
  return bytes;
}

function createUuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
