import { expect, test } from 'vitest';
import { distanceKm, toPlace } from './distance.ts';

test.each([
  ['one degree along the equator', [0, 0], [0, 1], 111.195],
  ['from the equator to the pole', [0, 0], [90, 0], 10_007.557],
  ['to the other side of the earth', [0, 0], [0, 180], 20_015.114],
  ['over the date line', [0, 179.5], [0, -179.5], 111.195],
  ['to itself', [35.0503, 135.7664], [35.0503, 135.7664], 0],
] as const)('the distance %s is right', (_, [latA, lngA], [latB, lngB], expected) => {
  expect(distanceKm({ lat: latA, lng: lngA }, { lat: latB, lng: lngB })).toBeCloseTo(expected, 3);
});

test.each([
  [34.892871234, 135.807171999, { lat: 34.892871, lng: 135.807172 }],
  ['34.9143', ' 135.8060 ', { lat: 34.9143, lng: 135.806 }],
  [-90, 180, { lat: -90, lng: 180 }],
  [90.1, 0, undefined],
  [0, -180.5, undefined],
  ['', 0, undefined],
  [null, 0, undefined],
  [Number.NaN, 0, undefined],
  ['here', 'there', undefined],
])('%j, %j is read as %j', (lat, lng, expected) => {
  expect(toPlace(lat, lng)).toEqual(expected);
});
