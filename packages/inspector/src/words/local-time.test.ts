import { expect, test } from 'vitest';
import { fromLocalTime, fullTime, shortTime, timeOfDay, toLocalTime } from './local-time.ts';

test.each(['2026-11-16T08:00:05.000Z', '2026-03-29T01:30:00.000Z'])('%s is read back as it was written', (time) => {
  expect(fromLocalTime(toLocalTime(time))).toBe(time);
});

test.each([[undefined], ['1h'], ['soon'], ['']])('%s is no time', (given) => {
  expect(toLocalTime(given)).toBe('');
});

test('epoch milliseconds are a time too', () => {
  expect(fromLocalTime(toLocalTime('1794816000000'))).toBe('2026-11-16T08:00:00.000Z');
});

test('all times are on the clock of 24 hours', () => {
  const time = new Date(2026, 10, 16, 0, 44, 23).toISOString();
  expect([timeOfDay(time), shortTime(time, Date.parse(time))]).toEqual(['00:44:23', '00:44:23']);
  expect(fullTime(time)).toMatch(/\b00:44:23$/);
});

test('the day is left out when it is today', () => {
  const time = new Date(2026, 10, 16, 8, 0, 5).toISOString();
  expect(shortTime(time, new Date(2026, 10, 16, 20).getTime())).toBe('08:00:05');
  expect(shortTime(time, new Date(2026, 10, 17, 20).getTime())).toBe('2026-11-16 08:00:05');
  expect(shortTime('1h', 0)).toBe('1h');
});
