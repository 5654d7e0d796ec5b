import { expect, test } from 'vitest';
import { readRoute, toHash } from './route.ts';

test.each([
  ['', 'calls', '', ''],
  ['#', 'calls', '', ''],
  ['#/', 'calls', '', ''],
  ['#/tools', 'tools', '', ''],
  ['#/tools/rag%3Asearch', 'tools', 'rag:search', ''],
  ['#/tools/a%2Fb?x=1', 'tools', 'a/b', 'x=1'],
  ['#/calls?text=a%3Fb%2Fc', 'calls', '', 'text=a%3Fb%2Fc'],
  ['#/runs/%E0%A4%A', 'runs', '%E0%A4%A', ''],
])('%s is the page %s', (hash, page, rest, query) => {
  const read = readRoute(hash);
  expect([read.page, read.rest, read.query.toString()]).toEqual([page, rest, query]);
});

test.each([
  ['calls', 'a/b ?#%', 'status=ok'],
  ['tools', '', ''],
])('the address of %s %s %s is read back', (page, rest, query) => {
  const read = readRoute(toHash(page, rest, query));
  expect([read.page, read.rest, read.query.toString()]).toEqual([page, rest, query]);
});
