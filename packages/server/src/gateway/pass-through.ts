import type { McpServer } from '@modelcontextprotocol/server';
import { isRecord, readMcpRequest } from 'toolpact/internal';
import { callerOf } from '../mcp/caller.ts';
import type { McpServing } from '../mcp/settings.ts';
import type { GatewayClients } from './clients.ts';
import type { HeldRequests } from './held-requests.ts';
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
}

/** Where one page of a list comes from: the server at this place, and its own cursor. */
const separator = '|';

/**
 * Creates what passes resources, prompts, completion and logging through, as they come. With several servers, prompts get the name of their
 * server before their own; resources keep their addresses, and a server is asked for those that it lists.
 */
export function createPassThrough(upstreams: readonly Upstream[], clients: GatewayClients, held: HeldRequests): PassThrough {
  const isOne = upstreams.length === 1;
  /** Which server listed an address. */
  const owners = new Map<string, Upstream>();
  /** How many clients want to hear of an address. */
  const subscribers = new Map<string, number>();
  let serving: McpServing | undefined;
  let level: unknown;

  const having = (capability: string): Upstream[] =>
    upstreams.filter((one) => (one.client()?.getServerCapabilities() as Params | undefined)?.[capability] !== undefined);
  const promptName = (one: Upstream, name: unknown): string => (isOne ? String(name) : `${one.name}_${String(name)}`);

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
    if (typeof item.uri === 'string' && !owners.has(item.uri) && owners.size < 100_000) owners.set(item.uri, server);
    return item;
  }

  /** Asks the server that listed an address, or else each in turn. */
  async function ofResource(method: string, params: Params, options: object): Promise<unknown> {
    const known = owners.get(String(params.uri));
    const candidates = known === undefined ? having('resources') : [known];
    let failed: unknown = notFound('No server behind this gateway has resources.');
    for (const server of candidates) {
      try {
        return await server.request(method, params, options);
      } catch (error) {
        failed = error;
      }
    }
    throw failed;
  }

  async function subscribe(method: string, params: Params, options: object): Promise<unknown> {
    const uri = String(params.uri);
    const count = subscribers.get(uri) ?? 0;
    const isFirst = method === 'resources/subscribe' && count === 0;
    const isLast = method === 'resources/unsubscribe' && count <= 1;
    if (isFirst || isLast) await ofResource(method, params, options);
    if (method === 'resources/subscribe') subscribers.set(uri, count + 1);
    else if (isLast) subscribers.delete(uri);
    else subscribers.set(uri, count - 1);
    return {};
  }

  function ofPrompt(name: unknown): readonly [Upstream, string] {
    for (const server of having('prompts')) {
      if (isOne) return [server, String(name)];
      const prefix = `${server.name}_`;
      if (String(name).startsWith(prefix)) return [server, String(name).slice(prefix.length)];
    }
    throw notFound(`There is no prompt ${JSON.stringify(name)}.`);
  }

  function complete(params: Params, options: object): Promise<unknown> {
    const ref = isRecord(params.ref) ? params.ref : {};
    if (ref.type === 'ref/prompt') {
      const [server, name] = ofPrompt(ref.name);
      return server.request('completion/complete', { ...params, ref: { ...ref, name } }, options);
    }
    const [first] = having('completions');
    const known = owners.get(String(ref.uri)) ?? first;
    if (known === undefined) throw notFound('No server behind this gateway completes arguments.');
    return known.request('completion/complete', params, options);
  }

  async function setLevel(params: Params, options: object): Promise<object> {
    ({ level } = params);
    await Promise.allSettled(having('logging').map((server) => server.request('logging/setLevel', params, options)));
    return {};
  }

  const answers: Readonly<Record<string, (params: Params, options: object) => unknown>> = {
    'resources/list': (params, options) => list('resources/list', 'resources', 'resources', params, options),
    'resources/templates/list': (params, options) => list('resources/templates/list', 'resourceTemplates', 'resources', params, options),
    'resources/read': (params, options) => ofResource('resources/read', params, options),
    'resources/subscribe': (params, options) => subscribe('resources/subscribe', params, options),
    'resources/unsubscribe': (params, options) => subscribe('resources/unsubscribe', params, options),
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
      if (given.era === 'legacy') clients.add(server);
      const has = (capability: string): boolean => having(capability).length > 0;
      low.registerCapabilities({
        ...(has('resources') && { resources: { subscribe: true, listChanged: true } }),
        ...(has('prompts') && { prompts: { listChanged: true } }),
        ...(has('completions') && { completions: {} }),
        ...(has('logging') && { logging: {} }),
        tools: { listChanged: true },
      });
      if (has('logging') && given.era === 'legacy')
        low.setRequestHandler('logging/setLevel', async ({ params }) => setLevel(params as Params, {}) as Promise<Record<string, never>>);
      low.setNotificationHandler('notifications/initialized', () => tellRoots(low));
      low.setNotificationHandler('notifications/roots/list_changed', () => tellRoots(low));
      const passOn = async (method: string, params: Params | undefined, context: unknown): Promise<object> => {
        const answer = answers[method] as (typeof answers)[string];
        const client = { capabilities: () => low.getClientCapabilities(), notify: (sent: object) => low.notification(sent as never) };
        return held.hold(readMcpRequest(params, context), callerOf(context)?.key ?? '', ({ host }) =>
          clients.around({ host, client }, async () => {
            const leave = upstreams.map(({ name }) => clients.enter(name));
            try {
              return (await answer(withoutMeta(params), optionsOf(params, host as Context))) as object;
            } finally {
              for (const end of leave) end();
            }
          }),
        );
      };
      for (const method of Object.keys(answers))
        if (has(capabilityOf(method)))
          low.setRequestHandler(
            method as 'ping',
            (({ params }: { readonly params?: Params }, context: unknown) => passOn(method, params, context)) as never,
          );
    },
    notified(server, { method, params }) {
      if (method === 'notifications/resources/updated') serving?.notify.resourceUpdated(String((params as Params | undefined)?.uri));
      else if (method === 'notifications/resources/list_changed') {
        owners.clear();
        serving?.notify.resourcesChanged();
      } else if (method === 'notifications/prompts/list_changed') serving?.notify.promptsChanged();
      else if (method === 'notifications/message' || method === 'notifications/elicitation/complete')
        clients.tell(server, { method, params });
    },
    toolsChanged: () => serving?.notify.toolsChanged(),
  };

  /** A server asks for the roots once it knows that there are some; the client comes later than the server was started. */
  function tellRoots(low: McpServer['server']): void {
    if (low.getClientCapabilities()?.roots === undefined) return;
    for (const { client } of upstreams)
      client()
        ?.notification({ method: 'notifications/roots/list_changed' })
        .catch(() => undefined);
    if (level !== undefined) void setLevel({ level }, {});
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
