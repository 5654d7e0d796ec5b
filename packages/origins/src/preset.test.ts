import * as coded from '@toolpact/origins/coded';
import * as errorType from '@toolpact/origins/error-type';
import * as flat from '@toolpact/origins/flat';
import * as status from '@toolpact/origins/status';
import * as value from '@toolpact/origins/value';
import { expect, test } from 'vitest';

test.each([
  ['flat', flat.preset, flat.flat],
  ['coded', coded.preset, coded.coded],
  ['value', value.preset, value.value],
  ['status', status.preset, status.status],
])('the preset of %s speaks its dialect', (_, preset, dialect) => {
  expect(preset.dialect).toBe(dialect);
});

test('that of status serves calls of tenants only', () => expect(status.preset.server).toEqual({ tenant: 'required' }));

test('that of error-type writes the documented types', () => {
  expect(errorType.preset).toEqual({ toolbox: { classify: 'structure' }, errorType: errorType.toolErrorType });
});
