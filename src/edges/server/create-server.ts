import { Hono } from 'hono';
import { createAudit } from './auth/audit.ts';
import { createCheckAddress } from './auth/check-address.ts';
import { checkOptions, type ServerSettings } from './check-options.ts';
import { toHeader } from './request/encode-outcome.ts';
import { createGate } from './request/gate.ts';
import { createInFlight } from './request/in-flight.ts';
import { toParts } from './request/parts-of-gate.ts';
import { createRefuse, traceOf } from './request/refusal.ts';
import { isWhole, toAsked, toResponse } from './request/request-head.ts';
import { securityHeaders } from './request/security-headers.ts';
import { routes } from './routes/routes.ts';
import type { DirectRoute, ServedToolbox, ServerOptions, ToolServer } from './server-options.ts';

/**
 * Makes a tool server: a fetch handler over a toolbox. Without `auth` it answers this machine alone. Throws at once for options that do not
 * exist or could not be kept.
 */
export function createServer(toolbox: ServedToolbox, options: ServerOptions = {}): ToolServer {
  const settings = checkOptions(options);
  const inFlight = createInFlight();
  const audit = createAudit(settings.onDenied);
  const refuse = createRefuse(audit);
  const checkAddress = createCheckAddress({ hosts: settings.hosts, origins: settings.origins }, refuse);
  const gate = createGate({ toolbox, settings, refuse, inFlight, audit });
  const parts = toParts(gate);
  const app = new Hono();
  app.notFound(({ req }) => {
    const allowed = methods.filter((method) => app.router.match(method, req.path)[0].length > 0);
    if (allowed.length === 0) return parts.refuse(req.raw, 'not_found', 'There is nothing at this path.');
    const message = `This path does not take this method, only ${allowed.join(' and ')}.`;
    return parts.refuse(req.raw, 'unsupported', message, { status: 405, headers: { allow: allowed.join(', ') } });
  });
  app.onError((_, { req }) => parts.refuse(req.raw, 'internal', 'The server failed to answer this request.'));
  for (const add of routes) add(app, parts, gate);
  const direct = parts.direct.map(
    (route): DirectRoute => ({ ...route, answer: (asked, body) => checkAddress(asked) ?? route.answer(asked, body) }),
  );
  let closing: Promise<void> | undefined;

  async function close(drainMs: number): Promise<void> {
    await inFlight.drain(drainMs);
    for (const closer of parts.closers.toReversed()) {
      try {
        await closer();
      } catch {
        // Whatever does not close must not keep the rest open.
      }
    }
  }

  return {
    async fetch(request) {
      const asked = toAsked(request);
      const refused = checkAddress(asked);
      if (refused !== undefined) return toResponse(refused);
      const response = isPreflight(request) ? preflight() : await app.fetch(request);
      return withHeaders(request, response, settings, () => traceOf(asked));
    },
    close: ({ drainMs = 10_000 } = {}) => {
      closing ??= close(drainMs);
      return closing;
    },
    hasAuth: settings.authenticators.length > 0,
    hosts: settings.hosts,
    '~direct': {
      maxBodyBytes: settings.maxBodyBytes,
      inFlight,
      find: (asked) => direct.find(({ matches }) => matches(asked)),
    },
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
}

/** Only allowed origins come this far. */
function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': '*, authorization',
      'access-control-max-age': '600',
    },
  });
}

/** Adds what every answer carries and its route has not said itself. */
function withHeaders(request: Request, response: Response, { origins }: ServerSettings, trace: () => string): Response {
  if (isWhole(response) && origins === undefined) return response;
  const origin = request.headers.get('origin');
  const isForeign = origin !== null && origins?.includes(origin) === true;
  const add = (headers: Headers): void => {
    for (const [name, value] of Object.entries(securityHeaders)) if (!headers.has(name)) headers.set(name, value);
    // A stream begins before its call has a trace; its last event tells.
    if (!headers.has('x-trace-id') && headers.get('content-type') !== 'text/event-stream') headers.set('x-trace-id', toHeader(trace()));
    if (!isForeign) return;
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', '*');
    headers.set('cross-origin-resource-policy', 'cross-origin');
    headers.append('vary', 'origin');
  };
  try {
    add(response.headers);
    return response;
  } catch {
    // Some responses come with headers that cannot be changed.
    const { status, statusText, body } = response;
    const headers = new Headers(response.headers);
    add(headers);
    return new Response(body, { status, statusText, headers });
  }
}
