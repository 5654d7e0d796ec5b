import { problem } from 'toolpact/dialects';
import type { CheckAddress } from '../auth/check-address.ts';
import type { Identify } from '../auth/identify.ts';
import type { Identity } from '../auth/identity.ts';
import { allowOrigin, isPreflight, preflight } from './cors.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import { checkBodyHead, readJson } from './read-json.ts';
import type { RequestHead } from './request-head.ts';
import type { ResponseFormat } from './response-format.ts';
import type { Route, RouteRequest } from './route.ts';
import { createRouter } from './router.ts';
import { scopes } from './scopes.ts';
import type { ServerState } from './server-state.ts';
import { whyMissing } from './why-missing.ts';

/** Answers a request, whichever listener it came through. Never rejects. */
export type Answer = (head: RequestHead) => Promise<HttpAnswer>;

/** A request on its way: each step adds what it has found out. */
interface PipelineRequest extends Omit<RouteRequest, 'identity' | 'format' | 'value'> {
  identity: Identity;
  format: ResponseFormat;
  value: unknown;
}

/** The answer of a step that ends the request; undefined where the next step follows. */
type Refusal = HttpAnswer | undefined;

/** Creates the one way that every request takes: address, route, format, caller, scope, needs, body, and then the route itself. */
export function createPipeline(
  server: ServerState,
  routes: readonly Route[],
  { checkAddress, identify }: { readonly checkAddress: CheckAddress; readonly identify: Identify },
): Answer {
  const { refuse, report, settings, formats, inFlight } = server;
  const findRoute = createRouter(routes);

  return async (head) => {
    const { route, param, allowed } = findRoute(head);
    const defaultFormat = formats.spoken ?? formats.of(route?.format ?? problem);
    const outcomeFormat = formats.spoken ?? (route?.outcomes === undefined ? defaultFormat : formats.of(route.outcomes));
    const request: PipelineRequest = { head, param, defaultFormat, format: outcomeFormat, identity: everybody, value: undefined };
    try {
      const refused = checkAddress(request);
      if (refused !== undefined) return conclude(head, refused);
      if (isPreflight(head)) return conclude(head, preflight);
      return conclude(head, route === undefined ? refuseRoute(request, allowed) : await takeRoute(request, route));
    } catch (error) {
      const { method, path } = route ?? head;
      const debugId = report(`the route ${method} ${path}`, error);
      return conclude(head, refuse(request, 'internal', 'The server failed to answer this request.', { debugId }));
    }
  };

  async function takeRoute(request: PipelineRequest, route: Route): Promise<HttpAnswer> {
    return (
      chooseFormat(request, route) ??
      refuseWhileDraining(request, route) ??
      (await checkCaller(request, route)) ??
      checkNeeds(request, route) ??
      (await readBody(request, route)) ??
      route.run(request, server)
    );
  }

  function refuseRoute(request: PipelineRequest, allowed: readonly string[]): HttpAnswer {
    if (allowed.length === 0) {
      const advice = 'GET /v1/tools lists the tools, and POST /v1/tools/{name} calls one.';
      return refuse(request, 'not_found', 'There is nothing at this path.', { malformed: true, advice });
    }
    const message = `This path does not take this method, only ${allowed.join(' and ')}.`;
    const advice = `Send the request with ${allowed.join(' or ')}.`;
    return refuse(request, 'unsupported', message, { status: 405, headers: { allow: allowed.join(', ') }, advice });
  }

  function chooseFormat(request: PipelineRequest, route: Route): Refusal {
    const format = formats.select(request.head, request.format);
    if (format !== undefined) request.format = format;
    else if (route.selectsFormat === true) {
      return refuse(request, 'invalid_input', `There is no such dialect here. There are ${formats.names.join(', ')}.`);
    }
    return undefined;
  }

  function refuseWhileDraining(request: PipelineRequest, route: Route): Refusal {
    if (route.startsWork !== true || !inFlight.draining) return undefined;
    const headers = { connection: 'close' };
    return refuse(request, 'not_ready', 'This server is shutting down and takes no more calls.', { retryAfterMs: 1000, headers });
  }

  async function checkCaller(request: PipelineRequest, { scope }: Route): Promise<Refusal> {
    if (scope === 'open') return undefined;
    const identity = await identify(request);
    if (isAnswer(identity)) return identity;
    request.identity = identity;
    if (scope === undefined || scopes[scope].allows(identity, settings)) return undefined;
    const { what, lacks } = scopes[scope];
    return refuse(request, 'forbidden', `This credential may not ${what}: it lacks the scope ${lacks}.`, {
      advice: `Use a credential that has the scope ${lacks}.`,
      details: { scope: lacks },
      denied: 'forbidden',
      identity,
    });
  }

  /** Guards store their records by tenant. A server whose calls need a tenant therefore needs one to read the records, too. */
  function checkNeeds(request: PipelineRequest, { needs }: Route): Refusal {
    if (needs === undefined) return undefined;
    const missing = whyMissing(needs, server);
    return missing === undefined
      ? server.demandTenant?.(request)
      : refuse(request, 'unsupported', missing.message, { advice: missing.advice });
  }

  async function readBody(request: PipelineRequest, route: Route): Promise<Refusal> {
    if (route.read === undefined) return undefined;
    const { head } = request;
    const body = checkBodyHead(head.header, settings) ?? readJson(await head.readBody(settings.maxBodyBytes), settings);
    if (!('value' in body)) return refuse(request, body.kind, body.message, body.options);
    request.value = body.value;
    return undefined;
  }

  function conclude(head: RequestHead, given: HttpAnswer): HttpAnswer {
    const answer = head.method === 'HEAD' ? withoutStream(given) : given;
    const { headers } = settings.origins === undefined ? answer : allowOrigin(head, answer, settings.origins);
    // A connection that stays open would hold up the end of the server.
    return { ...answer, headers: inFlight.draining ? { ...headers, connection: 'close' } : headers };
  }
}

/** Ends a stream that HEAD began: it may go on for as long as its client stays. */
function withoutStream(answer: HttpAnswer): HttpAnswer {
  if (typeof answer.body === 'string') return answer;
  void answer.body.cancel().catch(() => undefined);
  return { ...answer, body: new ReadableStream({ start: (stream) => stream.close() }) };
}

/** Stands for the caller of routes that ask for no credential. It may do nothing else. */
const everybody: Identity = Object.freeze({ tenantId: '', scopes: [] });
