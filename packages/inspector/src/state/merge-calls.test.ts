import { expect, test } from 'vitest';
import type { ListedCall } from '../api/api-shapes.ts';
import { joinsOn, maxCalls, mergeCalls } from './merge-calls.ts';

function call(id: string, second: number, status: ListedCall['status'] = 'ok'): ListedCall {
  const begunAt = new Date(1_794_816_000_000 + second * 1000).toISOString();
  return { id, tool: 'add', status, begunAt, attempts: 1, tenantId: 't', traceId: 'x' };
}
const summary = (rows: readonly ListedCall[]) => rows.map(({ id, status }) => `${id} ${status}`);

test('new calls stand first, whatever order they come in', () => {
  expect(summary(mergeCalls([call('a', 1)], [call('c', 3), call('b', 2)]))).toEqual(['c ok', 'b ok', 'a ok']);
});
test('calls of the same moment stand in a fixed order', () => {
  expect(summary(mergeCalls([call('b', 1)], [call('a', 1), call('c', 1)]))).toEqual(['c ok', 'b ok', 'a ok']);
});
test('a call that ended is replaced in place', () => {
  expect(summary(mergeCalls([call('b', 2), call('a', 1, 'running')], [call('a', 1, 'error')]))).toEqual(['b ok', 'a error']);
});
test('an older look at a call that has ended changes nothing', () => {
  expect(summary(mergeCalls([call('a', 1, 'ok')], [call('a', 1, 'running')]))).toEqual(['a ok']);
  expect(summary(mergeCalls([], [call('a', 1, 'ok'), call('a', 1, 'running')]))).toEqual(['a ok']);
});
test('nothing new gives the same list', () => {
  const rows = [call('a', 1)];
  expect(mergeCalls(rows, [])).toBe(rows);
});
test('the oldest go when the list is full', () => {
  const rows = Array.from({ length: maxCalls }, (_, index) => call(`r${index}`, maxCalls - index));
  const merged = mergeCalls(rows, [call('new', maxCalls + 1)]);
  expect([merged.length, merged[0]?.id, merged.at(-1)?.id]).toEqual([maxCalls, 'new', `r${maxCalls - 2}`]);
});

test.each([
  ['the newest known call is on the page', [call('c', 3), call('b', 2)], 'more', true],
  ['the page reaches back to the moment of that call', [call('c', 3), call('x', 2)], 'more', true],
  ['all of the page is newer, and more follows', [call('d', 4), call('c', 3)], 'more', false],
  ['nothing follows the page', [call('d', 4)], undefined, true],
])('a page joins on to known calls: %s', (_, calls, next, isJoined) => {
  expect(joinsOn({ calls, ...(next !== undefined && { next }) }, call('b', 2))).toBe(isJoined);
});
