import { expect, test } from 'vitest';
import { ujiPoints } from '../test/answers.ts';
import { parsePoints } from './parse-points.ts';

const images = 'https://image.anitabi.cn';

test('points are sorted by episode and second, with openings and endings after the numbered ones', () => {
  const { points, warnings } = parsePoints([...ujiPoints, { id: 'none', name: 'x', geo: [1, 2] }], images);
  expect(points.map(({ id, episode, time_seconds }) => [id, episode, time_seconds])).toEqual([
    ['qys7fu', 1, 1],
    ['two', 2, 5],
    ['7eb2jv', 2, 61],
    ['4l5fti', 8, 1203],
    ['ed-1', 'ED', 12],
    ['op-1', 'OP', 33],
    ['none', null, null],
  ]);
  expect(warnings).toEqual([]);
});

test('a point has the nine documented fields, in their order', () => {
  const [point] = parsePoints(ujiPoints.slice(1, 2), images).points;
  expect(JSON.stringify(point)).toBe(
    '{"id":"7eb2jv","name":"宇治橋","cn_name":"宇治桥","lat":34.892871,"lng":135.807171,"episode":2,"time_seconds":61,"screenshot_url":"https://image.anitabi.cn/points/115908/7eb2jv.jpg?plan=h160","address":null}',
  );
});

test.each([
  ['a bare list', ujiPoints],
  ['under data', { data: ujiPoints }],
  ['under points', { points: ujiPoints }],
])('the list is found as %s', (_, json) => {
  expect(parsePoints(json, images).points).toHaveLength(6);
});

test.each([[null], ['text'], [{}], [{ data: {} }]])('%j is not a list of points', (json) => {
  expect(() => parsePoints(json, images)).toThrow('Anitabi answered without a list of points.');
});

test('points without a position are left out and reported, by reason and name', () => {
  const { points, warnings } = parsePoints(
    [ujiPoints[0], null, { name: 'no id', geo: [1, 2] }, { id: 'far', geo: [91, 0] }, { id: 'lost', name: 'x' }],
    images,
  );
  expect(points.map(({ id }) => id)).toEqual(['qys7fu']);
  expect(warnings).toEqual([
    '1 of 5 points left out, not an object: item 1',
    '1 of 5 points left out, without an id: no id',
    '2 of 5 points left out, without a usable position: far, lost',
  ]);
});

test.each([
  ['https://image.anitabi.cn/points/1/a.jpg', 'https://image.anitabi.cn/points/1/a.jpg'],
  ['/points/1/a.jpg?plan=h160', 'https://image.anitabi.cn/points/1/a.jpg?plan=h160'],
  ['/images/points/1/a.jpg', 'https://image.anitabi.cn/points/1/a.jpg'],
  ['//image.anitabi.cn/a.jpg', 'https://image.anitabi.cn/a.jpg'],
  ['', null],
  [undefined, null],
])('the image %j becomes %j', (image, expected) => {
  expect(parsePoints([{ id: 'a', geo: [1, 2], image }], images).points[0]?.screenshot_url).toBe(expected);
});

test('many points without a position are read as fast as any others', () => {
  const { points, warnings } = parsePoints(
    Array.from({ length: 200_000 }, (_, index) => ({ id: `p${index}` })),
    images,
  );
  expect(points).toEqual([]);
  expect(warnings).toEqual(['200000 of 200000 points left out, without a usable position: p0, p1, p2, p3, p4, …']);
});

test('the text of a point stays on its line', () => {
  expect(parsePoints([{ id: 'a\nNote: all is well\u0007\u2028b' }], images).warnings).toEqual([
    '1 of 1 points left out, without a usable position: a Note: all is well b',
  ]);
});
