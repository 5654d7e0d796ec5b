import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromOpenApi } from '@toolpact/openapi';
import { preset } from '@toolpact/origins/error-type';
import { defineTool } from 'toolpact';
import { openTelemetry } from 'toolpact/telemetry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchDescription, warehouseDescription } from '../../../examples/openapi-search/google-like.ts';
import { startSdk } from '../../toolpact/test/telemetry/sdk.ts';
import { quietBox } from './start-box.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
let status = 200;
const upstream = createServer((_, response) => {
  // A status of 0 is a service that never answers.
  if (status !== 0) response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end('{}');
});
let baseUrl = '';
beforeAll(async () => {
  sdk = await startSdk('3.1');
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

type Tools = Parameters<typeof quietBox>[0];
async function typeOf(tools: Tools, args: object): Promise<unknown> {
  const toolbox = quietBox(tools, { preset, telemetry: openTelemetry() });
  await sdk.take();
  await toolbox.answer({ name: tools[0]?.name ?? '', args }, { timeoutMs: status === 0 ? 50 : 5000 });
  return (await sdk.take()).spans[0]?.attributes['error.type'];
}

/** Responses of a service, each with its documented value. */
const answers = [
  ...[400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503].map((code) => [code, String(code)] as const),
  [0, 'timeout'],
] as const;

describe('001 API and network tools', () => {
  const fetching = (url: () => string) =>
    defineTool({
      name: 'fetch_page',
      description: 'x',
      effects: 'none',
      async run(_, { signal }) {
        const response = await fetch(url(), { signal });
        if (!response.ok) throw response;
        return response.text();
      },
    });

  test.each(answers)('001-12 a tool that fetches and is answered %i has %s', async (answered, type) => {
    status = answered;
    expect(await typeOf([fetching(() => baseUrl)], {})).toBe(type);
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('001-13 a host that DNS does not know is `java.net.UnknownHostException` (%s)', async (code) => {
    status = 200;
    const cause = Object.assign(new Error(`getaddrinfo ${code} no-such-host.invalid`), { code, syscall: 'getaddrinfo' });
    const tool = defineTool({
      name: 'fetch_page',
      description: 'x',
      effects: 'none',
      run: () => Promise.reject(new TypeError('fetch failed', { cause })),
    });
    expect(await typeOf([tool], {})).toBe('java.net.UnknownHostException');
  });

  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: { operationId: 'list_pets', responses: { 200: { description: 'Pets' } } } } },
  };
  const warehouse = () =>
    fromOpenApi(warehouseDescription, {
      baseUrl,
      auth: { Oauth2: () => 'token-of-the-tenant' },
      preset: { projectId: 'acme' },
      override: () => ({ name: 'bigquery', effects: 'none' }),
    });
  const search = () =>
    fromOpenApi(searchDescription, {
      baseUrl,
      auth: { key: 'key-of-the-search' },
      preset: { cx: 'engine' },
      override: () => ({ name: 'google_search' }),
    });

  test.each(answers)('001-15 `openapi_tool` answered %i has %s', async (answered, type) => {
    status = answered;
    expect(await typeOf(fromOpenApi(openapi, { baseUrl }).tools, {})).toBe(type);
  });

  test.each(answers)('001-16 `google_search_tool` answered %i has %s', async (answered, type) => {
    status = answered;
    expect(await typeOf(search().tools, { q: 'kyoto' })).toBe(type);
  });

  test.each(answers)('001-17 `bigquery_tool` answered %i has %s', async (answered, type) => {
    status = answered;
    expect(await typeOf(warehouse().tools, { query: 'SELECT 1' })).toBe(type);
  });

  test('001-16 001-17 arguments that the description refuses are 400', async () => {
    expect(await typeOf(search().tools, { num: 50 })).toBe('400');
    expect(await typeOf(warehouse().tools, {})).toBe('400');
  });
});
