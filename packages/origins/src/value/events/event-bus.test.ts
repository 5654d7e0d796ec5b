import type { ToolpactEvent } from 'toolpact';
import { createEvent, nextTurn } from 'toolpact/internal';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEventBus } from './event-bus.ts';

const prompt = (promptName: string): ToolpactEvent => createEvent({ type: 'prompt-start', promptName });
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

describe('the event bus', () => {
  test('gives every event to every handler in the order they were added', () => {
    const bus = createEventBus();
    const heard: string[] = [];
    bus.on('prompt-start', ({ promptName }) => heard.push(`first ${promptName}`));
    bus.on('*', ({ type }) => heard.push(`all ${type}`));
    bus.on('prompt-end', () => heard.push('never'));
    expect(bus.emit(prompt('a'))).toEqual({ ok: true, handled: 2, errors: [] });
    expect(heard).toEqual(['first a', 'all prompt-start']);
  });

  test('stops giving events to a handler that was taken off, also by itself', () => {
    const bus = createEventBus();
    let count = 0;
    const stop = bus.on('*', () => {
      count += 1;
      stop();
    });
    bus.emit(prompt('a'));
    bus.emit(prompt('b'));
    expect(count).toBe(1);
  });

  test('gives the event at hand also to those behind a handler that takes itself off', () => {
    const bus = createEventBus();
    const heard: string[] = [];
    const stop: () => void = bus.on('*', () => stop());
    bus.on('*', ({ type }) => heard.push(type));
    bus.emit(prompt('a'));
    expect(heard).toEqual(['prompt-start']);
  });

  test('keeps the last hundred problems and counts them all', () => {
    const bus = createEventBus();
    bus.on('prompt-start', ({ promptName }) => {
      throw new Error(promptName);
    });
    for (let index = 0; index < 150; index += 1) bus.emit(prompt(String(index)));
    expect([bus.problems().length, String(bus.problems()[0]?.error), bus.problemCount()]).toEqual([100, 'Error: 50', 150]);
  });

  test('collects what a handler throws, tells it, and goes on', async () => {
    const reported: string[] = [];
    const bus = createEventBus();
    bus.on('problem', ({ where, message, eventId }) => reported.push(`${where}: ${/broken|rejected/.exec(message)} ${typeof eventId}`));
    const heard: string[] = [];
    bus.on('prompt-start', () => {
      throw new Error('broken');
    });
    bus.on('prompt-start', async () => {
      throw new Error('rejected');
    });
    bus.on('prompt-start', ({ id }) => heard.push(id));
    const event = prompt('a');
    const { ok, errors } = bus.emit(event);
    expect({ ok, errors: errors.map(String), heard }).toEqual({ ok: false, errors: ['Error: broken'], heard: [event.id] });
    await Promise.resolve();
    expect(reported).toEqual(['a handler of prompt-start: broken string', 'a handler of prompt-start: rejected string']);
    expect(bus.problemCount()).toBe(2);
  });

  test('survives a handler of problems that is broken too', () => {
    const bus = createEventBus();
    bus.on('problem', () => {
      throw new Error('also broken');
    });
    bus.on('*', () => {
      throw new Error('broken');
    });
    expect(bus.emit(prompt('a')).ok).toBe(false);
    expect(bus.problems()).toHaveLength(1);
  });

  test('hears of a rejection of any kind of promise', async () => {
    const bus = createEventBus();
    bus.on('prompt-start', () => ({ then: (_: unknown, reject: (error: unknown) => void) => reject(new Error('later')) }));
    expect(bus.emit(prompt('a')).ok).toBe(true);
    await expect.poll(() => bus.problems().map(({ error }) => String(error))).toEqual(['Error: later']);
  });

  test.each([undefined, null, 7, 'call-end', {}, { type: 7 }])('refuses %j, which is no event, without a throw', (value) => {
    const bus = createEventBus();
    bus.on('call-end', () => undefined);
    expect(bus.emit(value as never)).toMatchObject({ ok: false, handled: 0 });
    expect(bus.problems().map(({ error }) => String(error))).toEqual(['ToolpactError: an event is an object with a `type`']);
  });

  test('shows handlers that answer events with events one and the same order', () => {
    const bus = createEventBus();
    const heard: string[] = [];
    bus.on('prompt-start', () => bus.emit(createEvent({ type: 'prompt-end' })));
    bus.on('*', ({ type }) => heard.push(type));
    bus.emit(prompt('a'));
    expect(heard).toEqual(['prompt-start', 'prompt-end']);
    bus.emit(prompt('b'));
    expect(heard).toEqual(['prompt-start', 'prompt-end', 'prompt-start', 'prompt-end']);
  });

  test('ends handlers that would answer each other for ever', () => {
    const bus = createEventBus();
    let count = 0;
    bus.on('*', () => {
      count += 1;
      bus.emit(prompt('again'));
    });
    bus.emit(prompt('a'));
    expect(count).toBe(1001);
    expect(String(bus.problems().at(-1)?.error)).toContain('without end');
  });
});

describe('a sink behind a queue', () => {
  test('gets all events in order, in batches, after the emitter went on', async () => {
    const bus = createEventBus();
    const batches: string[][] = [];
    const queue = bus.addSink((events) => batches.push(events.map((event) => ('promptName' in event ? (event.promptName ?? '') : ''))), {
      maxBatch: 2,
    });
    for (const name of ['a', 'b', 'c']) bus.emit(prompt(name));
    expect(batches).toEqual([]);
    expect(queue.queued).toBe(3);
    await queue.flush();
    expect(batches).toEqual([['a', 'b'], ['c']]);
    expect({ delivered: queue.delivered, dropped: queue.dropped, queued: queue.queued }).toEqual({ delivered: 3, dropped: 0, queued: 0 });
  });

  test('that hangs loses the oldest events beyond its limit, and the losses are counted', async () => {
    const bus = createEventBus();
    let release = (): void => undefined;
    const got: string[] = [];
    const queue = bus.addSink(
      async (events) => {
        got.push(...events.map((event) => ('promptName' in event ? (event.promptName ?? '') : '')));
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      { maxQueue: 10, maxBatch: 100 },
    );
    for (let index = 0; index < 1000; index += 1) bus.emit(prompt(String(index)));
    expect({ queued: queue.queued, dropped: queue.dropped }).toEqual({ queued: 10, dropped: 990 });
    const flushed = queue.flush();
    await expect.poll(() => got.length).toBe(10);
    release();
    await flushed;
    expect(got[0]).toBe('990');
  });

  test('that is broken costs its own batches only', async () => {
    const bus = createEventBus();
    const broken = bus.addSink(
      async () => {
        throw new Error('down');
      },
      { name: 'the broken one' },
    );
    const sound = bus.addSink(() => undefined);
    bus.emit(prompt('a'));
    await Promise.all([broken.close(), sound.close()]);
    expect({ failed: broken.failed, delivered: sound.delivered }).toEqual({ failed: 1, delivered: 1 });
    expect(bus.problems()[0]?.where).toBe('the broken one');
    expect([bus.emit(prompt('b')).handled, sound.queued]).toEqual([0, 0]);
  });

  test('that hangs does not keep its queue from closing, and what it did not take is counted', async () => {
    const bus = createEventBus();
    const queue = bus.addSink(() => new Promise(() => undefined), { name: 'the hanging one', maxBatch: 1, closeMs: 0 });
    for (const name of ['a', 'b', 'c']) bus.emit(prompt(name));
    await expect.poll(() => queue.queued).toBe(2);
    await queue.close();
    expect({ queued: queue.queued, delivered: queue.delivered, dropped: queue.dropped }).toEqual({ queued: 0, delivered: 0, dropped: 2 });
    expect(bus.problems().map(({ where, error }) => `${where}: ${error}`)).toEqual([
      'the hanging one: Error: it did not finish within 0 ms; 2 waiting events were dropped',
    ]);
  });

  test('that is done in time leaves no timer behind when its queue is closed', async () => {
    vi.useFakeTimers();
    try {
      // Files share a process: what another one left may still set timers.
      await vi.advanceTimersByTimeAsync(1);
      const others = vi.getTimerCount();
      const bus = createEventBus();
      const queue = bus.addSink(() => undefined);
      bus.emit(prompt('a'));
      const closed = queue.close();
      await vi.advanceTimersByTimeAsync(1);
      await closed;
      expect([queue.delivered, vi.getTimerCount() - others, bus.problemCount()]).toEqual([1, 0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that emits an event for every batch leaves the event loop to others', async () => {
    const bus = createEventBus();
    let count = 0;
    const queue = bus.addSink(() => {
      count += 1;
      // Without the turns between, nothing after this test would ever run.
      if (count < 10_000) bus.emit(prompt('again'));
    });
    bus.emit(prompt('a'));
    await nextTurn();
    await nextTurn();
    expect(count).toBeLessThan(10_000);
    await queue.close();
    expect(queue.queued).toBe(0);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('that may take %s ms to close is a mistake of definition', (closeMs) => {
    expect(() => createEventBus().addSink(() => undefined, { closeMs })).toThrow('closeMs of a sink must be from 0 to 2147483647');
  });

  test.each([{ maxBatch: 0 }, { maxQueue: 0 }, { maxQueue: Number.NaN }])(
    'without room, as with %o, is a mistake of definition',
    (options) => {
      expect(() => createEventBus().addSink(() => undefined, options)).toThrow('at least 1');
    },
  );
});
