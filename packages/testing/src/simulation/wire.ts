import type { Store } from 'toolpact/stores/memory';
import type { History } from './history.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** The calls of a store. */
export type Ledger = NonNullable<Store['calls']>;

/** An operation that a process asks of the store. */
export interface WireOperation {
  readonly process: string;
  /** Counts the operations of this process. */
  readonly place: number;
  readonly name: OperationName;
  /** The operation, what it is about and how, as histories show it. */
  readonly what: string;
  readonly given: readonly unknown[];
}

/** The operations that go over a wire: those of the calls, and those that other things are kept with. */
export type OperationName = Exclude<keyof Ledger, 'watch'> | (typeof recordNames)[number];

/**
 * The faults of an operation. Before it is done: the process dies or stands still, the request is refused, lost, or comes late. After it was done:
 * the answer is lost or comes late, or the process dies or stands still with the answer on its way.
 */
export interface WireFault {
  readonly before?: 'die' | 'refuse' | 'lose' | { readonly pauseMs: number } | { readonly lateMs: number };
  readonly after?: 'die' | 'fail' | 'lose' | { readonly pauseMs: number } | { readonly lateMs: number };
}

/** Decides about faults of the wire. */
export type WireFaults = (operation: WireOperation) => WireFault | undefined;

/** A store as one process reaches it. */
export interface Wire {
  readonly store: Store;
  /** Cuts the wire until a moment: what is on its way gets lost, what is asked meanwhile is refused or is never answered. */
  readonly cut: (untilMs: number, how: 'refused' | 'silent' | 'stalled') => void;
  readonly heal: () => void;
  readonly count: () => number;
}

interface WireParts {
  readonly store: Store;
  readonly process: SimulatedProcess;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly history: History;
  readonly faults: WireFaults;
  /** Hears each operation as the store does it. */
  readonly onDone: (operation: WireOperation, answer: unknown) => void;
  /** Hears when the process gets an answer: what it does from here on it does by what the store said at `doneAt`. */
  readonly onAnswer: (process: SimulatedProcess, doneAt: number, operation: WireOperation, answer: unknown) => void;
}

interface Cut {
  readonly until: number;
  readonly how: 'refused' | 'silent' | 'stalled';
}

const recordNames = ['get record', 'put', 'remove', 'add', 'sweep'] as const;
const writeNames: ReadonlySet<OperationName> = new Set<OperationName>([
  'begin',
  'take',
  'takeDue',
  'stepBegin',
  'stepEnd',
  'wait',
  'answer',
  'end',
  'cancel',
  'note',
  'revoke',
]);

/** Checks whether an operation changes a call. Signs of life do not. */
export function isWrite({ name }: Pick<WireOperation, 'name'>): boolean {
  return writeNames.has(name);
}

/** Checks whether it matters to a call when the store does this: not for signs of life, lists, and hints that are looked up. */
function isOfCall(name: OperationName): boolean {
  return writeNames.has(name) || name === 'get' || name === 'findByKey' || name === 'steps' || name === 'args';
}

/** How many hints that a call has changed get lost, and how many come late. */
const lostHints = 0.05;
const lateHints = 0.1;

/** Creates the wire between a process and the store. */
export function createWire(parts: WireParts): Wire {
  const { store, process, scheduler, random, history, faults, onDone, onAnswer } = parts;
  let count = 0;
  let cut: Cut | undefined;
  const cutNow = (): Cut | undefined => (cut !== undefined && cut.until > scheduler.now() ? cut : undefined);

  const ask =
    (name: OperationName, run: (...given: never[]) => Promise<unknown>) =>
    (...given: readonly unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        // Whoever asks after its death is never answered, nor is what it asks done.
        if (!process.isAlive()) return;
        count += 1;
        const operation: WireOperation = { process: process.name, place: count, name, what: describe(name, given), given };
        const fault = faults(operation) ?? noFault;
        const failSoon = (code: 'ECONNREFUSED' | 'ECONNRESET'): unknown =>
          scheduler.after(random.between(0.1, 5), () =>
            process.deliver(() => reject(Object.assign(new Error('The store cannot be reached.'), { code }))),
          );
        const { before, after } = fault;
        if (before !== undefined || after !== undefined) {
          history.note('fault', `${process.name} ${operation.what}: ${say('before', before)}${say('after', after)}`.trimEnd());
          const lateMs = Math.max(isLate(before) ? before.lateMs : 0, isLate(after) ? after.lateMs : 0);
          process.disturb(scheduler.now() + lateMs);
        }
        if (before === 'die') return process.crash();
        if (before === 'lose') return;
        if (before === 'refuse') return void failSoon('ECONNREFUSED');
        if (isPause(before)) process.pause(before.pauseMs);
        const lateMs = isLate(before) ? before.lateMs : 0;

        const arrive = (): void => {
          const broken = cutNow();
          if (broken?.how === 'refused') return void failSoon('ECONNREFUSED');
          if (broken?.how === 'silent') return;
          // A store that stands still does what it was asked once it goes on.
          if (broken?.how === 'stalled') return void scheduler.after(broken.until - scheduler.now() + random.between(0, 20), arrive);
          run(...(given as never[])).then(
            (value) => done({ ok: true, value }),
            (thrown: unknown) => done({ ok: false, thrown }),
          );
        };
        const done = (answer: Answer): void => {
          const doneAt = scheduler.now();
          history.mix(`${process.name}#${operation.place} ${operation.what} ${showAnswer(answer)}`);
          if (answer.ok) onDone(operation, answer.value);
          if (after === 'die') process.crash();
          if (after === 'die' || after === 'lose') return;
          if (after === 'fail') return void failSoon('ECONNRESET');
          if (isPause(after)) process.pause(after.pauseMs);
          const later = isLate(after) ? after.lateMs : 0;
          scheduler.after(latency(random) + later, () => {
            const broken = cutNow();
            if (broken !== undefined && broken.how !== 'stalled') return broken.how === 'refused' ? void failSoon('ECONNRESET') : undefined;
            process.deliver(() => {
              if (!answer.ok) return reject(answer.thrown);
              onAnswer(process, doneAt, operation, answer.value);
              resolve(answer.value);
            });
          });
        };
        const afterMs = latency(random) + lateMs;
        if (isOfCall(name)) scheduler.request(afterMs, arrive, process, isWrite(operation));
        else scheduler.after(afterMs, arrive);
      });

  /** Tells of changes: some hints come late, and a few get lost. */
  const watch: Ledger['watch'] = (listener) => {
    let isOver = false;
    const stop = (store.calls as Ledger).watch((at) => {
      if (isOver || random.chance(lostHints)) return;
      const lateMs = latency(random) + (random.chance(lateHints) ? random.between(0, 2_000) : 0);
      scheduler.after(lateMs, () => {
        if (cutNow() === undefined) process.deliver(() => isOver || listener(at));
      });
    });
    const end = (): void => {
      isOver = true;
      stop();
    };
    process.onDeath(end);
    return end;
  };

  const { calls } = store;
  if (calls === undefined) throw new Error('the store remembers no calls');
  const wiredCalls: Record<string, unknown> = { watch };
  for (const [name, run] of Object.entries(calls)) if (name !== 'watch') wiredCalls[name] = ask(name as OperationName, run as never);
  const wired: Record<string, unknown> = { name: store.name, durable: true, calls: wiredCalls, close: async () => undefined };
  for (const name of ['get', 'put', 'remove', 'add', 'sweep'] as const)
    wired[name] = ask(name === 'get' ? 'get record' : name, store[name] as never);
  return {
    store: wired as unknown as Store,
    cut(untilMs, how) {
      cut = { until: untilMs, how };
      process.disturb(untilMs);
    },
    heal() {
      cut = undefined;
    },
    count: () => count,
  };
}

type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly thrown: unknown };

const noFault: WireFault = {};

function latency(random: Random): number {
  const [share, spread] = [random.next(), random.next()];
  if (share < 0.9) return 0.2 + spread * 3;
  return share < 0.99 ? 3 + spread * 30 : 30 + spread * 300;
}

function isPause(fault: unknown): fault is { readonly pauseMs: number } {
  return typeof fault === 'object' && fault !== null && 'pauseMs' in fault;
}

function isLate(fault: unknown): fault is { readonly lateMs: number } {
  return typeof fault === 'object' && fault !== null && 'lateMs' in fault;
}

function say(when: string, fault: unknown): string {
  if (fault === undefined) return '';
  const what = typeof fault === 'object' ? JSON.stringify(fault) : String(fault);
  return `${when}: ${what} `;
}

/** Details of an operation, for histories and scenarios. */
interface Shown {
  readonly id?: string;
  readonly epoch?: number;
  readonly handle?: string;
  readonly space?: string;
  readonly key?: string;
  readonly name?: string;
  readonly from?: string;
  readonly wait?: object;
  readonly instead?: Shown;
  readonly guessAbout?: number;
  readonly state?: string;
  readonly outcome?: { readonly status: string; readonly error?: { readonly kind: string } };
}

/** Names an operation shortly: `end c1-1@2 ok`, `stepBegin c1-1@1 charge`, `get record secret/fingerprints`. */
function describe(name: OperationName, given: readonly unknown[]): string {
  const [at, facts] = given as [Shown | string | undefined, Shown | string | undefined];
  if (name === 'get' || name === 'findByKey') return `${name} ${String(facts)}`;
  if (typeof at === 'string' || at === undefined || Array.isArray(at)) return name;
  const { id, epoch, handle, space, key, from, wait, instead } = at;
  if (space !== undefined) return `${name} ${space}/${key ?? ''}`;
  if (name === 'begin')
    return `begin ${id}${instead === undefined ? '' : ` instead of ${instead.id}`}${wait === undefined ? '' : ' that waits'}`;
  const place = id ?? handle;
  if (place === undefined) return name;
  const own = typeof facts === 'object' ? facts : {};
  const what = own.name ?? own.from ?? from ?? own.state ?? own.outcome?.error?.kind ?? own.outcome?.status;
  return `${name} ${place}${epoch === undefined ? '' : `@${epoch}`}${what === undefined ? '' : ` ${what}`}${own.guessAbout === undefined ? '' : ` (a guess about ${own.guessAbout})`}`;
}

function showAnswer(answer: Answer): string {
  if (!answer.ok) return `threw ${String(answer.thrown)}`;
  const { value } = answer;
  if (Array.isArray(value)) return `→ ${value.length === 0 ? 'none' : value.map(({ id }: Shown) => id ?? '').join(' ')}`;
  if (typeof value !== 'object' || value === null) return `→ ${String(value)}`;
  const { is, stage, epoch, ok, version, count, call } = value as Record<string, unknown>;
  const found = (call ?? {}) as { readonly stage?: string; readonly epoch?: number };
  return `→ ${[is, stage ?? found.stage, epoch ?? found.epoch, ok, version, count].filter((one) => one !== undefined).join(' ')}`;
}
