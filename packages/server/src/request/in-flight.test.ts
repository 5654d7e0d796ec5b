import { expect, test } from 'vitest';
import { type Client, toClient } from './client.ts';
import { createInFlight } from './in-flight.ts';

const caller = (): Client => toClient(undefined);

/** Runs until its signal fires. */
const untilStopped = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test('what runs is counted until it ends, however it ends', async () => {
  const inFlight = createInFlight();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const one = caller();
  const running = [inFlight.run(one, () => first.promise), inFlight.run(one, () => second.promise)];
  expect(inFlight.count).toBe(2);
  first.resolve('done');
  expect(await running[0]).toBe('done');
  expect(inFlight.count).toBe(1);
  second.reject(new Error('no'));
  await expect(running[1]).rejects.toThrow('no');
  expect(inFlight.count).toBe(0);
});

test('a caller that goes away, or has gone already, stops its own work only', async () => {
  const inFlight = createInFlight();
  const leaving = new AbortController();
  const [mine, others] = [toClient(leaving.signal), caller()];
  const running = [mine, others].map((one) => inFlight.run(one, () => untilStopped(one.signal)));
  leaving.abort('gone');
  expect(await running[0]).toBe('gone');
  expect(inFlight.count).toBe(1);
  expect(toClient(leaving.signal).signal.aborted).toBe(true);
  await inFlight.drain(1);
  await running[1];
});

test('draining waits for what ends by itself', async () => {
  const inFlight = createInFlight();
  const end = Promise.withResolvers<string>();
  const running = inFlight.run(caller(), () => end.promise);
  const drained = inFlight.drain(60_000);
  expect(inFlight.draining).toBe(true);
  end.resolve('done');
  await drained;
  expect([await running, inFlight.count]).toEqual(['done', 0]);
});

test('draining stops what does not end in time, with a reason, and waits for its answer', async () => {
  const inFlight = createInFlight();
  const one = caller();
  const running = inFlight.run(one, () => untilStopped(one.signal));
  await inFlight.drain(1);
  expect(await running).toMatchObject({ kind: 'interrupted' });
  expect(one.signal.reason).toMatchObject({ kind: 'interrupted' });
});

test('a request that only waits is let go as soon as draining begins, while calls go on', async () => {
  const inFlight = createInFlight();
  const end = Promise.withResolvers<void>();
  const waiting = inFlight.wait(caller(), untilStopped);
  const running = inFlight.run(caller(), () => end.promise);
  const drained = inFlight.drain(60_000);
  await waiting;
  expect(inFlight.count).toBe(1);
  expect(await inFlight.wait(caller(), async (signal) => signal.aborted)).toBe(true);
  end.resolve();
  await Promise.all([running, drained]);
});

test('what comes after the stop is stopped at once', async () => {
  const inFlight = createInFlight();
  const one = caller();
  const running = inFlight.run(one, () => untilStopped(one.signal));
  await inFlight.drain(1);
  await running;
  const late = caller();
  expect(await inFlight.run(late, async () => late.signal.aborted)).toBe(true);
});
