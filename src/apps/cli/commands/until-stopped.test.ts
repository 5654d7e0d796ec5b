import { afterEach, expect, test, vi } from 'vitest';
import { passSignals, stopSignals, untilStopped } from './until-stopped.ts';

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
  const stopped = untilStopped();
  process.emit(signal);
  expect(await stopped).toBe(signal);
});
