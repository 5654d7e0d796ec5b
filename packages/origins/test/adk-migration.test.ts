import { expect, test, vi } from 'vitest';
import { createTools as createAfter } from './after/adk-tools.ts';
import { createTools as createBefore } from './before/adk-tools.ts';
import { runAdk } from './run-adk.ts';
import { calls, failing, type UseCases, working } from './use-cases.ts';

class BangumiError extends Error {
  override readonly name = 'BangumiError';
}

/** Whatever a tool of 000 may throw. */
const thrown: Readonly<Record<string, () => unknown>> = {
  'the documented text': () => new Error('Human-readable error message'),
  'an error of its own class': () => new BangumiError('Bangumi is closed today'),
  'a type error': () => new TypeError("Cannot read properties of undefined (reading 'list')"),
  'several lines': () => new Error('first line\nsecond line\n    at someone (a.ts:3)'),
  'a long text': () => new Error('word '.repeat(400)),
  'a path': () => new Error('cannot open /srv/data/a.json'),
  'spaces at both ends': () => new Error('  as written  '),
  'another script': () => new Error('作品が見つかりません 🗾'),
  'words that sound like input': () => new Error('cache entry missing'),
  'words that sound like a search': () => new Error('template not found in bundle'),
  'an address with a query': () => new Error('GET https://api.bgm.tv/v0/search?keyword=k&type=2 failed: 500'),
  'spaces of no width': () => new Error('no\u200bbreak \ufeffhere'),
  'a number': () => 42,
  'a text': () => 'Bangumi said no',
  'an error with a cause': () => new Error('search failed', { cause: new Error('socket hang up') }),
  'several errors': () => new AggregateError([new Error('a'), new Error('b')], 'both mirrors failed'),
  'an HTTP failure': () => Object.assign(new Error('Bad Gateway'), { status: 502 }),
  'a rate limit': () => Object.assign(new Error('Too Many Requests'), { status: 429, headers: { 'retry-after': '7' } }),
  'an HTTP 404': () => Object.assign(new Error('HTTP 404: no such subject'), { response: { status: 404 } }),
  'a refused connection': () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
  'what fetch throws': () =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }) }),
  'a timeout that the tool raises itself': () => Object.assign(new Error('timed out after 10s'), { name: 'TimeoutError' }),
  'one of the six codes': () => Object.assign(new Error('Bangumi is slow'), { error_code: 'external_service_error' }),
};

/** Runs the agent with the tools before and after the move. */
async function compare(use: UseCases, asked: typeof calls = calls) {
  const before = await runAdk(
    createBefore(use, () => undefined),
    asked,
  );
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const after = await runAdk(createAfter(use), asked);
  const lines = printed.mock.calls;
  printed.mockRestore();
  return { before, after, lines };
}

test('a success gives the same bytes before and after', async () => {
  const { before, after } = await compare(working);
  expect(after).toEqual(before);
  expect(after.read[0]).toBe('{"success":true,"error":null,"keyword":"K-ON","results":[{"id":1424,"name":"K-ON","name_cn":"轻音少女"}]}');
});

test.each(Object.entries(thrown))('%s gives the same bytes before and after, and the run goes on', async (_, make) => {
  const { before, after } = await compare(
    failing(() => {
      throw make();
    }),
  );
  expect(after).toEqual(before);
  expect(after.read).toHaveLength(5);
  expect(after.last).toBe('done');
});

test('an argument that the tool itself refuses gives the same bytes before and after', async () => {
  const { before, after } = await compare(working, [['search_bangumi_subjects', { keyword: '  ' }]]);
  expect(after).toEqual(before);
  expect(after.read).toEqual(['{"success":false,"error":"keyword must not be empty","keyword":"  ","results":[]}']);
});

test('a default of the schema gives the same bytes before and after', async () => {
  const asked = [['search_anitabi_bangumi_near_station', { station_name: '宇治' }]] as const;
  const { before, after } = await compare(working, asked);
  expect(after).toEqual(before);
});

test('every failure is logged with its tool, its parameters and its stack, as before', async () => {
  const fails = failing(() => {
    throw new BangumiError('Bangumi is closed today');
  });
  const { lines } = await compare(fails, [...calls, ...calls]);
  expect(lines.map(([event, input]) => [event, input])).toEqual([...calls, ...calls].map(([name, args]) => [`${name} failed`, args]));
  for (const [, , stack] of lines) expect(stack).toMatch(/^BangumiError: Bangumi is closed today\n\s+at /);
});
