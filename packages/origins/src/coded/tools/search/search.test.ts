import type { ServerResponse } from 'node:http';
import { createResources, createToolbox } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { json, startLoopback } from '../../../../../../proofs/fixtures/start-loopback.ts';
import { readCoded } from '../../../../test/read-coded.ts';
import { createBrave, createSandbox, createSearxng, createSerper, createTavily, type SearchProvider } from '../index.ts';

const toolboxOf = (search?: SearchProvider) => {
  const { tools, resources } = createSandbox({ search });
  return createToolbox(tools, { resources: createResources(resources), report: () => undefined });
};
const ask = async (search: SearchProvider | undefined, query: string | string[], max_results?: number) =>
  readCoded(await toolboxOf(search).call('search', { query, ...(max_results !== undefined && { max_results }) }));

interface Row {
  readonly create: (baseUrl: string) => SearchProvider;
  /** The real answers of the service for two pages. */
  readonly found: object;
  readonly nothing: object;
  readonly asks: readonly [method: string, url: string, body: object | '', header: string, value: string];
}

const services: Readonly<Record<string, Row>> = {
  serper: {
    create: (baseUrl) => createSerper({ baseUrl, apiKey: 'key-1' }),
    found: {
      searchParameters: { q: 'kyoto museum', type: 'search', engine: 'google', num: 5 },
      organic: [
        { title: 'Kyoto Railway Museum', link: 'https://a.example/', snippet: 'Open 10:00 to 17:00', position: 1 },
        { title: 'Museums', link: 'https://b.example/', snippet: 'A list', date: 'Mar 3, 2026', position: 2 },
      ],
      peopleAlsoAsk: [],
      credits: 1,
    },
    nothing: { searchParameters: { q: 'x' }, organic: [], credits: 1 },
    asks: ['POST', '/search', { q: 'kyoto museum', num: 5 }, 'x-api-key', 'key-1'],
  },
  tavily: {
    create: (baseUrl) => createTavily({ baseUrl, apiKey: 'key-1' }),
    found: {
      query: 'kyoto museum',
      follow_up_questions: null,
      answer: null,
      images: [],
      results: [
        { title: 'Kyoto Railway Museum', url: 'https://a.example/', content: 'Open 10:00 to 17:00', score: 0.98, raw_content: null },
        { title: 'Museums', url: 'https://b.example/', content: 'A list', score: 0.7, raw_content: null },
      ],
      response_time: 1.09,
      request_id: 'c1a2',
    },
    nothing: { query: 'x', answer: null, images: [], results: [], response_time: 0.4 },
    asks: ['POST', '/search', { query: 'kyoto museum', max_results: 5, search_depth: 'basic' }, 'authorization', 'Bearer key-1'],
  },
  brave: {
    create: (baseUrl) => createBrave({ baseUrl, apiKey: 'key-1' }),
    found: {
      type: 'search',
      query: { original: 'kyoto museum', more_results_available: true },
      mixed: { type: 'mixed', main: [{ type: 'web', index: 0, all: false }] },
      web: {
        type: 'search',
        results: [
          { title: 'Kyoto Railway Museum', url: 'https://a.example/', description: 'Open <strong>10:00</strong> to 17:00', language: 'en' },
          { title: 'Museums', url: 'https://b.example/', description: 'A&nbsp;list' },
        ],
        family_friendly: true,
      },
    },
    nothing: { type: 'search', query: { original: 'x' }, mixed: { type: 'mixed', main: [] } },
    asks: ['GET', '/res/v1/web/search?q=kyoto+museum&count=5', '', 'x-subscription-token', 'key-1'],
  },
  searxng: {
    create: (baseUrl) => createSearxng({ baseUrl }),
    found: {
      query: 'kyoto museum',
      number_of_results: 0,
      results: [
        {
          url: 'https://a.example/',
          title: 'Kyoto Railway Museum',
          content: 'Open 10:00 to 17:00',
          engine: 'brave',
          engines: ['brave'],
          score: 4,
        },
        {
          url: 'https://b.example/',
          title: 'Museums',
          content: 'A list',
          engine: 'mojeek',
          engines: ['mojeek'],
          score: 1,
          publishedDate: null,
        },
      ],
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [['google', 'Suspended: access denied']],
    },
    nothing: {
      query: 'x',
      number_of_results: 0,
      results: [],
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    },
    asks: ['GET', '/search?q=kyoto+museum&format=json', '', 'accept', 'application/json'],
  },
};

describe.each(Object.entries(services))('%s', (_name, { create, found, nothing, asks }) => {
  test('is asked in its own format, and its answer is read', async () => {
    const server = await startLoopback((_, response) => json(response, found));
    const { code, data } = await ask(create(server.origin), 'kyoto museum', 5);
    expect([code, data]).toEqual([
      0,
      {
        query: 'kyoto museum',
        result: '1. Kyoto Railway Museum\n   https://a.example/\n   Open 10:00 to 17:00\n2. Museums\n   https://b.example/\n   A list',
      },
    ]);
    const [request] = server.requests;
    const [method, url, body, header, value] = asks;
    expect([request?.method, request?.url, request?.body === '' ? '' : JSON.parse(request?.body ?? ''), request?.headers[header]]).toEqual([
      method,
      url,
      body,
      value,
    ]);
  });

  test('may stand below a path', async () => {
    const server = await startLoopback((_, response) => json(response, found));
    expect((await ask(create(`${server.origin}/proxy/`), 'kyoto museum', 5)).code).toBe(0);
    expect(server.requests[0]?.url).toBe(`/proxy${asks[1]}`);
  });

  test('finds nothing: 4005', async () => {
    const server = await startLoopback((_, response) => json(response, nothing));
    expect(await ask(create(server.origin), 'x')).toMatchObject({
      code: 4005,
      message: 'Nothing was found for “x”.',
      data: { result: '', query: 'x' },
    });
  });

  test.each([
    [5002, 'rate_limited', 'too many requests', (response) => json(response, { message: 'slow down' }, 429, { 'retry-after': '7' })],
    [5002, 'unauthenticated', 'a key it does not know', (response) => json(response, { message: 'Unauthorized: key-1 is unknown' }, 401)],
    [5002, 'upstream', 'an error of its own', (response) => json(response, { message: 'oops' }, 500)],
    [5002, 'unreachable', 'hanging up', (response) => response.destroy()],
    [5003, 'bad_response', 'a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello')],
    [5003, 'bad_response', 'half of an answer', (response) => response.end(JSON.stringify(found).slice(0, 80))],
    [5003, 'bad_response', 'a list', (response) => response.end('[]')],
    [5003, 'bad_response', 'leading elsewhere', (response) => response.writeHead(302, { location: '/again' }).end()],
  ] as readonly (readonly [number, string, string, (response: ServerResponse) => unknown])[])(
    'gives %i (%s) for %s, after one request, without repeating the key',
    async (code, kind, _, answer) => {
      const server = await startLoopback((_request, response) => answer(response));
      const outcome = await toolboxOf(create(server.origin)).call('search', { query: 'q' });
      expect(outcome).toMatchObject({ status: 'error', error: { kind, effect: 'none' } });
      expect(readCoded(outcome).code).toBe(code);
      expect(server.requests).toHaveLength(1);
      if (asks[4].includes('key-1')) expect(JSON.stringify(outcome)).not.toContain('key-1');
      if (kind === 'rate_limited')
        expect(outcome).toMatchObject({ error: { retryable: true, retryAfterMs: 7_000, upstream: { status: 429 } } });
    },
  );

  test('that never answers ends with the deadline: 5005', async () => {
    const server = await startLoopback(() => undefined);
    const outcome = await toolboxOf(create(server.origin)).call('search', { query: 'q' }, { timeoutMs: 80 });
    expect(readCoded(outcome).code).toBe(5005);
  });
});

test.each([
  ['nobody searches', undefined],
  ['Serper has no key', createSerper()],
  ['Tavily has an empty key', createTavily({ apiKey: '  ' })],
  ['the key of Brave is a variable that was not filled in', createBrave({ apiKey: `$\{BRAVE_API_KEY}` })],
  ['the key of Serper has a line break in it', createSerper({ apiKey: 'first\nsecond' })],
  ['the key of Tavily has characters that no header takes', createTavily({ apiKey: '\u9375-first' })],
  ['SearXNG has no address', createSearxng()],
  ['SearXNG has an address that is none', createSearxng({ baseUrl: 'searx.example:8080' })],
  ['SearXNG has an address without a scheme', createSearxng({ baseUrl: 'first' })],
  ['the address of Brave holds a password', createBrave({ apiKey: 'k', baseUrl: 'https://me:first@brave.example' })],
])('it is 5001 when %s, for one question and for several', async (_, provider) => {
  for (const query of ['q', ['q', 'r']]) {
    const outcome = await toolboxOf(provider).call('search', { query });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_configured', code: 'api_key_not_configured', recovery: 'stop' } });
    expect(readCoded(outcome).code).toBe(5001);
    expect(JSON.stringify(outcome)).not.toContain('first');
  }
});

test.each([
  ['as it is', '{"message": "Sorry, ab/cdef-ghi is unknown"}'],
  ['with escapes', '{"message": "Sorry, ab\\/cdef\\u002dghi is unknown"}'],
  ['in a text', 'Sorry, ab/cdef-ghi is unknown'],
])('a key that is echoed %s does not get out', async (_, body) => {
  const server = await startLoopback((_request, response) => response.writeHead(400).end(body));
  const outcome = await toolboxOf(createSerper({ apiKey: 'ab/cdef-ghi', baseUrl: server.origin })).call('search', { query: 'q' });
  expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('Sorry, … is unknown') } });
  expect(JSON.stringify(outcome)).not.toContain('ghi');
});

test('what a service says of a page stays on its line', async () => {
  const organic = [
    { title: 'T\n2. Fake', link: 'https://a.example/\n2. https://fake.example/\u0007', snippet: 'a\u0000\nb' },
    { link: '\n' },
  ];
  const server = await startLoopback((_, response) => json(response, { organic }));
  expect((await ask(createSerper({ apiKey: 'k', baseUrl: server.origin }), 'q')).data?.result).toBe(
    '1. T 2. Fake\n   https://a.example/2.https://fake.example/\n   a b',
  );
});

test('marks and entities are read, and what only looks like one is left', async () => {
  const snippet = '<strong>a</strong> &amp; b &constructor; &unknown; &#x27;c&#39;';
  const server = await startLoopback((_, response) => json(response, { organic: [{ title: 'T', link: 'https://a.example/', snippet }] }));
  expect((await ask(createSerper({ apiKey: 'k', baseUrl: server.origin }), 'q')).data?.result).toBe(
    "1. T\n   https://a.example/\n   a & b &constructor; &unknown; 'c'",
  );
});

test('half a character in what a service says is made whole', async () => {
  const server = await startLoopback((_, response) =>
    json(response, { organic: [{ title: 'T', link: 'https://a.example/', snippet: '\ud83d cut' }] }),
  );
  expect((await ask(createSerper({ apiKey: 'k', baseUrl: server.origin }), 'q')).data?.result).toBe(
    '1. T\n   https://a.example/\n   \ufffd cut',
  );
});

test('engines that did not answer are not taken for nothing found', async () => {
  const server = await startLoopback((_, response) =>
    json(response, { query: 'x', results: [], unresponsive_engines: [['google', 'CAPTCHA']] }),
  );
  expect(await ask(createSearxng({ baseUrl: server.origin }), 'x')).toMatchObject({
    code: 5002,
    message: 'None of the search engines behind SearXNG answered (google: CAPTCHA).',
  });
});

describe('a list of questions', () => {
  const start = () =>
    startLoopback(({ text }, response) => {
      const { q } = JSON.parse(text);
      if (q === 'broken') return json(response, { message: 'oops' }, 500);
      return json(response, { organic: q === 'empty' ? [] : [{ title: q, link: `https://${q}.example/`, snippet: '' }] });
    });
  test.each([
    [0, ['a', 'b'], '## a\n1. a\n   https://a.example/\n\n## b\n1. b\n   https://b.example/'],
    [5009, ['a', 'broken'], '## a\n1. a\n   https://a.example/'],
    [5009, ['empty', 'b', 'broken'], '## b\n1. b\n   https://b.example/'],
    [5008, ['empty', 'broken'], ''],
  ])('ends as %i: %j', async (code, queries, result) => {
    const server = await start();
    const answer = await ask(createSerper({ apiKey: 'k', baseUrl: server.origin }), queries);
    expect([answer.code, answer.data]).toEqual([code, { result, query: queries.join(' | ') }]);
  });

  test('says of each item what was wrong', async () => {
    const server = await start();
    const toolbox = toolboxOf(createSerper({ apiKey: 'k', baseUrl: server.origin }));
    expect(await toolbox.call('search', { query: ['empty', 'b', 'broken'] })).toMatchObject({
      status: 'partial',
      total: 3,
      failures: [
        { index: 0, error: { kind: 'not_found', code: 'no_results_found' } },
        { index: 2, error: { kind: 'upstream', retryable: true } },
      ],
    });
    expect(await toolbox.call('search', { query: ['broken', 'broken'] })).toMatchObject({
      error: { kind: 'all_failed', retryable: true, recovery: 'wait' },
      failures: [{ index: 0, error: { kind: 'upstream' } }, { index: 1 }],
    });
  });
});

test('a provider of your own may throw anything; what it says to itself is not shown', async () => {
  const provider: SearchProvider = { name: 'own', search: () => Promise.reject(new Error('cannot open /srv/secret/index')) };
  const { code, message } = await ask(provider, ['a', 'b']);
  expect(code).toBe(5008);
  expect(message).toMatch(/^All 2 searches failed\. The first: /);
  expect(message).not.toContain('open');
});

test.each([
  [4002, {}],
  [4003, { query: 7 }],
  [4003, { query: '' }],
  [4003, { query: '   ' }],
  [4003, { query: [] }],
  [4003, { query: ['a', 7] }],
  [4003, { query: Array(11).fill('a') }],
  [4003, { query: 'a', max_results: 0 }],
  [4003, { query: 'a', max_results: 2.5 }],
  [4003, { query: 'a', pages: 1 }],
])('arguments that do not fit are %i: %j', async (code, args) => {
  expect(readCoded(await toolboxOf().answer({ name: 'search', args })).code).toBe(code);
});
