import { type EventOf, ToolpactError, type ToolpactEvent } from 'toolpact';
import type { EventProblem, EventSink } from 'toolpact/internal';
import {
  createDispatcher,
  createEventId,
  createProblemLog,
  isEvent,
  type Listener,
  onRejected,
  refuseOptions,
  toProblemEvent,
} from 'toolpact/internal';
import type { Change } from './change.ts';
import { createTurns } from './create-turns.ts';
import { type FailureRecord, toFailureRecord } from './failure-record.ts';
import { createOpenCalls } from './open-calls.ts';
import { append } from './reducers.ts';
import { createSessionSlices } from './session-slices.ts';
import { createSessionView, type SessionView } from './session-view.ts';
import { type AnySlice, logSlice, type Slice } from './slice.ts';
import { itemsOf, type SliceState } from './slice-state.ts';
import { readSnapshot, type SessionSnapshot } from './snapshot.ts';
import { createTransactions, type Transaction, toRead } from './transactions.ts';

/** Options of a session. */
export interface SessionOptions<TSlices extends Readonly<Record<string, AnySlice>>> {
  /** @default a new id */
  readonly id?: string;
  readonly slices?: TSlices;
  /** @default Date.now */
  readonly now?: () => number;
}

/** The items of slices, by name. */
type ItemsOf<TSlices> = { readonly [TName in keyof TSlices]: TSlices[TName] extends Slice<infer TItem> ? TItem : unknown };

/** State that events and running tools write, and that anybody may read. */
export interface Session<TItems extends object = Record<string, unknown>> extends SessionView<TItems>, EventSink {
  /** Takes an event: runs the reducers, and ends the call's transaction on its `call-end`. Never throws. */
  readonly emit: (event: ToolpactEvent) => void;
  /** The view of a running call, by the `call` of its events. Its writes to `state` slices count once the call succeeds. */
  readonly forCall: (call: string) => CallView;
  /** The view in a run context, `ctx.session`, with the types of this session. */
  readonly within: (context: { readonly session?: object | undefined }) => SessionView<TItems>;
  /** Writes everything down as JSON. */
  readonly snapshot: () => SessionSnapshot;
  /** Goes back to a snapshot. `log` slices are kept as they are, unless `logs` says to take them from the snapshot too. */
  readonly restore: (snapshot: unknown, options?: { readonly logs?: boolean }) => { readonly ok: boolean; readonly problem?: string };
  /**
   * Hears of every reducer of this session that fails, as `problem` events; returns the function that stops it. Without a
   * listener there is one console line a minute.
   */
  readonly subscribe: (listener: (problem: EventOf<'problem'>) => unknown) => () => void;
  /** The last 100 problems. */
  readonly problems: () => readonly EventProblem[];
  /** How full each slice is, and how many calls are running. */
  readonly stats: () => {
    readonly slices: Readonly<Record<string, { readonly items: number; readonly version: number; readonly dropped: number }>>;
    readonly openCalls: number;
    readonly problems: number;
  };
}

/** A session as a running call sees it. Calls that are made with it become a part of that call: they fail with it. */
export type CallView = SessionView &
  EventSink & {
    readonly forCall: (call: string) => CallView;
  };

/** Creates a session. Besides its own slices it has `failures`, a log of every call that failed. */
export function createSession<const TSlices extends Readonly<Record<string, AnySlice>> = Record<never, AnySlice>>(
  options: SessionOptions<TSlices> = {},
): Session<ItemsOf<TSlices> & { readonly failures: FailureRecord }> {
  refuseOptions<SessionOptions<TSlices>>('createSession', options, {
    id: true,
    slices: true,
    now: true,
  });
  const { id = createEventId(), slices = {}, now = Date.now } = options;
  if ('failures' in slices)
    throw new ToolpactError('invalid_definition', 'every session has a slice named "failures"; give yours another name');
  const watchers = createDispatcher();
  const problems = createProblemLog((problem) => {
    if (watchers.active) watchers.emit(toProblemEvent(problem));
    return watchers.active;
  });
  const failures = logSlice<FailureRecord>({ on: { 'call-end': append(toFailureRecord) } });
  const kept = createSessionSlices({ ...slices, failures });
  const { states, stateOf } = kept;
  const seen = new WeakSet<ToolpactEvent>();
  const views = new WeakSet<object>();

  const transactions = createTransactions(stateOf, kept.apply, problems);
  const open = createOpenCalls(transactions, problems);

  function emit(event: ToolpactEvent, outer?: Transaction): void {
    // A session may hear of a call from its toolbox and from a bus.
    if (seen.has(event)) return;
    if (!isEvent(event)) {
      problems.add({ where: 'the session', error: new ToolpactError('invalid_argument', 'an event is an object with a `type`') });
      return;
    }
    seen.add(event);
    if (event.type === 'call-start') open.begin(event.call, outer);
    takeInTurn(event);
  }

  // A reducer that emits is not called again before it has answered.
  const takeInTurn = createTurns(take, ({ id: eventId }) =>
    problems.add({ where: 'the session', error: new RangeError('reducers emit without end'), eventId }),
  );

  function take(event: ToolpactEvent): void {
    const running = 'call' in event ? open.get(event.call) : undefined;
    if (event.type === 'attempt-end' && event.status === 'error') transactions.undoAttempt(running);
    const ended = event.type === 'call-end' ? open.settle(event) : undefined;
    // The end of an inner call is still a part of the outer one.
    const transaction = ended === undefined ? running : liveParent(ended);
    for (const [name, state] of states) reduce(name, state, event, state.slice.kind === 'state' ? transaction : undefined);
    if (event.type !== 'call-end') transactions.beginAttempt(running);
  }

  function reduce(name: string, state: SliceState, event: ToolpactEvent, transaction: Transaction | undefined): void {
    for (const { type, reduce } of state.slice.reducers) {
      if (type !== '*' && type !== event.type) continue;
      let change: Change | undefined;
      try {
        const items = () => itemsOf(transaction === undefined ? stateOf(name) : transactions.read(transaction, name));
        change = reduce(event as never, items as never);
        if (change === undefined) continue;
        if (transaction === undefined) kept.apply(name, change);
        else transactions.write(transaction, name, change);
      } catch (error) {
        problems.add({ where: `a reducer of the slice "${name}"`, error, eventId: event.id });
        onRejected(change, () => undefined);
      }
    }
  }

  function forCall(call: string): CallView {
    const transaction = open.get(call);
    const reading = createSessionView(
      id,
      (name) => toRead(transaction === undefined ? stateOf(name) : transactions.read(transaction, name)),
      (name, change) => {
        if (stateOf(name).slice.kind === 'log') return kept.apply(name, change);
        return transaction !== undefined && transactions.write(transaction, name, change);
      },
    );
    const view = Object.freeze({ ...reading, emit: (event: ToolpactEvent) => emit(event, transaction), forCall });
    views.add(view);
    return view;
  }

  const session: Session = {
    ...createSessionView(id, (name) => toRead(stateOf(name)), kept.apply),
    emit: (event) => emit(event),
    forCall,
    within({ session: view }) {
      if (view === undefined || !views.has(view)) throw new ToolpactError('invalid_argument', 'this call runs without this session');
      return view as SessionView;
    },
    snapshot: () => kept.snapshot(id, now()),
    restore(snapshot, { logs = false } = {}) {
      const read = readSnapshot(snapshot);
      if (!read.ok) return read;
      try {
        kept.replace(read.snapshot, logs);
      } catch (error) {
        return { ok: false, problem: (error as TypeError).message };
      }
      return { ok: true };
    },
    subscribe: (listener) => watchers.subscribe(listener as Listener),
    problems: problems.last,
    stats: () => ({
      slices: kept.stats(),
      openCalls: open.count(),
      problems: problems.count(),
    }),
  };
  return Object.freeze(session) as unknown as Session<ItemsOf<TSlices> & { readonly failures: FailureRecord }>;
}

function liveParent(transaction: Transaction | undefined): Transaction | undefined {
  const parent = transaction?.parent;
  return parent?.ended === true ? undefined : parent;
}
