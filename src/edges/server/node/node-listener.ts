import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHead } from '../request/request-head.ts';
import type { ToolServer } from '../server-options.ts';
import { readNodeBody } from './read-node-body.ts';
import { sendAnswer, sendUnreadable } from './send-answer.ts';

/** A target that a URL would leave as it is. Others (dot segments, a fragment, odd characters) are read as URLs. */
const plainTarget = /^(?!.*\/(?:\.|%2e))\/[\w\-.~:!$&'()*+,;=@%/]*(?:\?[^#]*)?$/i;
const plainHost = /^[\w.:[\]-]+$/;

/** Makes what answers the requests of Node's HTTP server. */
export function createNodeListener(server: ToolServer, writeTimeoutMs: number): RequestListener {
  // A connection has one client; its end is the end of all that the client has asked for.
  const controllers = new WeakMap<Socket, AbortController>();
  const isPlainTarget = remembering((url) => plainTarget.test(url));
  const isPlainHost = remembering((host) => plainHost.test(host) && URL.canParse(`http://${host}`));

  function controllerOf(socket: Socket): AbortController {
    const known = controllers.get(socket);
    if (known !== undefined) return known;
    const controller = new AbortController();
    // A client may send requests before the earlier ones are answered.
    setMaxListeners(0, controller.signal);
    controllers.set(socket, controller);
    socket.once('close', () => controller.abort());
    return controller;
  }

  function toHead(incoming: IncomingMessage, target: string): RequestHead {
    const { method = '', headers, socket } = incoming;
    const mark = target.indexOf('?');
    const controller = controllerOf(socket);
    return {
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      search: mark < 0 ? '' : target.slice(mark),
      header: (name) => headers[name] as string | undefined,
      allHeaders: () => toHeaders(incoming),
      readBody: (maxBytes) => readNodeBody(incoming, maxBytes),
      signal: controller.signal,
      stop(reason) {
        // Another server may answer the next request of this connection.
        if (controllers.get(socket) === controller) controllers.delete(socket);
        controller.abort(reason);
      },
      hasLastingSignal: true,
    };
  }

  return (incoming, outgoing) => {
    const { url = '/', headers } = incoming;
    const { host = '' } = headers;
    const target = isPlainHost(host) ? (isPlainTarget(url) ? url : readTarget(url, host)) : undefined;
    if (target === undefined) return sendUnreadable(outgoing);
    server.answer(toHead(incoming, target)).then(
      (answer) => sendAnswer(outgoing, answer, writeTimeoutMs),
      () => void outgoing.destroy(),
    );
  };
}

/** Nearly all requests name the same few hosts and paths, which need not be checked again. */
function remembering(isRight: (text: string) => boolean): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return true;
    if (!isRight(text)) return false;
    if (known.size < 256 && text.length <= 256) known.add(text);
    return true;
  };
}

/** Reads the target of a request as a URL would; undefined when it is none. */
function readTarget(url: string, host: string): string | undefined {
  // A backslash would be read as a slash here, and as something else by proxies.
  if (url.includes('\\')) return undefined;
  const whole = url.startsWith('/') ? `http://${host}${url}` : url;
  const read = URL.canParse(whole) ? new URL(whole) : undefined;
  return read === undefined || !/^https?:$/.test(read.protocol) ? undefined : `${read.pathname}${read.search}`;
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join(', ') : value);
  return all;
}
