import { describe, expect, test } from 'vitest';
import { type Style, serializeCookie, serializeHeader, serializePath, serializeQuery } from './serialize-parameter.ts';

const text = 'blue';
const list = ['blue', 'black', 'brown'];
const map = { R: 100, G: 200, B: 150 };

function styled(style: string, explode: boolean, more: Partial<Style> = {}): Style {
  return { name: 'color', style, explode, allowReserved: false, asJson: false, ...more };
}

describe('path parameters', () => {
  // The table of the OpenAPI specification.
  test.each<[string, boolean, unknown, string]>([
    ['simple', false, text, 'blue'],
    ['simple', false, list, 'blue,black,brown'],
    ['simple', false, map, 'R,100,G,200,B,150'],
    ['simple', true, map, 'R=100,G=200,B=150'],
    ['label', false, text, '.blue'],
    ['label', false, list, '.blue,black,brown'],
    ['label', true, list, '.blue.black.brown'],
    ['label', false, map, '.R,100,G,200,B,150'],
    ['label', true, map, '.R=100.G=200.B=150'],
    ['matrix', false, text, ';color=blue'],
    ['matrix', false, list, ';color=blue,black,brown'],
    ['matrix', true, list, ';color=blue;color=black;color=brown'],
    ['matrix', false, map, ';color=R,100,G,200,B,150'],
    ['matrix', true, map, ';R=100;G=200;B=150'],
    ['matrix', false, [], ';color'],
    ['simple', false, 'a/b?c#d%e é', 'a%2Fb%3Fc%23d%25e%20%C3%A9'],
    ['simple', false, "!'()*", '%21%27%28%29%2A'],
  ])('%s, explode %s, %j is written as %s', (style, explode, value, written) => {
    expect(serializePath(styled(style, explode), value)).toBe(written);
  });
});

describe('query parameters', () => {
  test.each<[string, boolean, unknown, string]>([
    ['form', true, text, 'color=blue'],
    ['form', true, list, 'color=blue&color=black&color=brown'],
    ['form', false, list, 'color=blue,black,brown'],
    ['form', true, map, 'R=100&G=200&B=150'],
    ['form', false, map, 'color=R,100,G,200,B,150'],
    ['spaceDelimited', false, list, 'color=blue%20black%20brown'],
    ['pipeDelimited', false, list, 'color=blue%7Cblack%7Cbrown'],
    ['deepObject', true, map, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', true, { a: { b: [1, 2] } }, 'color%5Ba%5D%5Bb%5D%5B%5D=1&color%5Ba%5D%5Bb%5D%5B%5D=2'],
    ['form', true, 'a&b=c#d+e', 'color=a%26b%3Dc%23d%2Be'],
    ['form', true, false, 'color=false'],
    ['form', true, null, 'color='],
    ['form', true, [], ''],
  ])('%s, explode %s, %j is written as %s', (style, explode, value, written) => {
    expect(serializeQuery(styled(style, explode), value).join('&')).toBe(written);
  });

  test('reserved characters stay where they are allowed, except those that would end the value', () => {
    expect(serializeQuery(styled('form', true, { allowReserved: true }), 'a/b:c?d&e=f#g+h')).toEqual(['color=a/b:c?d%26e%3Df%23g%2Bh']);
  });

  test('a parameter described by a media type travels as JSON', () => {
    expect(serializeQuery(styled('form', true, { asJson: true }), { a: [1] })).toEqual(['color=%7B%22a%22%3A%5B1%5D%7D']);
  });
});

test.each<[boolean, unknown, string]>([
  [false, text, 'blue'],
  [false, list, 'blue,black,brown'],
  [false, map, 'R,100,G,200,B,150'],
  [true, map, 'R=100,G=200,B=150'],
])('header parameters, explode %s, %j is written as %s', (explode, value, written) => {
  expect(serializeHeader(styled('simple', explode), value)).toBe(written);
});

test.each<[boolean, unknown, string[]]>([
  [true, text, ['color=blue']],
  [false, list, ['color=blue,black,brown']],
  [true, list, ['color=blue', 'color=black', 'color=brown']],
  [false, map, ['color=R,100,G,200,B,150']],
  [true, 'a; b=c', ['color=a%3B%20b%3Dc']],
])('cookie parameters, explode %s, %j is written as %j', (explode, value, written) => {
  expect(serializeCookie(styled('form', explode), value)).toEqual(written);
});
