import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, describe, expect, test } from 'vitest';
import { checkServer, serverChecks } from '../../../proofs/suites/server/check-server.ts';
import { serverCaseTools } from '../../../proofs/suites/server/server-cases.ts';
import { apiKeys, createApiKey, createServer, type ServerOptions, type ToolServer } from '../src/index.ts';
import { listen } from '../src/node/listen.ts';
import { sampleTools } from './sample-tools.ts';
import { withFetch } from './serve-ways.ts';
import { withOrigins } from './with-origins.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

function sound(options: ServerOptions = {}): ToolServer {
  const toolbox = createToolbox(serverCaseTools(), { store: memoryStore(), report: () => undefined });
  return createServer(toolbox as never, { auditLog: false, ...withOrigins, ...options });
}

/** Listens on loopback. Only a server that nobody has spoiled may take the listener's fast path. */
async function start(server: ToolServer): Promise<string> {
  const { url, close } = await listen(server, { port: 0 });
  closers.push(() => close());
  return url;
}

/** The one thing we know of that our server does not do. */
const known: readonly string[] = [];
const told = (findings: Awaited<ReturnType<typeof checkServer>>): string[] => findings.map(({ check, message }) => `${check}: ${message}`);

describe('our own server keeps every promise', () => {
  test('over HTTP', async () => {
    expect(told(await checkServer(await start(sound())))).toEqual(known);
  });

  test('as a fetch handler', async () => {
    expect(told(await checkServer(sound().fetch))).toEqual(known);
  });

  test('for those who have a key', async () => {
    const { key, hash } = createApiKey();
    const url = await start(sound({ auth: apiKeys([{ hash, tenantId: 'acme', keyId: 'k' }]) }));
    expect(told(await checkServer(url, { headers: { authorization: `Bearer ${key}` } }))).toEqual(known);
  });

  test('with limits of its own', async () => {
    expect(told(await checkServer(await start(sound({ maxBodyBytes: 20_000 })), { maxBodyBytes: 20_000 }))).toEqual(known);
  });
});

test('a server with other tools is judged by what needs none of ours, and it says so', async () => {
  const server = createServer(createToolbox(sampleTools, { report: () => undefined }), { auditLog: false });
  const skip = ['server/methods'];
  expect(told(await checkServer(server.fetch, { skip }))).toEqual([
    'server/cases: outcomes were not judged: it does not serve conclude, conclude_blurting, conclude_context, conclude_counting',
  ]);
  expect(() => checkServer(server.fetch, { skip: ['server/typo'] })).toThrow('there is no check "server/typo"; there are server/cases, ');
});

test('a server that is not there has findings, and nothing throws', async () => {
  const findings = await checkServer('http://127.0.0.1:9');
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(serverChecks.map(({ id }) => id)));
  expect(findings[0]?.message).toMatch(/^it threw instead of answering: .*ECONNREFUSED/);
});

type Spoil = (answer: Response, request: Request) => Response | Promise<Response>;

/** Answers as the sound server does, with other headers. */
const withHeaders =
  (change: (headers: Headers, request: Request, status: number) => unknown): Spoil =>
  (answer, request) => {
    const headers = new Headers(answer.headers);
    change(headers, request, answer.status);
    return new Response(answer.body, { status: answer.status, headers });
  };

const withStatus =
  (change: (status: number, request: Request) => number): Spoil =>
  (answer, request) =>
    new Response(answer.body, { status: change(answer.status, request), headers: answer.headers });

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are spoiled here
type Body = any;

const withBody =
  (change: (body: Body, request: Request) => unknown): Spoil =>
  async (answer, request) => {
    const text = await answer.text();
    const headers = new Headers(answer.headers);
    headers.delete('content-length');
    if (text === '') return new Response(null, { status: answer.status, headers });
    return new Response(JSON.stringify(change(JSON.parse(text), request)), { status: answer.status, headers });
  };

const pathOf = (request: Request): string => new URL(request.url).pathname;

/** Makes a request like another one, under another address or with other headers. */
async function remade(request: Request, url: string, change: (headers: Headers) => unknown = () => undefined): Promise<Request> {
  const headers = new Headers(request.headers);
  change(headers);
  const body = request.method === 'POST' ? { body: await request.text() } : {};
  return new Request(url, { method: request.method, headers, ...body });
}

/** Leaves headers out, as if the server did not know them. */
const deaf =
  (...names: readonly string[]) =>
  (request: Request): Promise<Request> =>
    remade(request, request.url, (headers) => {
      for (const name of names) headers.delete(name);
    });

interface Broken {
  readonly title: string;
  readonly message: RegExp;
  /** Changes the requests before the sound server gets them, and its answers. */
  readonly before?: (request: Request) => Request | Promise<Request>;
  readonly after?: Spoil;
}

/** For each check, servers that break what it requires and, as far as possible, nothing else. */
const broken: Readonly<Record<string, readonly Broken[]>> = {
  'server/cases': [
    {
      title: 'hides a tool',
      message: /^outcomes were not judged/,
      after: withBody((body) =>
        Array.isArray(body.tools) ? { ...body, tools: body.tools.filter(({ name }: Body) => name !== 'conclude') } : body,
      ),
    },
  ],
  'server/lists-tools': [
    {
      title: 'lists no schemas',
      message: /^a tool has no name or no inputSchema$/,
      after: withBody((body) =>
        Array.isArray(body.tools) ? { ...body, tools: body.tools.map(({ inputSchema: _, ...tool }: Body) => tool) } : body,
      ),
    },
    {
      title: 'has no schema route',
      message: /^it lists conclude and does not give its schema$/,
      after: withStatus((status, request) => (pathOf(request).endsWith('/schema') ? 404 : status)),
    },
    { title: 'lists a bare array', message: /^it lists no tools$/, after: withBody((body) => body.tools ?? body) },
  ],
  'server/statuses': [
    {
      title: 'says 500 for 424',
      message: /^unauthenticated upstream: the status is 500, not 424$/m,
      after: withStatus((status) => (status === 424 ? 500 : status)),
    },
    {
      title: 'says 200 for what is pending',
      message: /^pending: the status is 200, not 202$/m,
      after: withStatus((status) => (status === 202 ? 200 : status)),
    },
    {
      title: 'says 200 for what is partial',
      message: /^partial: the status is 200, not 207$/m,
      after: withStatus((status, request) => (status === 207 && pathOf(request) !== '/v1/batch' ? 200 : status)),
    },
  ],
  'server/outcomes': [
    {
      title: 'calls failures by another name',
      message: /^timeout: the kind is slow$/m,
      after: withBody((body) => (body.error?.kind === 'timeout' ? { ...body, error: { ...body.error, kind: 'slow' } } : body)),
    },
    {
      title: 'leaves out who answered',
      message: /^ok: its meta block lacks the tool or the time$/m,
      after: withBody((body) => (body.status === 'ok' ? { ...body, meta: { ...body.meta, tool: undefined } } : body)),
    },
    {
      title: 'has ids that differ',
      message: /^ok: X-Invocation-Id is not the id in its meta block$/m,
      after: withHeaders((headers) => headers.set('x-invocation-id', 'other')),
    },
    {
      title: 'sends text',
      message: /^ok: its type is not application\/json$/m,
      after: withHeaders((headers) => {
        if (headers.get('content-type') === 'application/json') headers.set('content-type', 'text/plain');
      }),
    },
  ],
  'server/retry-after': [
    {
      title: 'never says when',
      message: /^rate_limited for a while: Retry-After is absent, not 2$/m,
      after: withHeaders((headers) => headers.delete('retry-after')),
    },
    {
      title: 'says milliseconds',
      message: /^rate_limited for a while: Retry-After is 2000, not 2$/m,
      after: withHeaders((headers) => headers.has('retry-after') && headers.set('retry-after', `${headers.get('retry-after')}000`)),
    },
    {
      title: 'makes it up',
      message: /^timeout: Retry-After is 5, not absent$/m,
      after: withHeaders((headers) => headers.has('retry-after') || headers.set('retry-after', '5')),
    },
  ],
  'server/dialects': [
    {
      title: 'does not hear Accept',
      message: /^flat by Accept: Toolpact-Dialect says outcome$/m,
      before: deaf('accept'),
    },
    {
      title: 'does not tell which',
      message: /^coded by \?dialect=: Toolpact-Dialect says nothing$/m,
      after: withHeaders((headers) => headers.delete('toolpact-dialect')),
    },
    {
      title: 'takes dialects nobody speaks',
      message: /^a dialect that does not exist is not refused with 400$/m,
      before: (request) => remade(request, request.url.replace('dialect=klingon', 'dialect=outcome')),
    },
    {
      title: 'speaks another one than it says',
      message: /^value by \?dialect=: the answer is not a failure in that dialect$/m,
      after: withBody((body) => (typeof body.success === 'boolean' && 'value' in body ? { fine: true } : body)),
    },
  ],
  'server/unknown-tool': [
    {
      title: 'says 400',
      message: /^it is not refused as unknown$/,
      after: withStatus((status, request) => (status === 404 && pathOf(request).includes('no_such_tool') ? 400 : status)),
    },
  ],
  'server/bad-arguments': [
    {
      title: 'names no field',
      message: /^no issue names the field$/,
      after: withBody((body) => (body.error?.issues === undefined ? body : { ...body, error: { ...body.error, issues: undefined } })),
    },
    {
      title: 'says 422',
      message: /^they are not refused$/,
      after: withStatus((status, request) => (status === 400 && pathOf(request) === '/v1/tools/conclude' ? 422 : status)),
    },
  ],
  'server/idempotency': [
    {
      title: 'does not hear the key',
      message: /^the tool ran twice for one key$/m,
      before: deaf('idempotency-key'),
    },
    {
      title: 'does not say that it repeats itself',
      message: /^the second call does not say Idempotency-Replayed: true$/m,
      after: withHeaders((headers) => headers.delete('idempotency-replayed')),
    },
    {
      title: 'hides the conflict',
      message: /^the key with other arguments is not a conflict \(409\)$/m,
      after: withStatus((status, request) => (status === 409 && pathOf(request).endsWith('counting') ? 200 : status)),
    },
    {
      title: 'keeps the key',
      message: /^the key is not sent back$/m,
      after: withHeaders((headers) => headers.delete('idempotency-key')),
    },
  ],
  'server/batch': [
    {
      title: 'always says 200',
      message: /^ok, timeout, ok: the status is 200, not 207$/m,
      after: withStatus((status, request) => (pathOf(request) === '/v1/batch' && status !== 400 ? 200 : status)),
    },
    {
      title: 'answers out of order',
      message: /^ok, timeout, ok: the answers are call-2 ok, call-1 error, call-0 ok$/m,
      after: withBody((body) =>
        Array.isArray(body.data?.results) ? { ...body, data: { ...body.data, results: body.data.results.toReversed() } } : body,
      ),
    },
    {
      title: 'takes an empty batch',
      message: /^\{"calls":\[\]\} is not refused with 400$/m,
      after: withStatus((status, request) => (pathOf(request) === '/v1/batch' && status === 400 ? 200 : status)),
    },
  ],
  'server/concurrent': [{ title: 'mixes up answers', message: /^\d+ of 32 calls got another answer$/, after: mixUp() }],
  'server/problems': [
    {
      title: 'says 400 for what is too large',
      message: /^a body that is too large: the status is 400, not 413$/m,
      after: withStatus((status) => (status === 413 ? 400 : status)),
    },
    {
      title: 'says 400 for another type',
      message: /^a body of another type: the status is 400, not 415$/m,
      after: withStatus((status) => (status === 415 ? 400 : status)),
    },
    {
      title: 'answers with a page',
      message: /^a path that is not there: the answer is no problem document of its status$/m,
      after: (answer, request) =>
        pathOf(request).startsWith('/v1/nowhere')
          ? new Response('<h1>Not Found</h1>', { status: 404, headers: new Headers([...answer.headers, ['content-type', 'text/html']]) })
          : answer,
    },
    {
      title: 'breaks',
      message: /^a body that is nested too deeply: the status is 500, not 400$/m,
      after: withStatus((status, request) => (Number(request.headers.get('content-length')) === 10_006 ? 500 : status)),
    },
  ],
  'server/methods': [
    {
      title: 'says 404',
      message: /^DELETE \/v1\/tools is answered with 404$/,
      after: withStatus((status, request) => (request.method === 'DELETE' ? 404 : status)),
    },
    {
      title: 'does not name its methods',
      message: /^DELETE \/v1\/tools is answered with 405$/,
      after: withHeaders((headers) => headers.delete('allow')),
    },
  ],
  'server/trace': [
    {
      title: 'forgets the trace of refusals',
      message: /^a path that is not there: the trace id is not sent back$/m,
      after: withHeaders((headers, _, status) => status >= 400 && headers.delete('x-trace-id')),
    },
    { title: 'does not hear traceparent', message: /^a list: the trace of traceparent does not count$/m, before: deaf('traceparent') },
    { title: 'does not hear X-Trace-Id', message: /^ok: header and meta do not both carry the trace id$/m, before: deaf('x-trace-id') },
  ],
  'server/context': [
    { title: 'does not hear X-Run-Id', message: /^the tool receives runId undefined, not "run-42"$/m, before: deaf('x-run-id') },
    {
      title: 'forgets it with failures',
      message: /^x-run-id does not come back with a failure$/m,
      after: withHeaders((headers, _, status) => status >= 400 && headers.delete('x-run-id')),
    },
    {
      title: 'takes anything for a trace',
      message: /^a malformed header is answered with 200, not 400$/m,
      before: (request) => ((request.headers.get('x-trace-id')?.length ?? 0) > 500 ? deaf('x-trace-id')(request) : request),
    },
  ],
  'server/head-and-options': [
    {
      title: 'knows no HEAD',
      message: /^HEAD is not answered like GET$/m,
      after: withStatus((status, request) => (request.method === 'HEAD' ? 404 : status)),
    },
    {
      title: 'breaks at OPTIONS',
      message: /^OPTIONS is answered with 500$/m,
      after: withStatus((status, request) => (request.method === 'OPTIONS' && !request.headers.has('origin') ? 500 : status)),
    },
  ],
  'server/health': [
    {
      title: 'is never ready',
      message: /^\/readyz is answered with 503$/,
      after: withStatus((status, request) => (pathOf(request) === '/readyz' ? 503 : status)),
    },
  ],
  'server/no-leaks': [
    {
      title: 'shows stacks',
      message: /^an error thrown by a tool: the answer shows a stack$/m,
      after: withBody((body, request) =>
        pathOf(request).endsWith('blurting') && body.error !== undefined
          ? { ...body, error: { ...body.error, details: { stack: new Error('x').stack } } }
          : body,
      ),
    },
    {
      title: 'shows secrets',
      message: /^an error thrown by a tool\?dialect=coded: the answer shows a secret$/m,
      after: withHeaders(
        (headers, request) => pathOf(request).endsWith('blurting') && headers.set('x-debug', 'sk-proj-Zx81Kq0Vw7Lm3Np5Rt9Uy2'),
      ),
    },
    {
      title: 'breaks at what cannot be read',
      message: /^a path that cannot be read: the status is 500$/m,
      after: withStatus((status, request) => (pathOf(request).includes('%E0') ? 500 : status)),
    },
  ],
  'server/host': [{ title: 'answers to any name', message: /^Host: evil\.example is answered with 200$/m, before: underOwnName }],
  'server/origin': [
    { title: 'lets every page in', message: /^a call: the status is 404, not 403$/m, before: deaf('origin') },
    {
      title: 'allows every origin',
      message: /^a preflight: the origin \* is allowed$/m,
      after: withHeaders((headers, request) => request.headers.has('origin') && headers.set('access-control-allow-origin', '*')),
    },
  ],
  'server/headers': [
    {
      title: 'lets answers be guessed at',
      message: /^\/v1\/nowhere: X-Content-Type-Options is not nosniff$/m,
      after: withHeaders((headers) => headers.delete('x-content-type-options')),
    },
    {
      title: 'lets answers be kept',
      message: /^\/v1\/tools: Cache-Control is not no-store$/m,
      after: withHeaders((headers) => headers.delete('cache-control')),
    },
    {
      title: 'boasts',
      message: /^\/v1\/tools: X-Powered-By discloses what it runs on$/m,
      after: withHeaders((headers) => headers.set('x-powered-by', 'x')),
    },
  ],
};

/** Gives each answer of a call to the next caller, if one waits. */
function mixUp(): Spoil {
  let last: string | undefined;
  return async (answer, request) => {
    if (!pathOf(request).endsWith('/conclude')) return answer;
    const text = await answer.text();
    const isOwn = text.includes('"how":"own-');
    const given = isOwn ? (last ?? text) : text;
    if (isOwn) last = text;
    const headers = new Headers(answer.headers);
    return new Response(given, { status: answer.status, headers });
  };
}

function underOwnName(request: Request): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  return remade(request, `http://127.0.0.1${pathname}${search}`, (headers) => headers.delete('host'));
}

test('every check has a server that fails it', () => {
  expect(Object.keys(broken).toSorted()).toEqual(serverChecks.map(({ id }) => id).toSorted());
});

describe.each(Object.entries(broken))('%s finds a server that', (id, servers) => {
  const others = serverChecks.map((check) => check.id).filter((other) => other !== id);
  const same = { before: (request: Request) => request, after: (answer: Response) => answer };
  test.each(servers.map((one) => [one.title, { ...same, ...one }] as const))('%s', async (_, { message, before, after }) => {
    const whole = sound();
    const url = await start(withFetch(whole, async (request) => after(await whole.fetch(await before(request)), request)));
    const findings = await checkServer(url, { skip: others });
    expect(findings.map((finding) => finding.message).join('\n')).toMatch(message);
  });
});

test.each<[string, () => Promise<Parameters<typeof checkServer>[0]>]>([
  ['a handler', async () => () => new Promise<never>(() => undefined)],
  ['an address', () => start(withFetch(sound(), () => new Promise<never>(() => undefined)))],
])('%s that never answers is reported so, and not asked for ever', async (_, open) => {
  const findings = await checkServer(await open(), { patienceMs: 50 });
  expect([...new Set(findings.map(({ message }) => message))]).toEqual([
    'it threw instead of answering: Error: no answer within 50 ms',
    'it threw instead of answering: Error: it has stopped answering',
  ]);
});
