import type { EventOf, Outcome, ToolpactEvent } from 'toolpact';
import { createEvent, createEventId, makeFailure } from 'toolpact/internal';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { append, clear, replaceLatest, resultsOf, upsert } from './reducers.ts';
import { createSession } from './session.ts';
import { logSlice, stateSlice } from './slice.ts';

interface Order {
  readonly id: string;
  readonly count: number;
}

const meta = { tookMs: 1, attempts: 1 };
const ok = (data: unknown): Outcome => ({ status: 'ok', data, meta });
const failed: Outcome = { status: 'error', error: makeFailure('upstream', { message: 'It is down.' }), meta };
const facts = (tool = 'order') => ({ call: createEventId(), tool, invocationId: 'i', traceId: 't' });
const start = (of: ReturnType<typeof facts>): ToolpactEvent => createEvent({ type: 'call-start', ...of, input: {} }, { at: 1 });
const end = (of: ReturnType<typeof facts>, outcome: Outcome): ToolpactEvent => createEvent({ type: 'call-end', ...of, outcome }, { at: 2 });
const orders = () => stateSlice<Order>({ key: ({ id }) => id });
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

const quiet = { now: () => 5 };

describe('reducers', () => {
  test('append, upsert by key, replace the latest and clear, by the type of event', () => {
    const session = createSession({
      slices: {
        ended: logSlice<string>({ on: { 'call-end': append(({ tool }) => tool) } }),
        orders: stateSlice<Order>({
          key: ({ id }) => id,
          on: { 'call-end': upsert(({ outcome }) => (outcome.status === 'ok' ? (outcome.data as Order) : undefined)) },
        }),
        last: stateSlice<string>({ on: { 'call-end': replaceLatest(({ outcome }) => outcome.status) } }),
        waiting: stateSlice<string>({ on: { 'call-start': append(({ tool }) => [tool]), 'call-end': clear() } }),
      },
    });
    for (const [index, outcome] of [ok({ id: 'a', count: 1 }), ok({ id: 'b', count: 1 }), ok({ id: 'a', count: 2 }), failed].entries()) {
      const call = facts(`tool ${index}`);
      session.emit(start(call));
      session.emit(end(call, outcome));
    }
    expect(session.all('ended')).toEqual(['tool 0', 'tool 1', 'tool 2', 'tool 3']);
    expect(session.all('orders')).toEqual([
      { id: 'a', count: 2 },
      { id: 'b', count: 1 },
    ]);
    expect(session.all('last')).toEqual(['error']);
    expect(session.all('waiting')).toEqual([]);
    expect(session.latest('ended')).toBe('tool 3');
    expect(session.where('orders', ({ count }) => count > 1)).toEqual([{ id: 'a', count: 2 }]);
  });

  test('that replace the latest item leave one alone that was only written again', () => {
    const session = createSession({ slices: { orders: orders() } });
    session.append('orders', { id: 'a', count: 1 }, { id: 'b', count: 1 });
    session.upsert('orders', { id: 'a', count: 2 });
    session.replaceLatest('orders', { id: 'c', count: 1 });
    expect(session.all('orders')).toEqual([
      { id: 'a', count: 2 },
      { id: 'c', count: 1 },
    ]);
  });

  test('that select the results of a tool take those of calls that succeeded, wholly or in part', () => {
    const tool = { name: 'order', call: async () => ok(1) as Outcome<number> };
    const session = createSession({ slices: { results: logSlice<number>({ on: { 'call-end': append(resultsOf(tool)) } }) } });
    const half: Outcome = { status: 'partial', data: 2, failures: [], total: 2, meta };
    const waits: Outcome = { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta };
    for (const outcome of [ok(1), half, failed, waits]) session.emit(end(facts(), outcome));
    session.emit(end(facts('another'), ok(3)));
    expect(session.all('results')).toEqual([1, 2]);
  });

  test('that replace the latest item by one whose key is there already leave it there once, as the latest', () => {
    const session = createSession({ slices: { orders: orders() } });
    session.append('orders', { id: 'a', count: 1 }, { id: 'b', count: 1 }, { id: 'c', count: 1 });
    session.replaceLatest('orders', { id: 'a', count: 2 });
    expect(session.all('orders')).toEqual([
      { id: 'b', count: 1 },
      { id: 'a', count: 2 },
    ]);
  });

  test('see what the slice holds', () => {
    const session = createSession({
      slices: {
        counts: logSlice<number>({ on: { 'prompt-start': (_event, items) => ({ op: 'append', items: [items().length] }) } }),
      },
    });
    for (let index = 0; index < 3; index += 1) session.emit(createEvent({ type: 'prompt-start' }));
    expect(session.all('counts')).toEqual([0, 1, 2]);
  });

  test('that fail are collected and keep no other from working', () => {
    const session = createSession({
      ...quiet,
      slices: {
        broken: logSlice<string>({
          on: {
            'call-end': append(() => {
              throw new Error('broken');
            }),
          },
        }),
        keyless: logSlice<string>({ on: { 'call-end': upsert(({ tool }) => tool) } }),
        sound: logSlice<string>({ on: { '*': append(({ type }) => type) } }),
      },
    });
    session.emit(end(facts(), failed));
    expect(session.all('sound')).toEqual(['call-end']);
    expect(session.problems().map(({ where, error }) => `${where}: ${error}`)).toEqual([
      'a reducer of the slice "broken": Error: broken',
      'a reducer of the slice "keyless": ToolpactError: upsert needs a slice with a key',
    ]);
  });

  test('that give no change harm neither a call that runs nor its writes', async () => {
    const wrong = [{ op: 'push' }, { op: 'append' }, 7, Promise.reject(new Error('later'))];
    const session = createSession({
      ...quiet,
      slices: { log: stateSlice<string>({ on: { 'call-start': wrong.map((change) => () => change as never) } }) },
    });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    view.append('log', 'mine');
    expect(view.all('log')).toEqual(['mine']);
    session.emit(end(call, ok(1)));
    expect(session.all('log')).toEqual(['mine']);
    expect(session.problems()).toHaveLength(wrong.length);
  });

  test('that answer each other for ever are ended', () => {
    let count = 0;
    const again = () => {
      count += 1;
      session.emit(createEvent({ type: 'prompt-start' }));
      return undefined;
    };
    const session = createSession({ ...quiet, slices: { log: logSlice<string>({ on: { 'prompt-start': [again, again] } }) } });
    again();
    expect(count).toBe(2003);
    expect(String(session.problems().at(-1)?.error)).toContain('without end');
  });

  test('record a failed call although its value is null, in a slice every session has', () => {
    const session = createSession();
    session.emit(end(facts('visit'), failed));
    session.emit(end(facts('search'), ok(null)));
    expect(session.all('failures')).toMatchObject([{ v: 1, at: 2, tool: 'visit', attempts: 1, error: { kind: 'upstream' } }]);
  });

  test.each([undefined, null, 7, 'call-end', {}])('hear nothing of %j, which is no event', (value) => {
    const session = createSession({ ...quiet, slices: { log: logSlice<string>({ on: { '*': append(({ type }) => type) } }) } });
    session.emit(value as never);
    expect([session.all('log'), session.problems().map(({ error }) => String(error))]).toEqual([
      [],
      ['ToolpactError: an event is an object with a `type`'],
    ]);
  });

  test('hear an event once, although it comes from a bus and from a toolbox', () => {
    const session = createSession({ slices: { log: logSlice<string>({ on: { '*': append(({ type }) => type) } }) } });
    const event = createEvent({ type: 'prompt-start' });
    session.emit(event);
    session.emit(event);
    expect(session.all('log')).toEqual(['prompt-start']);
  });
});

describe('the transaction of a call', () => {
  test('makes state writes real when the call succeeds, and they are not seen before', () => {
    const session = createSession({ slices: { orders: orders() } });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    view.append('orders', { id: 'a', count: 1 });
    view.upsert('orders', { id: 'a', count: 2 });
    expect([view.all('orders'), session.all('orders')]).toEqual([[{ id: 'a', count: 2 }], []]);
    session.emit(end(call, ok(1)));
    expect(session.all('orders')).toEqual([{ id: 'a', count: 2 }]);
  });

  test('undoes the state of a failed call, keeps its log, and leaves a parallel sibling alone', () => {
    const session = createSession({ slices: { orders: orders(), log: logSlice<string>() } });
    const [bad, good] = [facts(), facts()];
    session.emit(start(bad));
    session.emit(start(good));
    session.forCall(bad.call).append('orders', { id: 'bad', count: 1 });
    session.forCall(bad.call).append('log', 'bad was here');
    session.forCall(good.call).append('orders', { id: 'good', count: 1 });
    session.emit(end(good, ok(1)));
    session.emit(end(bad, failed));
    expect(session.all('orders')).toEqual([{ id: 'good', count: 1 }]);
    expect(session.all('log')).toEqual(['bad was here']);
    expect(session.stats().openCalls).toBe(0);
  });

  test('undoes what reducers made of the events of a failed call, but not of its end', () => {
    const on = {
      'call-start': append(({ tool }: EventOf<'call-start'> | EventOf<'call-end'>) => `${tool} began`),
      'call-end': append(({ tool }: EventOf<'call-start'> | EventOf<'call-end'>) => `${tool} ended`),
    };
    const session = createSession({ slices: { state: stateSlice<string>({ on }), log: logSlice<string>({ on }) } });
    const call = facts();
    session.emit(start(call));
    session.emit(end(call, failed));
    expect(session.all('state')).toEqual(['order ended']);
    expect(session.all('log')).toEqual(['order began', 'order ended']);
  });

  test('forgets what a failed attempt wrote when the next one succeeds, but not what reducers made of its end', () => {
    const reduced = stateSlice<string>({ on: { 'call-start': append(({ type }) => type), 'attempt-end': append(({ status }) => status) } });
    const session = createSession({ slices: { orders: orders(), reduced } });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    expect(view.compareAndSet('orders', 0, [{ id: 'first', count: 1 }])).toBe(true);
    session.emit(createEvent({ type: 'attempt-end', ...call, attempt: 1, status: 'error', tookMs: 1 }));
    expect(view.all('orders')).toEqual([]);
    expect(view.compareAndSet('orders', 0, [{ id: 'second', count: 1 }])).toBe(true);
    session.emit(createEvent({ type: 'attempt-end', ...call, attempt: 2, status: 'ok', tookMs: 1 }));
    session.emit(end(call, ok(1)));
    expect([session.all('orders'), session.all('reduced')]).toEqual([[{ id: 'second', count: 1 }], ['call-start', 'error', 'ok']]);
  });

  test('that is one too many undoes the oldest, and says so', () => {
    const session = createSession({ ...quiet, slices: { orders: orders() } });
    const calls = Array.from({ length: 10_001 }, () => facts());
    for (const call of calls) session.emit(start(call));
    expect(session.stats()).toMatchObject({ openCalls: 10_000, problems: 1 });
    expect(String(session.problems()[0]?.error)).toContain('too many calls at once');
  });

  test('takes no state after its end, as from a handler that runs on', () => {
    const session = createSession({ slices: { orders: orders(), log: logSlice<string>() } });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    session.emit(end(call, failed));
    expect([view.append('orders', { id: 'late', count: 1 }), view.append('log', 'late')]).toEqual([false, true]);
    expect(session.all('orders')).toEqual([]);
  });

  test('fails at once for a slice that is not there, or an item without a key', () => {
    const session = createSession({ slices: { orders: orders(), log: logSlice<string>() } });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    expect(() => view.append('nothing', 1)).toThrow('no slice named "nothing"; it has orders, log, failures');
    expect(() => view.append('orders', undefined)).toThrow(TypeError);
    expect(() => view.append('orders', { count: 1 })).toThrow('the key of an item must be a string');
    expect(() => view.upsert('log', 'a')).toThrow('upsert needs a slice with a key');
  });

  test('gives one of two that compare and set the slice, and tells the other at once', () => {
    const session = createSession({ slices: { orders: orders() } });
    const [first, second] = [facts(), facts()];
    session.emit(start(first));
    session.emit(start(second));
    const version = session.version('orders');
    expect(session.forCall(first.call).compareAndSet('orders', version, [{ id: 'first', count: 1 }])).toBe(true);
    expect(session.forCall(second.call).compareAndSet('orders', version, [{ id: 'second', count: 1 }])).toBe(false);
    session.emit(end(second, ok(1)));
    session.emit(end(first, ok(1)));
    expect(session.all('orders')).toEqual([{ id: 'first', count: 1 }]);
  });

  test('holds what was compared and set before an attempt that failed', () => {
    const set = ({ tool }: EventOf<'call-start'>) =>
      tool === 'first' ? { op: 'set' as const, items: ['begun'], ifVersion: 0 } : undefined;
    const session = createSession({ slices: { steps: stateSlice<string>({ on: { 'call-start': set } }) } });
    const [first, second] = [facts('first'), facts('second')];
    session.emit(start(first));
    session.emit(createEvent({ type: 'attempt-end', ...first, attempt: 1, status: 'error', tookMs: 1 }));
    session.emit(start(second));
    expect(session.forCall(second.call).compareAndSet('steps', 0, ['mine'])).toBe(false);
    session.emit(end(first, ok(1)));
    expect(session.all('steps')).toEqual(['begun']);
  });

  test('of an inner call is part of nothing once the outer call has ended', () => {
    const session = createSession({ slices: { orders: orders() } });
    const [outer, inner] = [facts(), facts()];
    session.emit(start(outer));
    const view = session.forCall(outer.call);
    view.emit(start(inner));
    view.forCall(inner.call).compareAndSet('orders', 0, [{ id: 'late', count: 1 }]);
    session.emit(end(outer, failed));
    view.emit(end(inner, ok(1)));
    expect(session.all('orders')).toEqual([]);
    const next = facts();
    session.emit(start(next));
    expect(session.forCall(next.call).compareAndSet('orders', 0, [])).toBe(true);
  });

  test('keeps for the outer call what an inner one compared and set', () => {
    const session = createSession({ slices: { orders: orders() } });
    const [outer, inner, sibling] = [facts(), facts(), facts()];
    session.emit(start(outer));
    const view = session.forCall(outer.call);
    view.emit(start(inner));
    expect(view.forCall(inner.call).compareAndSet('orders', 0, [{ id: 'inner', count: 1 }])).toBe(true);
    view.emit(end(inner, ok(1)));
    session.emit(start(sibling));
    expect(session.forCall(sibling.call).compareAndSet('orders', 0, [{ id: 'sibling', count: 1 }])).toBe(false);
    session.emit(end(sibling, ok(1)));
    session.emit(end(outer, ok(1)));
    expect(session.all('orders')).toEqual([{ id: 'inner', count: 1 }]);
  });

  test('is undone as a whole when one of its items lost its key meanwhile', () => {
    const session = createSession({ ...quiet, slices: { orders: orders(), other: stateSlice<string>() } });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    const item: { id?: string; count: number } = { id: 'a', count: 1 };
    view.append('other', 'mine');
    view.append('orders', item);
    delete item.id;
    session.emit(end(call, ok(1)));
    expect([session.all('other'), session.all('orders')]).toEqual([[], []]);
    expect(session.problems().map(({ where, error }) => `${where}: ${error}`)).toEqual([
      'the writes of a call: ToolpactError: the key of an item must be a string',
    ]);
  });

  test('is undone as a whole when another writer changed what it had compared', () => {
    const session = createSession({ ...quiet, slices: { orders: orders(), other: stateSlice<string>() } });
    const call = facts();
    session.emit(start(call));
    const view = session.forCall(call.call);
    view.append('other', 'mine');
    expect(view.compareAndSet('orders', view.version('orders'), [{ id: 'mine', count: 1 }])).toBe(true);
    session.append('orders', { id: 'theirs', count: 1 });
    session.emit(end(call, ok(1)));
    expect([session.all('orders'), session.all('other')]).toEqual([[{ id: 'theirs', count: 1 }], []]);
    expect(session.problems()).toHaveLength(1);
  });
});

describe('snapshots', () => {
  test('are JSON with a version, and bring state back while logs are kept', () => {
    const session = createSession({ id: 's', ...quiet, slices: { orders: orders(), log: logSlice<string>() } });
    session.append('orders', { id: 'a', count: 1 });
    session.append('log', 'one');
    const snapshot = session.snapshot();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual({
      v: 1,
      id: 's',
      version: 2,
      at: 5,
      slices: {
        orders: { kind: 'state', version: 1, dropped: 0, items: [{ id: 'a', count: 1 }] },
        log: { kind: 'log', version: 1, dropped: 0, items: ['one'] },
        failures: { kind: 'log', version: 0, dropped: 0, items: [] },
      },
    });
    session.append('orders', { id: 'b', count: 1 });
    session.append('log', 'two');
    expect(session.restore(snapshot)).toEqual({ ok: true });
    expect([session.all('orders'), session.all('log')]).toEqual([[{ id: 'a', count: 1 }], ['one', 'two']]);
    session.upsert('orders', { id: 'a', count: 2 });
    expect(session.all('orders')).toEqual([{ id: 'a', count: 2 }]);
    const copy = createSession({ slices: { orders: orders(), log: logSlice<string>() } });
    copy.restore(JSON.parse(JSON.stringify(snapshot)), { logs: true });
    expect(copy.all('log')).toEqual(['one']);
  });

  test.each([
    ['nothing', undefined, 'it is not an object'],
    ['a newer version', { v: 2 }, 'it has the version 2; 1 is known'],
    ['half of one', { v: 1, id: 's' }, 'it lacks its id, version or slices'],
    ['a broken slice', { v: 1, id: 's', version: 1, slices: { orders: { items: 1 } } }, 'its slice "orders" is broken'],
    [
      'without a sound count of losses',
      { v: 1, id: 's', version: 1, slices: { first: { version: 1, items: [], dropped: -1 } } },
      'its slice "first" is broken',
    ],
    ['without a count', { v: 1, id: 's', version: Number.NaN, slices: {} }, 'it lacks its id, version or slices'],
    [
      'broken in one item',
      { v: 1, id: 's', version: 1, slices: { first: { version: 1, items: [] }, orders: { version: 1, items: [null] } } },
      'its slice "orders" holds an item without a key',
    ],
  ])('are refused as a whole when they are %s', (_, value, problem) => {
    const session = createSession({ slices: { first: stateSlice<string>(), orders: orders() } });
    session.append('first', 'kept');
    expect(session.restore(value)).toEqual({ ok: false, problem });
    expect(session.all('first')).toEqual(['kept']);
  });

  test('count what a smaller slice cannot take back', () => {
    const large = createSession({ slices: { log: logSlice<number>({ limit: 4 }) } });
    large.append('log', 1, 2, 3, 4, 5);
    const small = createSession({ slices: { log: logSlice<number>({ limit: 2 }) } });
    small.restore(large.snapshot(), { logs: true });
    expect([small.all('log'), small.stats().slices.log?.dropped]).toEqual([[4, 5], 3]);
  });

  test('say which slice holds something that has no JSON form', () => {
    const session = createSession({ slices: { odd: logSlice<bigint>() } });
    session.append('odd', 1n);
    expect(() => session.snapshot()).toThrow('the slice "odd" holds something that has no JSON form');
  });
});

test('ten thousand calls with twenty reducers stay within the limits of their slices', () => {
  const on = {
    'call-start': append(({ call }: EventOf<'call-start'> | EventOf<'call-end'>) => call),
    'call-end': append(({ call }: EventOf<'call-start'> | EventOf<'call-end'>) => call),
  };
  const names = Array.from({ length: 20 }, (_, index) => `slice ${index}`);
  const session = createSession({
    slices: Object.fromEntries(
      names.map((name, index) => [name, index % 2 === 0 ? logSlice<string>({ on, limit: 100 }) : stateSlice<string>({ on, limit: 100 })]),
    ),
  });
  for (let index = 0; index < 10_000; index += 1) {
    const call = facts();
    session.emit(start(call));
    session.emit(end(call, index % 3 === 0 ? failed : ok(1)));
  }
  const { slices, openCalls, problems } = session.stats();
  expect({ openCalls, problems }).toEqual({ openCalls: 0, problems: 0 });
  expect(names.map((name) => slices[name]?.items)).toEqual(names.map(() => 100));
  expect(slices['slice 0']?.dropped).toBe(19_900);
  expect(slices.failures).toMatchObject({ items: 1000, dropped: 2334 });
});

test('a slice named like the built-in one, without room or made by hand is a mistake of definition', () => {
  expect(() => createSession({ slices: { cart: { limit: 5 } as never } })).toThrow(
    'the slice "cart" is not made by stateSlice or logSlice',
  );
  expect(() => createSession({ slices: { failures: logSlice() } })).toThrow('give yours another name');
  expect(() => logSlice({ limit: 0 })).toThrow('at least 1');
});
