import type { CheckAddress } from '../auth/check-address.ts';
import type { Identify } from '../auth/identify.ts';
import type { Identity } from '../auth/identity.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import { readJson } from './read-json.ts';
import type { RequestHead } from './request-head.ts';
import { defaultFormats, formatNames, selectFormat } from './response-format.ts';
import type { Need, Route, RouteRequest } from './route.ts';
import { createRouter } from './router.ts';
import type { ServerRequest } from './server-request.ts';
import { type ServerState, scopes } from './server-state.ts';

/** Answers a request, whichever listener it came through. Never rejects. */
export type Answer = (head: RequestHead) => Promise<HttpAnswer>;

/** Makes the one way that every request takes: address, route, caller, scope, body, and then what the route does. */
export function createPipeline(
  server: ServerState,
  routes: readonly Route[],
  { checkAddress, identify }: { readonly checkAddress: CheckAddress; readonly identify: Identify },
): Answer {
  const { refuse, settings, inFlight, toolbox } = server;
  const find = createRouter(routes);
  const spoken = settings.dialect?.name;

  async function answer(head: RequestHead): Promise<HttpAnswer> {
    const found = find(head);
    const { route, param } = found;
    const request: ServerRequest = { head, defaultFormat: spoken ?? route?.format ?? 'problem' };
    try {
      const refused = checkAddress(request);
      if (refused !== undefined) return refused;
      if (isPreflight(head)) return preflight;
      if (route === undefined) return refuseRoute(request, found.allowed);
      return await answerRoute(route, param, request);
    } catch {
      return refuse(request, 'internal', 'The server failed to answer this request.');
    }
  }

  async function answerRoute(route: Route, param: string, request: ServerRequest): Promise<HttpAnswer> {
    const { head, defaultFormat } = request;
    const ownFormat = spoken ?? route.outcomes ?? defaultFormat;
    const format = selectFormat(head, ownFormat);
    if (format === undefined && route.selectsFormat === true) {
      return refuse(request, 'invalid_input', `There is no such dialect here. There are ${formatNames.join(', ')}.`);
    }
    if (route.startsWork === true && inFlight.draining) {
      const headers = { connection: 'close' };
      return refuse(request, 'not_ready', 'This server is shutting down and takes no more calls.', { retryAfterMs: 1000, headers });
    }
    const { scope } = route;
    const identity = scope === 'open' ? everybody : await identify(request);
    if (isAnswer(identity)) return identity;
    if (scope !== undefined && !scopes[scope].allows(identity, settings)) {
      return refuse(request, 'forbidden', scopes[scope].message, { denied: 'forbidden', identity });
    }
    const missing = whyMissing(route.needs, server);
    if (missing !== undefined) return refuse(request, 'unsupported', missing);
    let value: unknown;
    if (route.read === 'json') {
      const read = await readJson(head, settings);
      if (!('value' in read)) return refuse(request, read.kind, read.message, read.options);
      value = read.value;
    }
    const own: RouteRequest = { head, defaultFormat, identity, format: format ?? defaultFormats[ownFormat], param, value };
    return route.run(own, server);
  }

  function refuseRoute(request: ServerRequest, allowed: readonly string[]): HttpAnswer {
    if (allowed.length === 0) return refuse(request, 'not_found', 'There is nothing at this path.');
    const message = `This path does not take this method, only ${allowed.join(' and ')}.`;
    return refuse(request, 'unsupported', message, { status: 405, headers: { allow: allowed.join(', ') } });
  }

  function whyMissing(need: Need | undefined, { sessions }: ServerState): string | undefined {
    if (need === undefined) return undefined;
    if (need === 'resources') return sessions === undefined ? guards[need] : undefined;
    return toolbox[need] === undefined ? `This server does not do that: its toolbox has no ${guards[need]} guard.` : undefined;
  }

  const { origins } = settings;
  return async (head) => {
    const answered = await answer(head);
    const allowed = origins === undefined ? answered : allowOrigin(head, answered, origins);
    // A connection that stays open would hold up the end of the server.
    return inFlight.draining ? { ...allowed, headers: { ...allowed.headers, connection: 'close' } } : allowed;
  };
}

/** The guard that adds each method; for resources, what a refusal says. */
const guards: Readonly<Record<Need, string>> = {
  findCall: 'journal',
  readResult: 'spill',
  wait: 'defer',
  settle: 'defer',
  decide: 'approvals',
  resources: 'The tools of this server have no resources, so there are no sessions.',
};

/** Stands for the caller of routes that ask for no credential. It may do nothing else. */
const everybody: Identity = Object.freeze({ tenantId: '', scopes: [] });

function isPreflight({ method, header }: RequestHead): boolean {
  return method === 'OPTIONS' && header('origin') !== undefined && header('access-control-request-method') !== undefined;
}

/** Only requests of allowed origins come this far. */
const preflight: HttpAnswer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '600',
  },
  body: '',
};

/** Lets pages of the origins that the server names read an answer. */
function allowOrigin({ header }: RequestHead, answer: HttpAnswer, origins: readonly string[]): HttpAnswer {
  const origin = header('origin');
  if (origin === undefined || !origins.includes(origin)) return answer;
  const { vary } = answer.headers;
  const headers = {
    ...answer.headers,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': '*',
    'cross-origin-resource-policy': 'cross-origin',
    vary: vary === undefined ? 'origin' : `${vary}, origin`,
  };
  return { ...answer, headers };
}
