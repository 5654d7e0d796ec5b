import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stopSignals, untilInterrupted, untilStopped } from './until-stopped.ts';

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
