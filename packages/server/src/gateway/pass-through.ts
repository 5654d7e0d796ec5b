import type { McpServer } from '@modelcontextprotocol/server';
import { noTenant } from 'toolpact/extend';
import { isRecord, readMcpRequest } from 'toolpact/internal';
import { callerOf } from '../mcp/caller.ts';
import type { McpServing } from '../mcp/settings.ts';
import type { GatewayClients } from './clients.ts';
import type { HeldRequests } from './held-requests.ts';
import { createResourceOwners } from './resource-owners.ts';
import type { Upstream } from './upstream.ts';

type Params = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

interface Context {
  readonly mcpReq?: { readonly signal?: AbortSignal; readonly notify?: (notification: object) => Promise<void> };
}

/** The features that the gateway passes on besides tools. */
export interface PassThrough {
  /** Adds resources, prompts, completion and logging to a server of the SDK, as far as the servers behind the gateway have them. */
  readonly configure: (server: McpServer, serving: McpServing) => void;
  /** Passes on a notification of a server. */
  readonly notified: (server: string, notification: { readonly method: string; readonly params?: unknown }) => void;
  readonly toolsChanged: () => void;
  /** Notes the addresses of resources in the result of a tool. */
  readonly noteResult: (server: Upstream, result: unknown) => void;
  /** Tells a server that was started again what its clients wanted of the one before. */
  readonly startedAgain: (server: Upstream) => void;
}

/** The most addresses that one client, and all clients together, may subscribe to. */
const mostSubscriptions = 1_000;
const mostSubscriptionsInAll = 10_000;

/** An address that clients want to hear of. */
interface Subscription {
  readonly server: Upstream;
  readonly clients: Set<McpServer>;
  /** The answer of the server to the request for it. */
  readonly asked: Promise<unknown>;
}

/** Where one page of a list comes from: the server at this place, and its own cursor. */
const separator = '|';

/**
 * Creates what passes resources, prompts, completion and logging through, as they come. With several servers, prompts get the name of their
 * server before their own; resources keep their addresses, and a server is asked for those that it has shown.
 */
export function createPassThrough(upstreams: readonly Upstream[], clients: GatewayClients, held: HeldRequests): PassThrough {
  const isOne = upstreams.length === 1;
  const subscriptions = new Map<string, Subscription>();
  let serving: McpServing | undefined;
  let level: unknown;

  const having = (capability: string): Upstream[] =>
    upstreams.filter((one) => (one.client()?.getServerCapabilities() as Params | undefined)?.[capability] !== undefined);
  // The names of servers have no colon, so whose prompt is meant is always clear.
  const promptName = (one: Upstream, name: unknown): string => (isOne ? String(name) : `${one.name}:${String(name)}`);
  const owners = createResourceOwners(upstreams, () => having('resources'));

  async function list(method: string, field: string, capability: string, params: Params, options: object): Promise<object> {
    const servers = having(capability);
    const given = typeof params.cursor === 'string' ? params.cursor : '';
    const cut = given.indexOf(separator);
    const at = cut === -1 ? 0 : Number(given.slice(0, cut));
    const cursor = cut === -1 ? '' : given.slice(cut + 1);
    const server = servers[at];
    if (server === undefined) return { [field]: [] };
    const { cursor: _, ...rest } = params;
    const page = (await server.request(method, { ...rest, ...(cursor !== '' && { cursor }) }, options)) as Params;
    const items = (Array.isArray(page[field]) ? (page[field] as Item[]) : []).map((item) => listed(server, field, item));
    const own = typeof page.nextCursor === 'string' && page.nextCursor !== '' ? page.nextCursor : undefined;
    const next = own !== undefined ? `${at}${separator}${own}` : at + 1 < servers.length ? `${at + 1}${separator}` : undefined;
    const { nextCursor: __, resultType: ___, ...others } = page;
    return { ...others, [field]: items, ...(next !== undefined && { nextCursor: next }) };
  }

  function listed(server: Upstream, field: string, item: Item): Item {
    if (field === 'prompts') return { ...item, name: promptName(server, item.name) };
    owners.note(server, item);
    return item;
  }

  async function ownerOf(uri: unknown): Promise<Upstream> {
    const server = await owners.find(String(uri));
    if (server === undefined) throw notFound(`No server behind this gateway lists the resource ${JSON.stringify(uri)}.`);
    return server;
  }

  async function subscribe(uri: string, client: McpServer): Promise<object> {
    const before = subscriptions.get(uri);
    const own = [...subscriptions.values()].filter(({ clients: all }) => all.has(client)).length;
    if (own >= mostSubscriptions || (before === undefined && subscriptions.size >= mostSubscriptionsInAll))
      throw notFound('There are too many subscriptions.');
    const server = before?.server ?? (await ownerOf(uri));
    const subscription = subscriptions.get(uri) ?? beginSubscription(uri, server);
    subscription.clients.add(client);
    await subscription.asked;
    // One that has left meanwhile gives up nothing any more.
    return client.isConnected() ? {} : unsubscribe(uri, client, {});
  }

  /** The request is that of all clients that want the address: the first one may leave before its answer. */
  function beginSubscription(uri: string, server: Upstream): Subscription {
    const subscription = { server, clients: new Set<McpServer>(), asked: server.request('resources/subscribe', { uri }) };
    subscriptions.set(uri, subscription);
    subscription.asked.catch(() => subscriptions.get(uri) === subscription && subscriptions.delete(uri));
    return subscription;
  }

  /** The server is told when nobody wants to hear of the address any more. */
  async function unsubscribe(uri: string, client: McpServer, options: object): Promise<object> {
    const subscription = subscriptions.get(uri);
    if (subscription?.clients.delete(client) !== true || subscription.clients.size > 0) return {};
    subscriptions.delete(uri);
    await subscription.server.request('resources/unsubscribe', { uri }, options);
    return {};
  }

  function leave(client: McpServer): void {
    for (const uri of [...subscriptions.keys()]) unsubscribe(uri, client, {}).catch(() => undefined);
  }

  function ofPrompt(name: unknown): readonly [Upstream, string] {
    for (const server of having('prompts')) {
      const prefix = promptName(server, '');
      if (String(name).startsWith(prefix)) return [server, String(name).slice(prefix.length)];
    }
    throw notFound(`There is no prompt ${JSON.stringify(name)}.`);
  }

  async function complete(params: Params, options: object): Promise<unknown> {
    const ref = isRecord(params.ref) ? params.ref : {};
    if (ref.type === 'ref/prompt') {
      const [server, name] = ofPrompt(ref.name);
      return server.request('completion/complete', { ...params, ref: { ...ref, name } }, options);
    }
    const server = await ownerOf(ref.uri);
    return server.request('completion/complete', params, options);
  }

  async function setLevel(params: Params): Promise<object> {
    ({ level } = params);
    await Promise.allSettled(having('logging').map((server) => server.request('logging/setLevel', params)));
    return {};
  }

  const answers: Readonly<Record<string, (params: Params, options: object, client: McpServer) => unknown>> = {
    'resources/list': (params, options) => list('resources/list', 'resources', 'resources', params, options),
    'resources/templates/list': (params, options) => list('resources/templates/list', 'resourceTemplates', 'resources', params, options),
    'resources/read': async (params, options) => (await ownerOf(params.uri)).request('resources/read', params, options),
    'resources/subscribe': ({ uri }, _, client) => subscribe(String(uri), client),
    'resources/unsubscribe': ({ uri }, options, client) => unsubscribe(String(uri), client, options),
    'prompts/list': (params, options) => list('prompts/list', 'prompts', 'prompts', params, options),
    'prompts/get': (params, options) => {
      const [server, name] = ofPrompt(params.name);
      return server.request('prompts/get', { ...params, name }, options);
    },
    'completion/complete': complete,
  };

  return {
    configure(server, given) {
      serving = given;
      const low = server.server;
      if (given.era === 'legacy') clients.add(server, given.tenantId !== undefined && given.tenantId !== noTenant, () => leave(server));
      const has = (capability: string): boolean => having(capability).length > 0;
      low.registerCapabilities({
        ...(has('resources') && { resources: { subscribe: true, listChanged: true } }),
        ...(has('prompts') && { prompts: { listChanged: true } }),
        ...(has('completions') && { completions: {} }),
        ...(has('logging') && { logging: {} }),
        tools: { listChanged: true },
      });
      if (has('logging') && given.era === 'legacy')
        low.setRequestHandler('logging/setLevel', async ({ params }) => setLevel(params as Params) as Promise<Record<string, never>>);
      low.setNotificationHandler('notifications/initialized', () => tellRoots(low));
      low.setNotificationHandler('notifications/roots/list_changed', () => tellRoots(low));
      const passOn = async (method: string, params: Params | undefined, context: unknown): Promise<object> => {
        const answer = answers[method] as (typeof answers)[string];
        const client = { capabilities: () => low.getClientCapabilities(), notify: (sent: object) => low.notification(sent as never) };
        return held.hold(readMcpRequest(params, context), callerOf(context)?.key ?? '', ({ host }) =>
          clients.around({ host, client }, async () => {
            const ends = upstreams.map(({ name }) => clients.enter(name));
            try {
              return (await answer(withoutMeta(params), optionsOf(params, host as Context), server)) as object;
            } finally {
              for (const end of ends) end();
            }
          }),
        );
      };
      // A client of the newer era listens instead, and each of its requests has a server of its own.
      const methods = Object.keys(answers).filter((method) => given.era === 'legacy' || !method.endsWith('subscribe'));
      for (const method of methods)
        if (has(capabilityOf(method)))
          low.setRequestHandler(
            method as 'ping',
            (({ params }: { readonly params?: Params }, context: unknown) => passOn(method, params, context)) as never,
          );
    },
    notified(server, { method, params }) {
      if (method === 'notifications/resources/updated') serving?.notify.resourceUpdated(String((params as Params | undefined)?.uri));
      else if (method === 'notifications/resources/list_changed') {
        for (const one of upstreams) if (one.name === server) owners.forget(one);
        serving?.notify.resourcesChanged();
      } else if (method === 'notifications/prompts/list_changed') serving?.notify.promptsChanged();
      else if (method === 'notifications/message' || method === 'notifications/elicitation/complete')
        clients.tell(server, { method, params });
    },
    toolsChanged: () => serving?.notify.toolsChanged(),
    noteResult: owners.noteLinks,
    startedAgain(server) {
      owners.forget(server);
      // What it no longer takes is noticed by those who use it.
      const tell = (method: string, params: Params): void => void server.request(method, params).catch(() => undefined);
      if (level !== undefined && having('logging').includes(server)) tell('logging/setLevel', { level });
      for (const [uri, subscription] of subscriptions) if (subscription.server === server) tell('resources/subscribe', { uri });
    },
  };

  /** A server asks for the roots once it knows that there are some; the client comes later than the server was started. */
  function tellRoots(low: McpServer['server']): void {
    if (low.getClientCapabilities()?.roots === undefined) return;
    for (const { client } of upstreams)
      client()
        ?.notification({ method: 'notifications/roots/list_changed' })
        .catch(() => undefined);
    if (level !== undefined) void setLevel({ level });
  }
}

/** The capability that a server has to have for a method. */
function capabilityOf(method: string): string {
  const [family = ''] = method.split('/');
  return family === 'completion' ? 'completions' : family;
}

/** Removes the parts that belong to one connection, such as the progress token or the client's description. */
function withoutMeta({ _meta: meta, ...params }: Params = {}): Params {
  if (!isRecord(meta)) return params;
  const kept = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'));
  return kept.length === 0 ? params : { ...params, _meta: Object.fromEntries(kept) };
}

function optionsOf(params: Params | undefined, { mcpReq }: Context): object {
  const { progressToken } = isRecord(params?._meta) ? params._meta : {};
  const notify = mcpReq?.notify;
  return {
    ...(mcpReq?.signal && { signal: mcpReq.signal }),
    ...(progressToken !== undefined &&
      notify && {
        resetTimeoutOnProgress: true,
        onprogress: (progress: object) =>
          void notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(() => undefined),
      }),
  };
}

function notFound(message: string): Error {
  return Object.assign(new Error(message), { code: -32602 });
}
