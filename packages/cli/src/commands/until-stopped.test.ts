import { EventEmitter } from 'node:events';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { passSignals, stopSignals, untilInterrupted, untilStopped } from './until-stopped.ts';

afterEach(() => {
  for (const signal of stopSignals) process.removeAllListeners(signal);
});

test.each<[NodeJS.Platform, readonly NodeJS.Signals[]]>([
  ['linux', ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ['darwin', ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ['win32', []],
])('on %s a child is sent %j, and the parent goes on', (platform, sent) => {
  const kill = vi.fn();
  passSignals({ kill }, platform);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) expect(process.emit(signal)).toBe(true);
  expect(kill.mock.calls.flat()).toEqual(sent);
});

test.each(stopSignals)('%s asks a server to stop: what Windows sends, too', async (signal) => {
  const signals = new EventEmitter();
  const exit = vi.fn();
  const stopped = untilStopped({ signals, exit });
  signals.emit(signal);
  expect(await stopped).toBe(signal);
  // The same key press, passed on by a program in between.
  signals.emit(signal);
  expect(exit).not.toHaveBeenCalled();
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a second %s, later, ends the process with %i', (signal, code) => {
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const signals = new EventEmitter();
  const exit = vi.fn();
  void untilStopped({ signals, exit });
  for (const at of [1_000, 1_500, 1_501]) {
    now.mockReturnValue(at);
    signals.emit(signal);
  }
  expect(exit.mock.calls).toEqual([[code]]);
});

test('Ctrl-C stops what runs through its signal, and a second one is left to the system', async () => {
  const signals = new EventEmitter();
  const reason = await untilInterrupted({ signals }, async (signal) => {
    signals.emit('SIGINT');
    return [signal.aborted, signals.listenerCount('SIGINT')];
  });
  expect(reason).toEqual([true, 0]);
  await untilInterrupted({ signals }, async () => undefined);
  expect(signals.listenerCount('SIGINT')).toBe(0);
});
