import { expect, test } from 'vitest';
import type { McpSpan, McpTelemetry } from '../ports/index.ts';
import { startRecord } from './start-record.ts';

const request = () => ({ method: 'ping', transport: 'stdio' as const });
const raise = (): never => {
  throw new Error('telemetry');
};
const sound: McpSpan = { within: (run) => run(), end: () => undefined, cancel: () => undefined };

test.each<[string, McpTelemetry]>([
  ['cannot start', { startMcp: raise }],
  ['runs nothing', { startMcp: () => ({ ...sound, within: () => undefined as never }) }],
  ['breaks before it runs anything', { startMcp: () => ({ ...sound, within: raise }) }],
  [
    'breaks after it has run it',
    {
      startMcp: () => ({
        ...sound,
        within: (run) => {
          run();
          return raise();
        },
      }),
    },
  ],
  [
    'runs it twice',
    {
      startMcp: () => ({
        ...sound,
        within: (run) => {
          run();
          return run();
        },
      }),
    },
  ],
  ['cannot end', { startMcp: () => ({ ...sound, end: raise, cancel: raise }) }],
])('what %s takes nothing from a request, which is answered once', (_, telemetry) => {
  let runs = 0;
  const answer = (): number => {
    runs += 1;
    return runs;
  };
  const record = startRecord(telemetry, request);
  expect(record === undefined ? answer() : record.within(answer)).toBe(1);
  record?.end({});
  record?.cancel();
  expect(runs).toBe(1);
});

test('what is thrown within a record is thrown to its caller', () => {
  const record = startRecord({ startMcp: () => sound }, request);
  expect(() =>
    record?.within(() => {
      throw new RangeError('own');
    }),
  ).toThrow(RangeError);
});

test('a request that cannot be read is not recorded', () => {
  expect(startRecord({ startMcp: () => sound }, raise)).toBeUndefined();
});
