import { expect, test } from 'vitest';
import { readPointer, resolveReference } from './resolve-reference.ts';

const root = { $defs: { city: 1, 'a/b': 2, 'a~1b': 3, 'ä ö': 4, '100%': 5, '': 6, list: ['x', 'y'] }, here: 7 };

test.each([
  ['#', root],
  ['#/$defs/city', 1],
  ['#/%24defs/city', 1],
  ['#/$defs/a~1b', 2],
  ['#/$defs/a~01b', 3],
  ['#/$defs/a%7E01b', 3],
  ['#/$defs/%C3%A4%20%C3%B6', 4],
  ['#/$defs/100%', 5],
  ['#/$defs/', 6],
  ['#/$defs/list/1', 'y'],
])('%s leads to a part of the document', (reference, part) => {
  expect(resolveReference(reference, root)).toBe(part);
});

test.each([
  '',
  '#here',
  '/$defs/city',
  '#/nowhere',
  '#/$defs/city/more',
  '#/$defs/list/2',
  '#/constructor',
  '#/__proto__',
  'other.json#/here',
  'https://example.com/schema.json',
])('"%s" leads nowhere', (reference) => {
  expect(resolveReference(reference, root)).toBeUndefined();
});

test.each([
  ['', []],
  ['/lines/0/price', ['lines', '0', 'price']],
  ['/a~1b/c~0d/~01', ['a/b', 'c~d', '~1']],
])('the pointer "%s" has the names %j', (pointer, names) => {
  expect(readPointer(pointer)).toEqual(names);
});
