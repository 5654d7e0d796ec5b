import type { CheckAddress } from '../auth/check-address.ts';
import type { Identify } from '../auth/identify.ts';
import type { Identity } from '../auth/identity.ts';
import { allowOrigin, isPreflight, preflight } from './cors.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import { checkBodyHead, readJson } from './read-json.ts';
import type { RequestBody, RequestHead } from './request-head.ts';
import { defaultFormats, formatNames, type ResponseFormat, selectFormat, spokenFormat } from './response-format.ts';
import type { Need, Route, RouteRequest } from './route.ts';
import { createRouter } from './router.ts';
import { scopes } from './scopes.ts';
import type { ServerState } from './server-state.ts';

/** Answers a request, whichever listener it came through. Never rejects. */
export type Answer = (head: RequestHead) => Promise<HttpAnswer>;

/** A request on its way: each step adds what it has found out. */
interface PipelineRequest extends Omit<RouteRequest, 'identity' | 'format' | 'value'> {
  readonly route: Route | undefined;
  /** The methods that the path takes, where it does not take that of the request. */
  readonly allowed: readonly string[];
  identity: Identity;
  format: ResponseFormat;
  value: unknown;
}

/** The answer of a step that ends the request; undefined where the next step follows. */
type Refused = HttpAnswer | undefined;

/** Makes the one way that every request takes: address, route, caller, scope, body, and then what the route does. */
export function createPipeline(
  server: ServerState,
  routes: readonly Route[],
  { checkAddress, identify }: { readonly checkAddress: CheckAddress; readonly identify: Identify },
): Answer {
  const { refuse, report, settings, inFlight, toolbox } = server;
  const { origins, maxBodyBytes } = settings;
  const find = createRouter(routes);
  const spoken = spokenFormat(settings.dialect?.name);

  // A function that waits keeps all its variables, so this one has few. The steps are below, in their order.
  return async (head) => {
    const request = open(head);
    let answer: Refused | Promise<Refused>;
    try {
      answer = checkRequest(request) ?? checkCaller(request);
      if (answer instanceof Promise) answer = await answer;
      if (answer === undefined && request.route?.read === 'json') answer = checkBody(request, await head.readBody(maxBodyBytes));
      answer ??= await request.route?.run(request, server);
    } catch (error) {
      answer = refuseBroken(request, error);
    }
    return conclude(request, answer);
  };

  function open(head: RequestHead): PipelineRequest {
    const { route, param, allowed } = find(head);
    const defaultFormat = spoken ?? defaultFormats[route?.format ?? 'problem'];
    const format = outcomeFormat(route, defaultFormat);
    return { head, route, param, allowed, defaultFormat, format, identity: everybody, value: undefined };
  }

  function outcomeFormat(route: Route | undefined, refusals: ResponseFormat): ResponseFormat {
    return spoken ?? (route?.outcomes === undefined ? refusals : defaultFormats[route.outcomes]);
  }

  function checkRequest(request: PipelineRequest): Refused {
    const { head, route } = request;
    const refused = checkAddress(request);
    if (refused !== undefined) return refused;
    if (isPreflight(head)) return preflight;
    if (route === undefined) return refuseRoute(request);
    const format = selectFormat(head, outcomeFormat(route, request.defaultFormat));
    if (format !== undefined) request.format = format;
    else if (route.selectsFormat === true) {
      return refuse(request, 'invalid_input', `There is no such dialect here. There are ${formatNames.join(', ')}.`);
    }
    if (route.startsWork !== true || !inFlight.draining) return undefined;
    const headers = { connection: 'close' };
    return refuse(request, 'not_ready', 'This server is shutting down and takes no more calls.', { retryAfterMs: 1000, headers });
  }

  /** Waits only for authenticators that look something up. */
  function checkCaller(request: PipelineRequest): Refused | Promise<Refused> {
    if (request.route?.scope === 'open') return admit(request, everybody);
    const identity = identify(request);
    return identity instanceof Promise ? identity.then((known) => admit(request, known)) : admit(request, identity);
  }

  function admit(request: PipelineRequest, identity: Identity | HttpAnswer): Refused {
    if (isAnswer(identity)) return identity;
    request.identity = identity;
    const { scope, needs, read } = request.route ?? {};
    if (scope !== undefined && !scopes[scope].allows(identity, settings)) {
      return refuse(request, 'forbidden', scopes[scope].message, { denied: 'forbidden', identity });
    }
    const missing = needs === undefined ? undefined : checkNeed(request, needs);
    if (missing !== undefined) return missing;
    const refused = read === undefined ? undefined : checkBodyHead(request.head.header, settings);
    return refused && refuse(request, refused.kind, refused.message, refused.options);
  }

  function checkBody(request: PipelineRequest, body: RequestBody): Refused {
    const read = readJson(body, settings);
    if (!('value' in read)) return refuse(request, read.kind, read.message, read.options);
    request.value = read.value;
    return undefined;
  }

  function refuseRoute(request: PipelineRequest): HttpAnswer {
    const { allowed } = request;
    if (allowed.length === 0) {
      const advice = 'GET /v1/tools lists the tools, and POST /v1/tools/{name} calls one.';
      return refuse(request, 'not_found', 'There is nothing at this path.', { malformed: true, advice });
    }
    const message = `This path does not take this method, only ${allowed.join(' and ')}.`;
    const advice = `Send the request with ${allowed.join(' or ')}.`;
    return refuse(request, 'unsupported', message, { status: 405, headers: { allow: allowed.join(', ') }, advice });
  }

  /** Guards store their records by tenant. A server whose calls need a tenant therefore needs one to read the records, too. */
  function checkNeed(request: PipelineRequest, need: Need): Refused {
    const missing = whyMissing(need);
    return missing === undefined ? server.demandTenant?.(request) : refuse(request, 'unsupported', missing);
  }

  function whyMissing(need: Need): string | undefined {
    if (need === 'resources') return server.sessions === undefined ? guards[need] : undefined;
    return toolbox[need] === undefined ? `This server does not do that: its toolbox has no ${guards[need]} guard.` : undefined;
  }

  function refuseBroken(request: PipelineRequest, error: unknown): HttpAnswer {
    const { method, path } = request.route ?? request.head;
    const debugId = report(`the route ${method} ${path}`, error);
    return refuse(request, 'internal', 'The server failed to answer this request.', { debugId });
  }

  function conclude(request: PipelineRequest, given: HttpAnswer | undefined): HttpAnswer {
    const found = given ?? refuseBroken(request, new Error('the route gave no answer'));
    const answer = typeof found.body !== 'string' && request.head.method === 'HEAD' ? withoutStream(found, found.body) : found;
    const allowed = origins === undefined ? answer : allowOrigin(request.head, answer, origins);
    // A connection that stays open would hold up the end of the server.
    return inFlight.draining ? { ...allowed, headers: { ...allowed.headers, connection: 'close' } } : allowed;
  }
}

/** Ends a stream that HEAD began: it may go on for as long as its client stays. */
function withoutStream(answer: HttpAnswer, body: ReadableStream<Uint8Array>): HttpAnswer {
  void body.cancel().catch(() => undefined);
  return { ...answer, body: new ReadableStream({ start: (stream) => stream.close() }) };
}

/** The guard that adds each method; for resources, what a refusal says. */
const guards: Readonly<Record<Need, string>> = {
  calls: 'journal',
  findCall: 'journal',
  rerun: 'journal',
  readResult: 'spill',
  wait: 'defer',
  settle: 'defer',
  decide: 'approvals',
  resources: 'The tools of this server have no resources, so there are no sessions.',
};

/** Stands for the caller of routes that ask for no credential. It may do nothing else. */
const everybody: Identity = Object.freeze({ tenantId: '', scopes: [] });
