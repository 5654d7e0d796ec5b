import { expect, test } from 'vitest';
import { createRequestLimiter } from './request-limiter.ts';

const limit = { requests: 2, windowMs: 1000 };

function start() {
  const clock = { at: 0, pauses: [] as number[] };
  const limiter = createRequestLimiter({
    now: () => clock.at,
    pause: async (ms, signal) => {
      clock.pauses.push(ms);
      signal?.throwIfAborted();
    },
  });
  return { clock, limiter, pass: (patienceMs = 10_000) => limiter.pass('A', limit, patienceMs, undefined) };
}

test('the allowed number of requests starts at once, the others one after the other', async () => {
  const { clock, pass } = start();
  await Promise.all([pass(), pass(), pass(), pass()]);
  expect(clock.pauses).toEqual([500, 1000]);
});

test('turns are restored over time, up to the limit', async () => {
  const { clock, pass } = start();
  await Promise.all([pass(), pass()]);
  clock.at = 60_000;
  await Promise.all([pass(), pass(), pass()]);
  expect(clock.pauses).toEqual([500]);
});

test('a wait that is too long is refused with its length, and uses no turn', async () => {
  const { clock, pass } = start();
  await Promise.all([pass(), pass()]);
  await expect(pass(499)).rejects.toMatchObject({ kind: 'rate_limited', options: { retryAfterMs: 500 } });
  await pass();
  expect(clock.pauses).toEqual([500]);
});

test('only the service that asked for a pause gets one', async () => {
  const { clock, limiter, pass } = start();
  await pass();
  limiter.hold('A', 7000);
  await expect(pass(6999)).rejects.toMatchObject({ kind: 'rate_limited', options: { retryAfterMs: 7000 } });
  await limiter.pass('B', limit, 0, undefined);
  clock.at = 7000;
  await pass(0);
  expect(clock.pauses).toEqual([]);
});

test('a call that is stopped while it waits returns its turn', async () => {
  const { clock, limiter, pass } = start();
  await Promise.all([pass(), pass()]);
  const controller = new AbortController();
  const waiting = createWaiting(limiter, controller);
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await pass();
  expect(clock.pauses).toEqual([500, 500]);
});

test('a clock that is set back costs no turn', async () => {
  const { clock, pass } = start();
  clock.at = 3_600_000;
  await pass();
  clock.at = 0;
  await pass();
  await expect(pass(0)).rejects.toMatchObject({ kind: 'rate_limited', options: { retryAfterMs: 500 } });
});

async function createWaiting(limiter: ReturnType<typeof createRequestLimiter>, controller: AbortController): Promise<void> {
  const waiting = limiter.pass('A', limit, 10_000, {
    throwIfAborted: () => (controller.signal.aborted ? controller.signal.throwIfAborted() : controller.abort()),
  } as AbortSignal);
  await waiting;
}
