import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromOpenApi } from '@toolpact/openapi';
import { createToolbox, type Outcome, toModelText } from 'toolpact';
import { errorType } from 'toolpact/telemetry';
import { searchDescription, warehouseDescription } from './google-like.ts';

// A web search and a warehouse, each a description and three options. The other side is a real HTTP server on this machine that answers and
// fails in Google's own format; for the last call it is switched off.

const apiKey = 'AIzaStory-0123456789-abcdefghij';
const token = 'ya29.story-token-of-acme';
const seen: { url: string; authorization: string | undefined; body: string }[] = [];

const upstream = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
  // Close each connection after its answer, so that the server can stop at once.
  response.setHeader('connection', 'close');
  let body = '';
  for await (const chunk of request) body += chunk;
  const url = new URL(request.url ?? '/', 'http://upstream');
  seen.push({ url: url.href, authorization: request.headers.authorization, body });
  if (url.pathname === '/customsearch/v1') return search(url.searchParams, response);
  return query(JSON.parse(body), response);
}

function search(given: URLSearchParams, response: ServerResponse): ServerResponse {
  if (given.get('key') !== apiKey) return refuse(response, 400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT');
  if (given.get('q') === 'everything')
    return refuse(response, 429, `Quota exceeded for quota metric 'Queries' of the key ${apiKey}.`, 'RESOURCE_EXHAUSTED', {
      'retry-after': '30',
    });
  return answer(response, {
    kind: 'customsearch#search',
    items: [{ title: 'Kinkaku-ji', link: 'https://example.com/kinkakuji', snippet: 'A golden temple.' }],
  });
}

function query({ query: sql }: { readonly query: string }, response: ServerResponse): ServerResponse {
  if (!sql.startsWith('SELECT'))
    return refuse(response, 400, 'Syntax error: Expected keyword SELECT but got identifier at [1:1]', 'INVALID_ARGUMENT');
  if (sql.includes('nowhere'))
    return refuse(response, 404, 'Not found: Table acme:sales.nowhere was not found in location EU', 'NOT_FOUND');
  return answer(response, {
    kind: 'bigquery#queryResponse',
    jobComplete: true,
    totalRows: '1',
    rows: [{ f: [{ v: 'Oslo' }, { v: '42' }] }],
  });
}

function answer(response: ServerResponse, value: unknown): ServerResponse {
  return response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value));
}

function refuse(
  response: ServerResponse,
  code: number,
  message: string,
  status: string,
  headers: Record<string, string> = {},
): ServerResponse {
  response.writeHead(code, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  return response.end(
    JSON.stringify({ error: { code, message, errors: [{ message, domain: 'global', reason: status.toLowerCase() }], status } }),
  );
}

await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;

// The search engine and the key are the application's; the model only asks.
const web = fromOpenApi(searchDescription, {
  baseUrl,
  auth: { key: apiKey },
  preset: { cx: 'engine-1' },
  override: () => ({ name: 'google_search', description: 'Searches the web.' }),
});

// Sent by POST, but it only reads; the token is that of the caller's tenant.
const warehouse = fromOpenApi(warehouseDescription, {
  baseUrl: `${baseUrl}/bigquery/v2`,
  auth: { Oauth2: ({ tenantId }) => (tenantId === 'acme' ? token : undefined) },
  preset: { projectId: 'acme' },
  override: () => ({ name: 'bigquery', description: 'Runs a SQL query on the warehouse.', effects: 'none' }),
});

assert.deepEqual([...web.skipped, ...warehouse.skipped], []);
const toolbox = createToolbox([...web.tools, ...warehouse.tools], { report: () => {} }).with({ tenantId: 'acme' });
assert.deepEqual(
  toolbox.list().map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties as object)]),
  [
    ['google_search', ['q', 'num']],
    ['bigquery', ['query', 'maxResults', 'useLegacySql']],
  ],
);

const found = await ask('google_search', { q: 'kyoto temples', num: 1 });
assert.ok(found.status === 'ok' && toModelText(found).includes('Kinkaku-ji'));
assert.equal(seen.at(-1)?.url, `http://upstream/customsearch/v1?q=kyoto%20temples&cx=engine-1&num=1&key=${apiKey}`);

const rows = await ask('bigquery', { query: 'SELECT city, SUM(n) FROM sales.orders GROUP BY 1', useLegacySql: false });
assert.ok(rows.status === 'ok' && JSON.stringify(rows.data).includes('Oslo'));
assert.equal(seen.at(-1)?.authorization, `Bearer ${token}`);

await expectFailure('google_search', { q: 'everything' }, 'rate_limited', '429', 'Wait 30 s before trying again.');
await expectFailure('google_search', { num: 50 }, 'invalid_input', 'invalid_arguments', 'q');
await expectFailure('bigquery', { query: 'DELETE everything' }, 'invalid_input', '400', 'Syntax error');
await expectFailure('bigquery', { query: 'SELECT * FROM sales.nowhere' }, 'not_found', '404', 'was not found');

await new Promise((resolve) => upstream.close(resolve));
await expectFailure('bigquery', { query: 'SELECT 1' }, 'unreachable', 'ECONNREFUSED', 'Try again in a moment.');

console.log(`
Two descriptions became two tools. Each failure says what happened in one vocabulary, \`error.type\` is what telemetry groups by, and neither the
key nor the token is in any answer.
`);

async function ask(name: string, args: Readonly<Record<string, unknown>>): Promise<Outcome> {
  const outcome = await toolbox.answer({ name, args });
  const text = JSON.stringify(outcome) + toModelText(outcome);
  assert.ok(!text.includes(apiKey) && !text.includes(token), 'a credential got out');
  console.log(`\n${name} ${JSON.stringify(args)}\n  ${toModelText(outcome).replaceAll('\n', '\n  ')}`);
  return outcome;
}

async function expectFailure(
  name: string,
  args: Readonly<Record<string, unknown>>,
  kind: string,
  type: string,
  said: string,
): Promise<void> {
  const outcome = await ask(name, args);
  assert.ok(outcome.status === 'error');
  assert.equal(outcome.error.kind, kind);
  assert.equal(errorType(outcome.error), type);
  assert.ok(toModelText(outcome).includes(said), toModelText(outcome));
  console.log(`  error.type=${type}`);
}
