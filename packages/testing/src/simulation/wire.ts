import type { Store } from 'toolpact/stores/memory';
import type { History } from './history.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** An operation that a process asks of the store. */
export interface WireOperation {
  readonly process: string;
  /** Counts the operations of this process. */
  readonly place: number;
  readonly name: string;
  /** The operation, its space and its key, as histories show it. */
  readonly what: string;
  readonly given: readonly unknown[];
}

/**
 * What befalls an operation. Before it is done: the process dies or stands still, the request is refused, lost, or comes late. After it was done:
 * the answer is lost or comes late, or the process dies or stands still with the answer on its way.
 */
export interface WireFault {
  readonly before?: 'die' | 'refuse' | 'lose' | { readonly pauseMs: number } | { readonly lateMs: number };
  readonly after?: 'die' | 'fail' | 'lose' | { readonly pauseMs: number } | { readonly lateMs: number };
}

/** What decides about faults of the wire. */
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
  /**
   * How far the clock of the store is ahead of that of the process now. A store of another machine translates moments, as `postgresStore` does;
   * those of one machine share its clock.
   */
  readonly aheadMs: () => number;
  /** Hears each operation as the store does it, and whether it changed something. */
  readonly onDone: (operation: WireOperation, answer: unknown) => void;
  /** Hears when the process gets an answer: what it does from here on it does by what the store said at `doneAt`. */
  readonly onAnswer: (process: SimulatedProcess, doneAt: number) => void;
}

interface Cut {
  readonly until: number;
  readonly how: 'refused' | 'silent' | 'stalled';
}

/** Makes the wire between a process and the store. */
export function createWire(parts: WireParts): Wire {
  const { store, process, scheduler, random, history, faults, aheadMs, onDone, onAnswer } = parts;
  let count = 0;
  let cut: Cut | undefined;
  const cutNow = (): Cut | undefined => (cut !== undefined && cut.until > scheduler.now() ? cut : undefined);

  const ask =
    (name: string, run: (...given: never[]) => unknown) =>
    (...given: readonly unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        // Whoever asks after its death is never answered, nor is what it asks done.
        if (!process.isAlive()) return;
        count += 1;
        const operation: WireOperation = { process: process.name, place: count, name, what: describe(name, given), given };
        const sent = name === 'put' || name === 'write' ? [sentAt(given[0] as Timed, aheadMs()), ...given.slice(1)] : given;
        const fault = faults(operation) ?? {};
        const refuse = (): void => reject(Object.assign(new Error('The connection to the store broke.'), { code: 'ECONNRESET' }));
        const failSoon = (): unknown => scheduler.after(random.between(0.1, 5), () => process.deliver(refuse));
        const { before, after } = fault;
        if (before !== undefined || after !== undefined) {
          history.note('fault', `${process.name} ${operation.what}: ${say('before', before)}${say('after', after)}`.trimEnd());
          const lateMs = Math.max(isLate(before) ? before.lateMs : 0, isLate(after) ? after.lateMs : 0);
          process.disturb(scheduler.now() + lateMs);
        }
        if (before === 'die') return process.crash();
        if (before === 'lose') return;
        if (before === 'refuse') return void failSoon();
        if (isPause(before)) process.pause(before.pauseMs);
        const lateMs = isLate(before) ? before.lateMs : 0;

        const arrive = (): void => {
          const broken = cutNow();
          if (broken?.how === 'refused') return void failSoon();
          if (broken?.how === 'silent') return;
          // A store that stands still does what it was asked once it goes on.
          if (broken?.how === 'stalled') return void scheduler.after(broken.until - scheduler.now() + random.between(0, 20), arrive);
          attempt(() => run(...(sent as never[])), done);
        };
        const done = (answer: Answer): void => {
          const doneAt = scheduler.now();
          history.mix(`${process.name}#${operation.place} ${operation.what} ${showAnswer(answer)}`);
          if (answer.ok) onDone(operation, answer.value);
          if (after === 'die') process.crash();
          if (after === 'die' || after === 'lose') return;
          if (after === 'fail') return void failSoon();
          if (isPause(after)) process.pause(after.pauseMs);
          const later = isLate(after) ? after.lateMs : 0;
          scheduler.after(latency(random) + later, () => {
            if (cutNow() !== undefined && cutNow()?.how !== 'stalled') return cutNow()?.how === 'refused' ? void failSoon() : undefined;
            process.deliver(() => {
              onAnswer(process, doneAt);
              if (answer.ok) resolve(gotAt(answer.value, aheadMs()));
              else reject(answer.thrown);
            });
          });
        };
        scheduler.after(latency(random) + lateMs, arrive);
      });

  const wired: Record<string, unknown> = { name: store.name, durable: true };
  for (const name of ['get', 'put', 'remove', 'list', 'find', 'add', 'sweep'] as const) {
    const own = store[name] as ((...given: never[]) => unknown) | undefined;
    if (own !== undefined) wired[name] = ask(name, own.bind(store));
  }
  if (store.logs !== undefined) {
    const { logs } = store;
    wired.logs = { write: ask('write', logs.write.bind(logs) as never), read: ask('read', logs.read.bind(logs) as never) };
  }
  wired.close = async () => undefined;
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

/** Asks a store that answers at once, or with a promise that waits for nothing. */
function attempt(run: () => unknown, done: (answer: Answer) => void): void {
  const failed = (thrown: unknown): void => done({ ok: false, thrown });
  try {
    const value = run();
    if (value instanceof Promise) value.then((answer: unknown) => done({ ok: true, value: answer }), failed);
    else done({ ok: true, value });
  } catch (thrown) {
    failed(thrown);
  }
}

/** What carries moments. */
interface Timed {
  readonly expiresAt?: number;
  readonly endsAt?: number;
}

/** Gives what goes over the wire, with its moments by the clock of the store. */
function sentAt(given: Timed, aheadMs: number): Timed {
  return given.expiresAt === undefined || aheadMs === 0 ? given : { ...given, expiresAt: given.expiresAt + aheadMs };
}

/** Gives what came over the wire, with its moments by the clock of the process. */
function gotAt(value: unknown, aheadMs: number): unknown {
  if (aheadMs === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => gotAt(one, aheadMs));
  const { expiresAt, endsAt } = value as Timed;
  return {
    ...value,
    ...(expiresAt !== undefined && { expiresAt: expiresAt - aheadMs }),
    ...(endsAt !== undefined && { endsAt: endsAt - aheadMs }),
  };
}

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

/** Names an operation shortly: `put call-end/c1 expect 0`. */
function describe(name: string, given: readonly unknown[]): string {
  const [at, expect] = given as [Record<string, unknown> | undefined, unknown];
  const { space, key, log, name: entry, group } = at ?? {};
  const place =
    log === undefined ? `${space}/${key ?? `*${group ?? ''}`}` : `log ${String(log).slice(0, 8)}${entry === undefined ? '' : `/${entry}`}`;
  return `${name} ${place}${name === 'put' && expect !== undefined ? ` expect ${expect}` : ''}`;
}

function showAnswer(answer: Answer): string {
  if (!answer.ok) return `threw ${String(answer.thrown)}`;
  const { value } = answer;
  if (Array.isArray(value)) return `→ ${value.length} records`;
  if (typeof value !== 'object' || value === null) return `→ ${String(value)}`;
  const { ok, version, count } = value as Record<string, unknown>;
  return `→ ${ok ?? ''} ${version ?? count ?? ''}`.trimEnd();
}
