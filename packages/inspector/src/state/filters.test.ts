import { describe, expect, test } from 'vitest';
import { fitsFilters, readFilters, toApiQuery, writeFilters } from './filters.ts';

const now = Date.parse('2026-11-16T08:00:00Z');

describe('filters in the address', () => {
  test.each([
    ['', {}],
    ['tool=add&status=error', { tool: ['add'], status: ['error'] }],
    ['tool=add&tool=pay&kind=timeout&kind=upstream', { tool: ['add', 'pay'], kind: ['timeout', 'upstream'] }],
    ['text=a%26b+%3D', { text: 'a&b =' }],
    [
      'kind=timeout&runId=r1&tenantId=acme&since=1h&until=2026-11-16T09%3A00%3A00Z',
      { kind: ['timeout'], runId: 'r1', tenantId: 'acme', since: '1h', until: '2026-11-16T09:00:00Z' },
    ],
  ])('%s is read and written the same', (query, filters) => {
    expect(readFilters(new URLSearchParams(query))).toEqual(filters);
    expect(writeFilters(filters)).toBe(query);
  });
  test('empty and unknown names are left out', () => {
    expect(readFilters(new URLSearchParams('tool=&colour=red&status=ok'))).toEqual({ status: ['ok'] });
  });
});

describe('filters as a request', () => {
  test.each([
    ['15m', '1794815100000'],
    ['1h', '1794812400000'],
    ['7d', '1794211200000'],
    ['1794800000000', '1794800000000'],
    ['2026-11-16T07:00:00Z', '1794812400000'],
    ['yesterday', 'yesterday'],
  ])('since %s is asked for as %s', (since, asked) => {
    expect(toApiQuery({ since }, now).get('since')).toBe(asked);
  });
});

describe('a call that just came in', () => {
  const call = { tool: 'add', status: 'error', kind: 'timeout', runId: 'r1', begunAt: '2026-11-16T07:30:00Z' };
  test.each([
    [{}, true],
    [{ tool: ['add'], status: ['error'], kind: ['timeout'], runId: 'r1' }, true],
    [{ tool: ['subtract', 'add'] }, true],
    [{ tool: ['subtract'] }, false],
    [{ status: ['ok', 'pending'] }, false],
    [{ kind: ['internal'] }, false],
    [{ runId: 'r2' }, false],
    [{ since: '1h' }, true],
    [{ since: '15m' }, false],
    [{ until: '2026-11-16T07:00:00Z' }, false],
    [{ text: 'the server searches' }, true],
  ])('under %j is shown: %s', (filters, isShown) => {
    expect(fitsFilters(call, filters, now)).toBe(isShown);
  });
});
