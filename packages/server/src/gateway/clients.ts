import { CLIENT_CAPABILITIES_META_KEY, type McpServer } from '@modelcontextprotocol/server';
import { type AsyncStorage, createAsyncStorage, isRecord } from 'toolpact/internal';
import type { CallingClient } from '../mcp/hooks.ts';
import type { HeldRequests, ServerRequest } from './held-requests.ts';

/** The clients of the gateway, as the servers behind it see them: whoever has a call under way there can be asked, and told. */
export interface GatewayClients {
  /** Runs a call with the client that made it at hand. */
  readonly around: <TResult>(calling: CallingClient, run: () => Promise<TResult>) => Promise<TResult>;
  /** Notes that the current call is under way at a server, until what is returned is called. `pauseDeadline` stops its time meanwhile. */
  readonly enter: (server: string, pauseDeadline?: () => () => void) => () => void;
  /** Whether the client of the current call makes it as a task. */
  readonly isTask: () => boolean;
  /** The capabilities of the client of the current call; undefined where no client made it. */
  readonly capabilities: () => object | undefined;
  /** Tells the client of the current call what a server demands of it, where an error of the protocol does that. */
  readonly demand: (requiredCapabilities: object) => void;
  /** Notes a client that is connected, and whether it is of one tenant among others; `onLeave` is called when it is connected no longer. */
  readonly add: (server: McpServer, hasTenant: boolean, onLeave: () => void) => void;
  /** Sends a request of a server to the client that it concerns. Rejects where that is not clear, or where the client cannot do it. */
  readonly ask: (server: string, request: ServerRequest, signal?: AbortSignal) => Promise<object>;
  /** Sends a notification of a server to the client that it concerns; where that is not clear, to none. */
  readonly tell: (server: string, notification: ServerRequest) => void;
  /** The only client that is connected; undefined where there are none or several, or where what a server says may be another tenant's. */
  readonly only: () => McpServer | undefined;
}

interface Host {
  readonly mcpReq?: {
    readonly envelope?: unknown;
    readonly send?: (request: object, schema: object, options: object) => Promise<object>;
    readonly notify?: (notification: object) => Promise<void>;
  };
}

/** Requests that servers send to clients. */
const askable = ['elicitation', 'sampling', 'roots'];
/** People take their time. */
const patienceMs = 3_600_000;
const anything = { '~standard': { version: 1, vendor: 'toolpact', validate: (value: unknown) => ({ value }) } } as const;

/** Creates the register of clients. A server over stdio does not say for which call it asks; with one client under way there that is clear. */
export function createGatewayClients(held: HeldRequests): GatewayClients {
  const current: AsyncStorage<CallingClient> | undefined = createAsyncStorage<CallingClient>();
  const underWay = new Map<string, Set<CallingClient>>();
  const connected = new Map<McpServer, { readonly hasTenant: boolean }>();
  const pauses = new WeakMap<CallingClient, () => () => void>();

  const live = (): McpServer[] => [...connected.keys()].filter((one) => one.isConnected());

  /** Stops the time of the calls that may be meant, which are those of one client: a person who is asked may think for longer than a tool may run. */
  function pauseFor(server: string, calling: CallingClient): () => void {
    const own = current?.getStore();
    const calls = own === calling ? [own] : [...(underWay.get(server) ?? [])];
    const goOn = calls.map((one) => pauses.get(one)?.());
    return () => {
      for (const one of goOn) one?.();
    };
  }

  /** The call for whose client a request or notification is: the last, if all that run are of one client. */
  function callingAt(server: string): CallingClient | 'none' | 'several' {
    const calls = [...(underWay.get(server) ?? [])];
    // Requests in the answer to a call belong to that call; on a pipe nobody knows.
    const own = current?.getStore();
    if (own !== undefined && calls.includes(own)) return own;
    const last = calls.at(-1);
    if (last === undefined) return 'none';
    // Calls without a connection of their own say nothing about whose they are: two of them may be of two clients.
    const isOfLast = (call: CallingClient): boolean => call === last || (call.client !== undefined && call.client === last.client);
    return calls.every(isOfLast) ? last : 'several';
  }

  return {
    around: (calling, run) => (current === undefined ? run() : current.run(calling, run)),
    enter(server, pauseDeadline) {
      // A call that came another way than over MCP has nobody to ask, and what is asked of it concerns no other client.
      const calling = current?.getStore() ?? { host: undefined, client: undefined };
      if (pauseDeadline !== undefined) pauses.set(calling, pauseDeadline);
      const calls = underWay.get(server) ?? new Set();
      underWay.set(server, calls);
      calls.add(calling);
      return () => void calls.delete(calling);
    },
    capabilities() {
      const calling = current?.getStore();
      if (calling === undefined) return undefined;
      const envelope = (calling.host as Host | undefined)?.mcpReq?.envelope;
      const stated = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : calling.client?.capabilities();
      const given = isRecord(stated) ? stated : {};
      return Object.fromEntries(askable.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
    },
    demand: (requiredCapabilities) => held.demand(current?.getStore()?.host, requiredCapabilities),
    isTask: () => current?.getStore()?.isTask === true,
    add(server, hasTenant, onLeave) {
      connected.set(server, { hasTenant });
      const low = server.server;
      const before = low.onclose;
      low.onclose = () => {
        connected.delete(server);
        onLeave();
        before?.();
      };
    },
    only() {
      const [one, ...others] = live();
      return one !== undefined && others.length === 0 && connected.get(one)?.hasTenant === false ? one : undefined;
    },
    async ask(server, { name, ...request }, signal) {
      const calling = callingAt(server);
      const options = { timeout: patienceMs, ...(signal && { signal }) };
      if (typeof calling === 'object') {
        const goOn = request.method === 'elicitation/create' ? pauseFor(server, calling) : undefined;
        try {
          const { send, envelope } = (calling.host as Host | undefined)?.mcpReq ?? {};
          const answer =
            held.ask(calling.host, request, name) ??
            (send !== undefined && envelope === undefined ? send(request, anything, options) : undefined);
          if (answer === undefined) throw refused('The client that made the call cannot be asked while it waits.');
          return await answer;
        } finally {
          goOn?.();
        }
      }
      const only = calling === 'none' ? this.only() : undefined;
      if (only === undefined) throw refused('It is not clear which client of the gateway is meant.');
      return (only.server.request as unknown as (request: object, schema: object, options: object) => Promise<object>)(
        request,
        anything,
        options,
      );
    },
    tell(server, notification) {
      const calling = callingAt(server);
      const sent =
        typeof calling === 'object'
          ? (calling.host as Host | undefined)?.mcpReq?.notify?.(notification)
          : calling === 'none'
            ? this.only()?.server.notification(notification as never)
            : undefined;
      // A client that is gone must not end anything else.
      sent?.catch(() => undefined);
    },
  };
}

function refused(message: string): Error {
  return Object.assign(new Error(message), { code: -32603 });
}
