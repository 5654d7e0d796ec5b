import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
import type { ServerRival } from './race-servers.ts';

const path = '/v1/tools/add';
const headers = { 'content-type': 'application/json' };
const maxBodyBytes = 1_048_576;
const timeoutMs = 60_000;
const input = z.object({ a: z.number(), b: z.number() });
const output = z.object({ sum: z.number() });
const request = { path, headers, body: '{"a":1,"b":2}', answer: '"sum":3' };

/** Real tools wait for something, so the handler of all rivals is asynchronous. */
async function add({ a, b }: z.infer<typeof input>): Promise<z.infer<typeof output>> {
  return { sum: a + b };
}

/**
 * The work: read JSON within a limit of size, check arguments and result by a schema, within a deadline, and answer with the usual security
 * headers and an id of the request. The last rival does none of that but the JSON and the schemas: it is the floor.
 */
export const httpRivals: readonly ServerRival[] = [
  { ...request, name: 'Toolpact', serve: serveToolpact },
  { ...request, name: 'Toolpact, `server.fetch` under @hono/node-server', serve: serveToolpactFetch },
  { ...request, name: 'hono with validator, secure headers, request id, body limit and timeout', serve: serveHono },
  { ...request, name: 'fastify with schemas, helmet, request id and timeout', serve: serveFastify },
  { ...request, name: 'node:http by hand, without all of that', serve: serveByHand },
];

function createToolServer() {
  const tool = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: (given) => add(given) });
  return createServer(createToolbox([tool]));
}

async function serveToolpact(): Promise<number> {
  return (await listen(createToolServer(), { port: 0 })).port;
}

function serveToolpactFetch(): Promise<number> {
  return serveFetch(createToolServer().fetch);
}

async function serveHono(): Promise<number> {
  const { Hono } = await import('hono');
  const { bodyLimit } = await import('hono/body-limit');
  const { requestId } = await import('hono/request-id');
  const { secureHeaders } = await import('hono/secure-headers');
  const { timeout } = await import('hono/timeout');
  const { validator } = await import('hono/validator');
  const app = new Hono().use(requestId(), secureHeaders(), bodyLimit({ maxSize: maxBodyBytes }), timeout(timeoutMs)).post(
    path,
    validator('json', (value, context) => {
      const { success, data, error } = input.safeParse(value);
      return success ? data : context.json({ issues: error.issues }, 400);
    }),
    async (context) => context.json(output.parse(await add(context.req.valid('json')))),
  );
  return serveFetch(app.fetch);
}

async function serveFastify(): Promise<number> {
  const { fastify } = await import('fastify');
  const { default: helmet } = await import('@fastify/helmet');
  const app = fastify({ bodyLimit: maxBodyBytes, handlerTimeout: timeoutMs, genReqId: () => randomUUID() });
  await app.register(helmet);
  app.addHook('onSend', async ({ id }, reply) => {
    reply.header('x-request-id', id);
  });
  // Its way to check a result is to write it by its schema.
  const toSchema = (of: z.ZodType): object => z.toJSONSchema(of, { target: 'draft-7' });
  const schema = { body: toSchema(input), response: { 200: toSchema(output) } };
  app.post<{ Body: z.infer<typeof input> }>(path, { schema }, ({ body }) => add(body));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

async function serveByHand(): Promise<number> {
  const http = createHttpServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    const answer = async (): Promise<void> => {
      const text = JSON.stringify(output.parse(await add(input.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))))));
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      outgoing.end(text);
    };
    incoming.on('end', () => void answer());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
}

async function serveFetch(fetch: (request: Request) => Response | Promise<Response>): Promise<number> {
  const { serve } = await import('@hono/node-server');
  return new Promise((resolve) => serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)));
}
