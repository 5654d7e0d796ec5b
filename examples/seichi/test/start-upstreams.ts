import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHttpClient, createSeichiTools, type HttpClientOptions, type SeichiOptions } from '../tools/index.ts';
import {
  bangumiNotFound,
  compactIndex,
  completion,
  euphonium,
  euphoniumLite,
  gsiUji,
  keion,
  keionBook,
  keionLite,
  keionPoints,
  ujiPoints,
  ujiStation,
} from './answers.ts';

/** A request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Service = 'bangumi' | 'anitabi' | 'nominatim' | 'gsi' | 'openai';
type Answer = (request: Seen, response: ServerResponse) => unknown;

/** Ways in which every service can go wrong. */
export const faults = {
  404: (_, response) => send(response, 404, bangumiNotFound),
  422: (_, response) => send(response, 422, { title: 'Unprocessable Entity', description: 'filter is not valid' }),
  429: (_, response) => send(response, 429, { title: 'Too Many Requests', description: 'slow down' }, { 'retry-after': '7' }),
  500: (_, response) => send(response, 500, { title: 'Internal Server Error', description: 'Unexpected error, see ticket 404-401' }),
  hang: () => undefined,
  html: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Just a moment…</title>'),
  garbage: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": [nope'),
  'wrong shape': (_, response) => send(response, 200, { message: 'hello' }),
  truncated: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data": [', () => response.destroy());
  },
  'redirect loop': (request, response) => response.writeHead(302, { location: request.path }).end(),
  'redirect elsewhere': (_, response) => response.writeHead(307, { location: 'http://192.0.2.1/' }).end(),
  'redirect to a file': (_, response) => response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
} as const satisfies Record<string, Answer>;

/** Starts one server that is all five services, each under a path of its own. */
export async function startUpstreams() {
  const seen: Seen[] = [];
  const replaced = new Map<Service, Answer>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, service = '', ...rest] = pathname.split('/');
    const one: Seen = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await text(request),
    };
    seen.push(one);
    const answer = replaced.get(service as Service) ?? services[service as Service];
    if (answer === undefined) return send(response, 404, {});
    answer({ ...one, path: replaced.has(service as Service) ? pathname : `/${rest.join('/')}` }, response);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (service: Service): string => `${origin}/${service}`;

  return {
    origin,
    seen,
    url,
    /** Replaces the answers of services; without an answer, they behave normally again. */
    replace: (answer: Answer | undefined, ...names: readonly Service[]) => {
      for (const name of names.length === 0 ? allServices : names) {
        if (answer === undefined) replaced.delete(name);
        else replaced.set(name, answer);
      }
    },
    /** Creates tools that use this server, with a client of their own. */
    tools: (own: SeichiOptions = {}, client: HttpClientOptions = {}) =>
      createSeichiTools({
        http: createHttpClient(client),
        works: { bangumiIds: [1424, 115908] },
        ...own,
        bangumi: { baseUrl: url('bangumi'), ...own.bangumi },
        anitabi: { baseUrl: url('anitabi'), ...own.anitabi },
        geocoder: typeof own.geocoder === 'function' ? own.geocoder : { baseUrl: url(own.geocoder?.kind ?? 'nominatim'), ...own.geocoder },
        translate: { baseUrl: `${url('openai')}/v1`, apiKey: 'sk-test-key', ...own.translate },
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const allServices: readonly Service[] = ['bangumi', 'anitabi', 'nominatim', 'gsi', 'openai'];

const services: Record<Service, Answer> = {
  bangumi({ method, path, query, headers, body }, response) {
    // Bangumi turns away those who do not say who they are.
    if (headers['user-agent'] === undefined || headers['user-agent'] === 'node')
      return send(response, 403, { title: 'Forbidden', description: 'user-agent is required' });
    if (method === 'POST' && path === '/v0/search/subjects') {
      const { keyword, filter } = JSON.parse(body) as { keyword: string; filter?: { type?: number[] } };
      const found = [keion, keionBook, euphonium].filter(
        ({ name, type }) => name.includes(keyword) && (filter?.type?.includes(type) ?? true),
      );
      const limit = Number(query.get('limit') ?? 30);
      return send(response, 200, { data: found.slice(0, limit), total: found.length, limit, offset: 0 });
    }
    const subject = [euphonium, keion].find(({ id }) => path === `/v0/subjects/${id}`);
    return subject === undefined ? send(response, 404, bangumiNotFound) : send(response, 200, subject);
  },
  anitabi({ path, headers }, response) {
    if (path === '/d/g.json') return send(response, 200, compactIndex);
    const known: Record<string, unknown> = {
      '/bangumi/115908/lite': euphoniumLite,
      '/bangumi/115908/points/detail': ujiPoints,
      '/bangumi/1424/lite': keionLite,
      '/bangumi/1424/points/detail': keionPoints,
    };
    const answer = known[path];
    if (answer === undefined) return send(response, 404, { error: 'Not Found' });
    if (headers['if-none-match'] === '"v1"') return response.writeHead(304, { etag: '"v1"' }).end();
    return send(response, 200, answer, { etag: '"v1"', 'last-modified': 'Tue, 10 Nov 2026 08:00:00 GMT' });
  },
  nominatim({ path, query }, response) {
    if (path !== '/search' || query.get('format') !== 'jsonv2')
      return send(response, 400, { error: { code: 400, message: 'Nothing to search for.' } });
    return send(response, 200, query.get('q') === '宇治駅' ? ujiStation : []);
  },
  gsi: ({ path, query }, response) =>
    send(response, 200, path === '/address-search/AddressSearch' && query.get('q') === '宇治駅' ? gsiUji : []),
  openai({ method, path, headers }, response) {
    if (method !== 'POST' || path !== '/v1/chat/completions')
      return send(response, 404, {
        error: { message: 'Unknown request URL', type: 'invalid_request_error', param: null, code: 'unknown_url' },
      });
    if (headers.authorization !== 'Bearer sk-test-key') {
      return send(response, 401, {
        error: { message: 'Incorrect API key provided: sk-wr**ng.', type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
      });
    }
    return send(response, 200, completion(' Sound! &lt;Euphonium&gt;\n'));
  },
};

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
}
