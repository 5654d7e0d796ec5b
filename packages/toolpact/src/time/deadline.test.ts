import { afterEach, expect, test, vi } from 'vitest';
import { armDeadline, type DeadlineEntry, disarmDeadline, keepProcess } from './deadline.ts';

afterEach(() => void vi.useRealTimers());

function entry(onDeadline: () => void = () => undefined): DeadlineEntry {
  return { deadlineAt: 0, lane: undefined, earlier: undefined, later: undefined, onDeadline };
}

/** Arms and disarms a deadline, and waits until its timer is let go. */
async function pass(durationMs: number): Promise<void> {
  const passed = entry();
  armDeadline(passed, durationMs, performance.now());
  disarmDeadline(passed);
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

test('deadlines of one length, one after the other, share one timer', async () => {
  vi.useFakeTimers();
  for (let time = 0; time < 10; time += 1) await pass(40_001);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(40_001);
  expect(vi.getTimerCount()).toBe(0);
});

test('a deadline is kept to after an earlier one of its length has passed its timer on', async () => {
  vi.useFakeTimers();
  await pass(40_002);
  vi.advanceTimersByTime(1_000);
  const onDeadline = vi.fn();
  armDeadline(entry(onDeadline), 40_002, performance.now());
  vi.advanceTimersByTime(40_001);
  expect(onDeadline).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(onDeadline).toHaveBeenCalledTimes(1);
});

test('a deadline does not rely on the timer of a clock that a test has taken away', async () => {
  vi.useFakeTimers();
  await pass(40_003);
  vi.useRealTimers();
  vi.useFakeTimers();
  const onDeadline = vi.fn();
  armDeadline(entry(onDeadline), 40_003, performance.now());
  vi.advanceTimersByTime(40_004);
  expect(onDeadline).toHaveBeenCalledTimes(1);
});

test('a deadline keeps the process alive, unless something else is stated to do so', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
  await pass(40_004);
  const before = timers();
  const release = keepProcess();
  const running = entry();
  armDeadline(running, 40_004, performance.now());
  expect(timers()).toBe(before);
  release();
  expect(timers()).toBe(before + 1);
  disarmDeadline(running);
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(timers()).toBe(before);
});

test('deadlines of very many lengths keep few timers', async () => {
  vi.useFakeTimers();
  for (let time = 0; time < 500; time += 1) await pass(50_000 + time);
  expect(vi.getTimerCount()).toBeLessThanOrEqual(64);
});

test('in workerd, where a timer ends with the request that set it, every deadline has a timer of its own', async () => {
  vi.stubGlobal('Cloudflare', {});
  vi.resetModules();
  const own = await import('./deadline.ts');
  vi.unstubAllGlobals();
  vi.useFakeTimers();
  const [first, second] = [entry(), entry()];
  for (const each of [first, second]) own.armDeadline(each, 40_006, performance.now());
  expect(vi.getTimerCount()).toBe(2);
  own.disarmDeadline(first);
  own.disarmDeadline(second);
  vi.useRealTimers();
  await new Promise<void>((resolve) => process.nextTick(resolve));
});
