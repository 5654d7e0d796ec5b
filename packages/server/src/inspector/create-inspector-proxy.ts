import { createToolbox } from 'toolpact';
import { problem } from 'toolpact/dialects';
import { expectArgument } from 'toolpact/internal';
import { createCheckAddress } from '../auth/check-address.ts';
import { createServer } from '../create-server.ts';
import { fromResponse, type HttpAnswer, toResponse } from '../request/http-answer.ts';
import { createRefuse } from '../request/refusal.ts';
import { type RequestHead, toRequestHead } from '../request/request-head.ts';
import { createFormats } from '../request/response-format.ts';
import type { ToolServer } from '../server-options.ts';

/** Request headers that are not passed on: they belong to one connection, or tell more about the browser than the server behind needs. Credentials are passed on. */
const leftOut =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|accept-encoding|upgrade|origin|referer|cookie|sec-.*|proxy-.*)$/;
/** Response headers that are not passed on: `fetch` has decoded the body already, or they belong to the connection to the server behind. */
const leftBehind = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding', 'set-cookie'];
const maxBodyBytes = 16_777_216;

/**
 * Creates a server that shows the inspector page on this machine and asks another server for everything else. Credentials are those that the page
 * sends. It answers this machine alone.
 */
export function createInspectorProxy(target: URL): ToolServer {
  expectArgument(target instanceof URL, "createInspectorProxy takes the address of a server: new URL('http://127.0.0.1:8787')");
  const base = new URL(target.pathname.replace(/\/*$/, '/'), target);
  const page = createServer(createToolbox([]), { inspector: true, mcp: false, openapi: false, auditLog: false });
  const formats = createFormats([]);
  const refuse = createRefuse(() => undefined, formats);
  const checkAddress = createCheckAddress({ hosts: undefined, origins: undefined }, refuse);

  async function answer(head: RequestHead): Promise<HttpAnswer> {
    if (!/^\/(?:v1\/|openapi\.json$)/.test(head.path)) return page.answer(head);
    const request = { head, defaultFormat: formats.of(problem) };
    const refused = checkAddress(request);
    if (refused !== undefined) return refused;
    const body = head.method === 'GET' || head.method === 'HEAD' ? undefined : await head.readBody(maxBodyBytes);
    if (typeof body === 'string') return refuse(request, 'too_large', 'The body is too large, or it broke off.');
    try {
      return await forward(head, base, body);
    } catch {
      return refuse(request, 'unreachable', `The server at ${base.host} does not answer.`, { retryAfterMs: 1000 });
    }
  }

  return { ...page, answer, fetch: async (request) => toResponse(await answer(toRequestHead(request)), request.method) };
}

async function forward(head: RequestHead, base: URL, body: Uint8Array | undefined): Promise<HttpAnswer> {
  const url = new URL(`${head.path.slice(1)}${head.search}`, base);
  // The page knows its own address, and what it shows must name that of the server.
  if (url.searchParams.has('base')) url.searchParams.set('base', base.href);
  const headers = [...head.allHeaders()].filter(([name]) => !leftOut.test(name));
  const response = await fetch(url, {
    method: head.method,
    headers,
    // Do not follow redirects: the credentials would be sent to another host.
    redirect: 'manual',
    signal: head.client().signal,
    ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
  });
  const { headers: sent, ...answer } = fromResponse(response);
  return { ...answer, headers: Object.fromEntries(Object.entries(sent).filter(([name]) => !leftBehind.includes(name))) };
}
