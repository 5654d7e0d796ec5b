import { type EventOf, type EventProblem, type EventSink, type EventType, ToolpactError, type ToolpactEvent } from 'toolpact';
import { createProblemLog, isEvent, onRejected, printProblem, toProblemEvent } from 'toolpact/internal';
import { createTurns } from './create-turns.ts';
import { type AsyncSink, createSinkQueue, type QueueOptions, type SinkQueue } from './sink-queue.ts';

/** The result of dispatching one event. */
type Dispatch = {
  readonly ok: boolean;
  /** How many handlers took it. */
  readonly handled: number;
  readonly errors: readonly unknown[];
};

/**
 * Gives events to handlers: in order, synchronously, each isolated from the others and from the call. A handler or sink that fails
 * becomes a `problem` event for the handlers of that type; without one there is one console line a minute.
 */
export interface EventBus extends EventSink {
  /** Gives an event to every handler; never throws. An event emitted by a handler is dispatched after the one being handled. */
  readonly emit: (event: ToolpactEvent) => Dispatch;
  /** Listens to events of one type, or to all with `'*'`; returns the function that stops it. */
  readonly on: {
    <TType extends EventType>(type: TType, handler: (event: EventOf<TType>) => unknown): () => void;
    (type: '*', handler: (event: ToolpactEvent) => unknown): () => void;
  };
  /** Adds a sink that may be slow or broken: it gets batches, later, from a bounded queue whose losses are counted. */
  readonly addSink: (sink: AsyncSink, options?: QueueOptions) => SinkQueue;
  /** The last 100 problems. */
  readonly problems: () => readonly EventProblem[];
  readonly problemCount: () => number;
}

type Handler = (event: ToolpactEvent) => unknown;

const queuedDispatch: Dispatch = Object.freeze({ ok: true, handled: 0, errors: [] });

/** Creates an event bus. */
export function createEventBus(): EventBus {
  const problems = createProblemLog(announce);
  const handlers: { readonly type: string; readonly handler: Handler }[] = [];

  function dispatch(event: ToolpactEvent): Dispatch {
    const errors: unknown[] = [];
    let handled = 0;
    const where = `a handler of ${event.type}`;
    const report = (error: unknown): void => {
      // A problem with a problem is only printed.
      if (event.type === 'problem') printProblem({ where, error });
      else problems.add({ where, error, eventId: event.id });
    };
    // A copy, because a handler may stop itself or add another.
    for (const { type, handler } of [...handlers]) {
      if (type !== '*' && type !== event.type) continue;
      handled += 1;
      try {
        onRejected(handler(event), report);
      } catch (error) {
        errors.push(error);
        report(error);
      }
    }
    return { ok: errors.length === 0, handled, errors };
  }

  // Not in turn and not to '*': a sink that fails would get its own problems for ever.
  function announce(problem: EventProblem): boolean {
    const own = handlers.filter(({ type }) => type === 'problem');
    const event = own.length > 0 && toProblemEvent(problem);
    const print = (error: unknown): void => printProblem({ where: 'a handler of problem', error });
    for (const { handler } of own) {
      try {
        onRejected(handler(event as ToolpactEvent), print);
      } catch (error) {
        print(error);
      }
    }
    return own.length > 0;
  }

  // Every handler sees all events in one order.
  const dispatchInTurn = createTurns(dispatch, ({ id }) =>
    problems.add({ where: 'the bus', error: new RangeError('handlers emit without end'), eventId: id }),
  );

  function on(type: string, handler: (event: never) => unknown): () => void {
    const entry = { type, handler: handler as Handler };
    handlers.push(entry);
    return () => {
      const index = handlers.indexOf(entry);
      if (index >= 0) handlers.splice(index, 1);
    };
  }

  return {
    emit(event) {
      if (isEvent(event)) return dispatchInTurn(event) ?? queuedDispatch;
      const error = new ToolpactError('invalid_argument', 'an event is an object with a `type`');
      problems.add({ where: 'the bus', error });
      return { ok: false, handled: 0, errors: [error] };
    },
    on,
    addSink(sink, queueOptions = {}) {
      return createSinkQueue(sink, queueOptions, problems, (push) => on('*', push));
    },
    problems: problems.last,
    problemCount: problems.count,
  };
}
