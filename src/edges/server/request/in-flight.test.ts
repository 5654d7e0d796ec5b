import { expect, test } from 'vitest';
import { createInFlight } from './in-flight.ts';

/** Runs until its signal fires. */
const untilStopped = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test('what runs is counted until it ends, however it ends', async () => {
  const inFlight = createInFlight();
  const end = Promise.withResolvers<string>();
  const running = inFlight.run(undefined, () => end.promise);
  const leave = inFlight.enter();
  expect(inFlight.count).toBe(2);
  leave();
  leave();
  expect(inFlight.count).toBe(1);
  end.reject(new Error('no'));
  await expect(running).rejects.toThrow('no');
  expect(inFlight.count).toBe(0);
});

test('a caller that goes away, or has gone already, stops its own work only', async () => {
  const inFlight = createInFlight();
  const caller = new AbortController();
  const mine = inFlight.run(caller.signal, untilStopped);
  const others = inFlight.run(new AbortController().signal, untilStopped);
  caller.abort('gone');
  expect(await mine).toBe('gone');
  expect(inFlight.count).toBe(1);
  expect(await inFlight.run(caller.signal, async (signal) => signal.aborted)).toBe(true);
  await inFlight.drain(1);
  await others;
});

test('draining waits for what ends by itself', async () => {
  const inFlight = createInFlight();
  const end = Promise.withResolvers<string>();
  const running = inFlight.run(undefined, () => end.promise);
  const drained = inFlight.drain(60_000);
  expect(inFlight.draining).toBe(true);
  end.resolve('done');
  await drained;
  expect([await running, inFlight.count]).toEqual(['done', 0]);
});

test('draining stops what does not end in time, with a reason, and waits for its answer', async () => {
  const inFlight = createInFlight();
  const held = new AbortController();
  const release = inFlight.hold(held);
  const running = inFlight.run(undefined, untilStopped);
  await inFlight.drain(1);
  expect(await running).toMatchObject({ kind: 'interrupted' });
  expect(held.signal.reason).toMatchObject({ kind: 'interrupted' });
  release();
});

test('whoever only waits is let go as soon as draining begins, while calls go on', async () => {
  const inFlight = createInFlight();
  const end = Promise.withResolvers<void>();
  const waiting = inFlight.wait(undefined, untilStopped);
  const running = inFlight.run(undefined, () => end.promise);
  const drained = inFlight.drain(60_000);
  await waiting;
  expect(inFlight.count).toBe(1);
  expect(await inFlight.wait(undefined, async (signal) => signal.aborted)).toBe(true);
  end.resolve();
  await Promise.all([running, drained]);
});

test('what comes after the stop is stopped at once', async () => {
  const inFlight = createInFlight();
  const running = inFlight.run(undefined, untilStopped);
  await inFlight.drain(1);
  await running;
  const late = new AbortController();
  inFlight.hold(late);
  expect(late.signal.aborted).toBe(true);
});
