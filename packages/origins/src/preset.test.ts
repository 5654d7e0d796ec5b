import * as coded from '@toolpact/origins/coded';
import * as errorType from '@toolpact/origins/error-type';
import * as flat from '@toolpact/origins/flat';
import * as status from '@toolpact/origins/status';
import * as value from '@toolpact/origins/value';
import { expect, test } from 'vitest';

test('each preset has a part for the toolbox, the adapter, the server and the telemetry', () => {
  for (const { preset } of [flat, coded, value, status, errorType]) {
    expect(Object.keys(preset)).toEqual(['toolbox', 'adapter', 'server', 'telemetry']);
  }
});

test.each([
  ['flat', flat.preset, flat.flat],
  ['coded', coded.preset, coded.coded],
  ['value', value.preset, value.value],
  ['status', status.preset, status.status],
])('that of %s speaks its dialect to models and on a server', (_, { adapter, server }, dialect) => {
  expect([adapter.dialect, server.dialect]).toEqual([dialect, dialect]);
});

test('that of status serves calls of tenants only', () => expect(status.preset.server.tenant).toBe('required'));

test('that of error-type writes the documented types on spans', () => {
  expect(errorType.preset.telemetry.errorType).toBe(errorType.toolErrorType);
});
