import type { Client } from '@modelcontextprotocol/client';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import {
  type AnyTool,
  createToolbox,
  type JsonObject,
  type StandardSchemaV1,
  type ToolboxOptions,
  type ToolDeclaration,
  ToolpactError,
} from 'toolpact';
import { fromMcp, type McpClient, type RemoteListing } from 'toolpact/adapters/mcp';
import type { Guard } from 'toolpact/extend';
import { type Clock, createRedactor, isRecord, type McpTool, systemClock, toNameKey } from 'toolpact/internal';
import { type McpHooks, mcpHooksKey } from '../mcp/hooks.ts';
import type { McpSettings } from '../mcp/settings.ts';
import type { ServedToolbox } from '../server-options.ts';
import { checkServers } from './check-servers.ts';
import { createGatewayClients, type GatewayClients } from './clients.ts';
import { asAccepted, type ChangedContract, openContractLock } from './contract-lock.ts';
import { askAboutDrift, driftGuard, driftText, type ToolDrift } from './drift.ts';
import { type GatewayAccess, gatewayKey } from './gateway-access.ts';
import { createHeldRequests, type ServerRequest } from './held-requests.ts';
import { createLiveToolbox, type LiveToolbox } from './live-toolbox.ts';
import { createPassThrough, type PassThrough } from './pass-through.ts';
import {
  checkRules,
  type DriftMode,
  driftModes,
  type GatewayRule,
  limitGuards,
  ruleFor,
  rulesWithoutArguments,
  rulesWithoutTools,
  type ToolRule,
  toDeclaration,
  withoutArguments,
} from './rules.ts';
import { createUpstream, type GatewayTarget, type Upstream, type UpstreamRequestOptions, type UpstreamState } from './upstream.ts';
import { taskSupportOf } from './upstream-task.ts';

/** How servers of others are put under the contract: the options of a toolbox, which they become, and these. */
export interface GatewayOptions extends Omit<ToolboxOptions, 'resources' | 'preset'> {
  /** The servers by name. With several, the tools of each get its name before their own: `files:read_file`. */
  readonly servers: Readonly<Record<string, GatewayTarget>>;
  /** Rules for tools. @default none: tools count as writing, and nobody is asked */
  readonly rules?: readonly GatewayRule[];
  /** The file that keeps the contract of each tool as it was first seen or accepted, such as `toolpact.lock.json`. @default none: tools may change */
  readonly lock?: string;
  /** How to treat a tool whose contract differs from the locked one; `ask` needs a store. @default 'block' */
  readonly drift?: DriftMode;
  /** Tools of one's own beside those of the servers. @default none */
  readonly tools?: readonly AnyTool[];
  /** The name and version under which clients see the gateway. @default those of its server, if there is one only */
  readonly name?: string;
  readonly version?: string;
  /**
   * Hears what the servers write to their standard error, and what becomes of them. Of a mistake in the rules it hears its place:
   * `['rules', 1, 'approval']`. @default nobody
   */
  readonly log?: (line: string, server: string, place?: readonly (string | number)[]) => void;
  /** Closes the gateway, also while its servers still start. */
  readonly signal?: AbortSignal;
  /** @default the clock of this machine */
  readonly clock?: Clock;
}

/** Servers of others, under the contract. */
export interface Gateway {
  /** Their tools. Serve it: `createServer(gateway.toolbox, { mcp: gateway.mcp })`, or `serveStdio(gateway.toolbox, gateway.mcp)`. */
  readonly toolbox: ServedToolbox;
  /** Settings for a server to pass on the rest: resources, prompts, completion, logging, and requests to clients. */
  readonly mcp: Pick<McpSettings, 'name' | 'version' | 'server' | 'configure'>;
  /** The servers and how they are. */
  readonly servers: () => readonly GatewayServer[];
  /** Accepts changed tools, or without an argument all as they are now. Gives the names of those accepted. */
  readonly accept: (tools?: readonly AcceptedTool[]) => Promise<readonly string[]>;
  /** Ends the servers. */
  readonly close: () => Promise<void>;
}

/** A changed tool that is accepted. */
export interface AcceptedTool {
  /** Its name in the gateway. */
  readonly name: string;
  /** That of the change that was read (`drift.fingerprint`); a tool that has changed again since is not accepted. @default as the tool is now */
  readonly fingerprint?: string;
}

/** A server behind the gateway, with its tools. */
export interface GatewayServer extends UpstreamState {
  readonly tools: readonly GatewayTool[];
}

/** A tool of a server behind the gateway. */
export type GatewayTool = {
  /** As the gateway offers it. */
  readonly name: string;
  /** As its server lists it. */
  readonly listedAs: string;
  readonly rule: ToolRule;
  /** Hints of the tool's server. */
  readonly hints?: JsonObject;
  /** Changes since the contract was accepted; undefined if there are none. */
  readonly drift?: ToolDrift;
  /** Whether its server takes calls of it as tasks only, or those too that a client makes as tasks; undefined where it takes none. */
  readonly tasks?: 'required' | 'optional';
  /** Why it cannot be offered; undefined where it is. */
  readonly leftOut?: string;
};

/** A tool as a server lists it, with all that this library knows nothing of. */
type Listing = RemoteListing & Readonly<Record<string, unknown>>;

/** Options of a tool call's request. */
type CallOptions = UpstreamRequestOptions & { readonly pauseDeadline?: () => () => void };

/** The tools of one server. */
interface Adopted {
  readonly tools: Awaited<ReturnType<typeof fromMcp>>;
  readonly facts: readonly GatewayTool[];
  /** Additional listing of each tool for clients, by its name in the gateway. */
  readonly looks: ReadonlyMap<string, Listing>;
}

/** So long the changes of a list are gathered. */
const settleMs = 250;
/** How often a lock file is read again while it holds a tool back. */
const lockMs = 1_000;
/** So long a server may take for its whole list of tools, and so much later a list that could not be read is read again. */
const listMs = 30_000;
const listAgainMs = 60_000;
/** The deadline of a call is the toolbox's; silence alone ends none. */
const silenceMs = 3_600_000;
/** The time of a call that its server takes as a task only, and after how much of it its caller is told that it goes on. */
const taskMs = 3_600_000;
const deferTaskMs = 5_000;

/**
 * Puts MCP servers, in any language, under the contract: deadlines, kinds, keys, approvals, limits, redaction and a list of calls, as the rules
 * say. They are started, watched, started again when they end, and ended with the gateway. Rejects when none of them can be started, and at
 * once for options that could not be kept.
 *
 * @example
 * const gateway = await createGateway({
 *   servers: { notes: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/ann/notes'] } },
 *   rules: [{ tool: ['write_*', 'move_*'], approval: true }],
 *   store: sqliteStore('toolpact.db'),
 * });
 * await serveStdio(gateway.toolbox, gateway.mcp).closed;
 * await gateway.close();
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  if (!isRecord(options)) throw new ToolpactError('invalid_option', 'createGateway needs an object with `servers`');
  const {
    servers,
    rules = [],
    lock,
    drift = 'block',
    tools: ownTools = [],
    name,
    version,
    log = () => undefined,
    signal,
    clock = systemClock,
    ...toolboxOptions
  } = options;
  const names = checkServers(servers);
  checkRules(rules, names);
  checkDrift(options);
  const [sdk, { fromJsonSchema }] = await Promise.all([import('@modelcontextprotocol/client'), import('@toolpact/openapi')]);
  const contracts = lock === undefined ? undefined : await openContractLock(lock);
  const heldRequests = createHeldRequests(clock);
  const clients = createGatewayClients(heldRequests);
  const adopted = new Map<string, Adopted>();
  const stops = new Map<string, () => void>();
  const compiled = new Map<string, ReadonlyMap<string, StandardSchemaV1>>();
  const toldOfRules = new Set<string>();
  const toldOfClashes = new Set<string>();
  let clashes: ReadonlyMap<string, string> = new Map();
  let live: LiveToolbox | undefined;
  let passThrough: PassThrough | undefined;
  let isOver = false;
  let renewing: Promise<void> = Promise.resolve();
  const changedTools = driftGuard((tool) => {
    for (const { facts } of adopted.values()) for (const fact of facts) if (fact.name === tool) return fact.drift;
    return undefined;
  });
  let guards: { readonly key: string; readonly guards: readonly Guard[] } | undefined;

  const redactor = createRedactor(toolboxOptions.redact);
  const upstreams = names.map((server): Upstream => {
    const { headers, env } = servers[server] as { readonly headers?: object; readonly env?: object };
    // Servers repeat what they were given, such as the key that they refuse.
    const own = redactor.knowing(headers, env);
    const created = createUpstream(
      server,
      servers[server] as GatewayTarget,
      sdk,
      {
        onClient: (client) => answerServer(server, client),
        // The first list is read once all have had their chance to start.
        onRunning() {
          if (live === undefined) return;
          readAgain(created);
          passThrough?.startedAgain(created);
        },
        onToolsChanged: () => readAgain(created),
        onLine: (line) => log(line, server),
      },
      { clock, info: { name: name ?? 'toolpact', version: version ?? '0.0.0' }, hide: (text) => own.text(text) },
    );
    return created;
  });

  /** Answers what a server asks of its client with what the client behind the gateway says. */
  function answerServer(server: string, client: Client): void {
    const ask = ({ method, params }: ServerRequest, context: unknown): Promise<object> => {
      const { mcpReq } = context as { readonly mcpReq?: { readonly signal?: AbortSignal; readonly id?: unknown } };
      // In the newer era a server names what it asks for.
      const name = client.getProtocolEra() === 'modern' && typeof mcpReq?.id === 'string' ? mcpReq.id : undefined;
      return clients.ask(server, { method, params: withoutToken(params), ...(name !== undefined && { name }) }, mcpReq?.signal);
    };
    client.setRequestHandler('sampling/createMessage', ask as never);
    client.setRequestHandler('elicitation/create', ask as never);
    client.setRequestHandler('roots/list', (async (request: never, context: unknown) =>
      ask(request, context).catch(() => ({ roots: [] }))) as never);
    client.fallbackNotificationHandler = async ({ method, params }) => {
      const upstream = upstreams.find((one) => one.name === server) as Upstream;
      if (method === 'notifications/tools/list_changed') readAgain(upstream);
      else if (method === 'notifications/tasks/status') upstream.taskChanged((params as { readonly taskId?: unknown } | undefined)?.taskId);
      else passThrough?.notified(server, { method, params });
    };
  }

  /** Reads the tools of a server again, soon: a list that changes all the time costs one reading each time. */
  function readAgain(upstream: Upstream, pauseMs = settleMs): void {
    const timer = `${upstream.name} ${pauseMs}`;
    if (live === undefined || isOver || stops.has(timer)) return;
    const stop = clock.after(
      pauseMs,
      () => {
        stops.delete(timer);
        void renew([upstream]).catch((error: unknown) => unreadable(upstream, error));
      },
      { background: true },
    );
    stops.set(timer, stop);
  }

  /** A server whose list cannot be read keeps the tools that it had, and costs no other server anything. */
  function unreadable(upstream: Upstream, error: unknown): void {
    if (isOver) return;
    log(`(the tools of ${upstream.name} cannot be read: ${messageOf(error)})`, upstream.name);
    // One that is down is read when it runs again.
    if (upstream.client() !== undefined) readAgain(upstream, listAgainMs);
  }

  /** Reads the tools of servers and offers them in the place of those before. */
  function renew(changed: readonly Upstream[]): Promise<void> {
    // One after the other, so that what was read first does not count last.
    const done = renewing.then(async () => {
      const before = new Map(adopted);
      try {
        for (const one of changed) await adopt(one);
        live?.replace(build());
      } catch (error) {
        // What one server lists now must not keep the changes of the others from being seen.
        for (const one of changed) restore(one.name, before.get(one.name));
        throw error;
      }
      passThrough?.toolsChanged();
    });
    renewing = done.catch(() => undefined);
    return done;
  }

  function restore(server: string, tools: Adopted | undefined): void {
    if (tools === undefined) adopted.delete(server);
    else adopted.set(server, tools);
  }

  /** While a tool is held back, somebody may accept it in another process. */
  function watchLock(): void {
    stops.get(lockTimer)?.();
    stops.delete(lockTimer);
    if (isOver || ![...adopted.values()].some(({ facts }) => facts.some((tool) => tool.drift !== undefined))) return;
    const look = async (): Promise<void> => {
      if (await contracts?.readAgain()) await renew(upstreams.filter((one) => one.client() !== undefined && adopted.has(one.name)));
    };
    stops.set(
      lockTimer,
      clock.after(
        lockMs,
        () =>
          void look()
            .catch((error: unknown) => log(`(${messageOf(error)})`, ''))
            .finally(watchLock),
        { background: true },
      ),
    );
  }

  async function adopt(upstream: Upstream): Promise<void> {
    const server = upstream.name;
    const listUntil = clock.monotonic() + listMs;
    const looks = new Map<object, Listing>();
    const schemas = new Map<string, StandardSchemaV1>();
    // Of thousands of tools few have changed when a list is read again, and compiling is most of the work.
    const compile: typeof fromJsonSchema<unknown> = (schema, limits) => {
      const text = JSON.stringify(schema);
      const known = compiled.get(server)?.get(text) ?? schemas.get(text) ?? fromJsonSchema(schema, limits);
      schemas.set(text, known);
      return known;
    };
    const fixed = new Map<string, { readonly listing: Listing; readonly fixed: JsonObject | undefined }>();
    const hidden: GatewayTool[] = [];
    const twice: { readonly tool: string; readonly why: string }[] = [];
    const listedNames = new Set<string>();
    let changed: ReadonlyMap<string, ChangedContract> = new Map();
    const driftOf = (listedAs: string, rule: ToolRule): ToolDrift | undefined => {
      const contract = changed.get(listedAs);
      return contract && { mode: rule.drift ?? drift, fingerprint: contract.fingerprint, changes: contract.changes };
    };

    /** Leaves out what is listed again under a name: a lock holds one contract for each, and calls say no more than the name. */
    const isFirst = (listing: Listing): boolean => {
      const tool = String(listing?.name);
      const isNew = !listedNames.has(tool);
      listedNames.add(tool);
      if (!isNew) twice.push({ tool, why: 'its server lists another tool of this name' });
      return isNew;
    };
    /** Returns a tool as the rules want it; undefined for one that they hide, or that has the name of another. */
    const show = (listed: Listing): Listing | undefined => {
      const rule = ruleFor(rules, server, String(listed?.name));
      const contract = changed.get(listed?.name);
      // Models go on reading what was accepted.
      const listing = contract !== undefined && (rule.drift ?? drift) !== 'warn' ? asAccepted(listed, contract) : listed;
      if (rule.hide === true) {
        hidden.push({ name: listing.name, listedAs: listing.name, rule });
        return undefined;
      }
      const { rename = listing.name, description, arguments: given } = rule;
      if (fixed.has(rename)) {
        twice.push({ tool: listing.name, why: `another tool of its server is called ${rename} here` });
        return undefined;
      }
      const shown = {
        ...listing,
        name: rename,
        ...(description !== undefined && { description }),
        ...(given !== undefined && { inputSchema: withoutArguments(listing.inputSchema ?? {}, given) }),
      };
      fixed.set(rename, { listing, fixed: given });
      looks.set(shown, listing);
      return shown;
    };
    const toParams = (params: Readonly<Record<string, unknown>>): { readonly name: string } => {
      const known = fixed.get(String(params.name));
      return {
        ...params,
        name: known?.listing.name ?? String(params.name),
        ...(known?.fixed !== undefined && { arguments: { ...(isRecord(params.arguments) ? params.arguments : {}), ...known.fixed } }),
      };
    };
    const call = async (params: Readonly<Record<string, unknown>>, definition: object, given: CallOptions): Promise<unknown> => {
      const { pauseDeadline, ...requestOptions } = given;
      const leave = clients.enter(server, pauseDeadline);
      const own = toParams(params);
      try {
        const support = taskSupportOf(upstream.client(), fixed.get(String(params.name))?.listing);
        const result =
          support === 'required' || (support === 'optional' && clients.isTask())
            ? await upstream.callAsTask(own, requestOptions)
            : await upstream.call(withCapabilities(own, upstream, clients), { ...definition, name: own.name }, requestOptions);
        passThrough?.noteResult(upstream, result);
        return result;
      } catch (error) {
        const { code, data } = error as { readonly code?: unknown; readonly data?: { readonly requiredCapabilities?: unknown } };
        if (code === missingCapability && isRecord(data?.requiredCapabilities)) clients.demand(data.requiredCapabilities);
        throw error;
      } finally {
        leave();
      }
    };
    // The server as the rules show it.
    const facade = {
      getProtocolEra: () => upstream.client()?.getProtocolEra(),
      listTools: () => Promise.reject(new Error('tools are listed by `request`')),
      callTool: (
        params: Readonly<Record<string, unknown>>,
        { toolDefinition, ...given }: CallOptions & { readonly toolDefinition: object },
      ) => call(params, toolDefinition, given),
      async request({ method, params }: { readonly method: string; readonly params: object }, _schema: unknown, given: unknown) {
        if (method === 'tools/call') return call(params as Readonly<Record<string, unknown>>, {}, given as CallOptions);
        const timeout = Math.max(1, listUntil - clock.monotonic());
        const page = (await upstream.request(method, params, { timeout })) as { readonly tools?: unknown };
        if (!Array.isArray(page?.tools)) return page;
        const listings = (page.tools as Listing[]).filter(isRecord).filter(isFirst);
        changed = new Map([...changed, ...((await contracts?.compare(server, listings)) ?? [])]);
        return { ...page, tools: listings.flatMap((listing) => show(listing) ?? []) };
      },
    };
    const lists = upstream.client()?.getServerCapabilities()?.tools !== undefined;
    const tools = lists
      ? await fromMcp(facade as object as McpClient, {
          ...(names.length > 1 && { prefix: server }),
          schema: compile,
          silenceMs,
          effects: (listing) => ruleOf(listing).effects,
          trustHints: (listing) => ruleOf(listing).trustHints === true,
        })
      : Object.assign([], { listings: [], skipped: [], notes: [] });

    compiled.set(server, schemas);

    function ruleOf(listing: RemoteListing): ToolRule {
      return ruleFor(rules, server, looks.get(listing)?.name ?? listing.name);
    }
    const facts = tools.map((tool, at): GatewayTool => {
      const listing = tools.listings[at] as RemoteListing;
      const { annotations } = listing;
      const listedAs = looks.get(listing)?.name ?? listing.name;
      const rule = ruleOf(listing);
      const toolDrift = driftOf(listedAs, rule);
      const tasks = taskSupportOf(upstream.client(), listing);
      return {
        name: tool.name,
        listedAs,
        rule,
        ...(isRecord(annotations) && { hints: annotations as JsonObject }),
        ...(toolDrift && { drift: toolDrift }),
        ...(tasks && { tasks }),
      };
    });
    const known = adopted.get(server)?.facts ?? [];
    for (const { name: tool, drift: toolDrift } of facts)
      if (toolDrift !== undefined && known.every((one) => one.name !== tool || one.drift === undefined))
        log(`(${tool}: ${driftText(toolDrift)}; ${held[toolDrift.mode]})`, server);
    const skipped = [...tools.skipped, ...twice];
    for (const { tool, why } of skipped) log(`(the tool ${tool} of ${server} is left out: ${why})`, server);
    adopted.set(server, {
      tools,
      facts: [...facts, ...hidden, ...skipped.map(({ tool, why }) => ({ name: tool, listedAs: tool, rule: {}, leftOut: why }))],
      looks: new Map(tools.map((tool, at) => [tool.name, looks.get(tools.listings[at] as object) ?? (tools.listings[at] as Listing)])),
    });
  }

  function build(): ServedToolbox {
    const own = names.flatMap((server) => adopted.get(server) ?? []);
    const ruleByName = new Map(own.flatMap(({ facts }) => facts.map(({ name: tool, rule }) => [tool, rule] as const)));
    const slow = new Set(own.flatMap(({ facts }) => facts.flatMap(({ name: tool, tasks }) => (tasks === 'required' ? [tool] : []))));
    const driftByName = new Map(own.flatMap(({ facts }) => facts.map((tool) => [tool.name, tool.drift] as const)));
    if (contracts !== undefined) watchLock();
    // A server that is down, or is being closed, lists nothing, and that is not the fault of a rule.
    const listed = upstreams.map(
      ({ name: server, client }) =>
        [server, client() === undefined ? undefined : adopted.get(server)?.facts.map(({ listedAs }) => listedAs)] as const,
    );
    const ruled = [...adopted].flatMap(([server, { facts, looks }]) =>
      facts.map(({ name: tool, listedAs, rule }) => {
        const { inputSchema } = looks.get(tool) ?? {};
        return { server, tool: listedAs, inputSchema: inputSchema && withoutArguments(inputSchema, rule.arguments ?? {}) };
      }),
    );
    for (const { line, place } of [...rulesWithoutTools(rules, new Map(listed)), ...rulesWithoutArguments(rules, ruled)]) {
      if (!toldOfRules.has(line)) log(`(${line})`, '', place);
      toldOfRules.add(line);
    }
    const key = JSON.stringify([...ruleByName].map(([tool, { limits }]) => [tool, limits]));
    // Guards count, so they stay as long as they can.
    if (guards?.key !== key) guards = { key, guards: limitGuards(ruleByName, toolboxOptions.store) };
    const { search, store } = toolboxOptions;
    const reserved = [
      ...ownTools.map((tool) => tool.name),
      ...(store === undefined ? [] : ['wait_for_result']),
      ...(search === undefined ? [] : ['search_tools', 'call_tool']),
    ];
    clashes = findClashes(
      own.flatMap((one) => one.tools.map((tool) => tool.name)),
      reserved,
    );
    for (const [tool, why] of clashes) {
      if (!toldOfClashes.has(tool)) log(`(the tool ${tool} is left out: ${why})`, '');
      toldOfClashes.add(tool);
    }
    const tools = [...own.flatMap((one) => one.tools.filter(({ name: tool }) => !clashes.has(tool))), ...ownTools];
    // A server that is down, or that dropped a tool, must not keep the others from being offered.
    const isListed = (tool: string): boolean => tools.some((one) => one.name === tool);
    // One server's tools have no prefix, but may be named with it, as those of several are.
    const wanted = search?.always?.map((named) => ({ named, tool: isListed(named) ? named : withoutPrefix(named) }));
    const always = wanted?.map(({ tool }) => tool).filter(isListed);
    for (const { named } of wanted?.filter(({ tool }) => !isListed(tool)) ?? [])
      log(`(search.always names ${named}, which no server lists now)`, '', ['search', 'always']);
    return createToolbox(tools, {
      ...toolboxOptions,
      ...(search && { search: { ...search, ...(always && { always }) } }),
      use: [...(contracts === undefined ? [] : [changedTools]), ...guards.guards, ...(toolboxOptions.use ?? [])],
      // The rules outweigh what is declared for all tools.
      declare: (tool) => ({
        ...(slow.has(tool.name) && taskTimes(toolboxOptions.store)),
        ...toolboxOptions.declare?.(tool),
        ...toDeclaration(ruleByName.get(tool.name) ?? {}),
        ...askAboutDrift(tool.name, driftByName.get(tool.name)),
      }),
    }) as ServedToolbox;
  }

  function withoutPrefix(tool: string): string {
    return names.length === 1 && tool.startsWith(`${names[0]}:`) ? tool.slice(`${names[0]}:`.length) : tool;
  }

  /** Gives a tool the looks that its server gave it: title, icons, hints and `_meta`, where the rules say nothing else. */
  function present(tool: McpTool): McpTool {
    const own = tool.title ?? tool.name;
    for (const [server, { looks, facts }] of adopted) {
      const listing = looks.get(own);
      if (listing === undefined) continue;
      const rule = facts.find((one) => one.name === own)?.rule ?? ruleFor(rules, server, listing.name);
      const { title, icons, _meta: meta, annotations } = listing;
      const hints = rule.effects === undefined && isRecord(annotations) ? annotations : { ...annotations, ...tool.annotations };
      return {
        ...tool,
        ...(typeof title === 'string' && { title }),
        ...(icons !== undefined && { icons }),
        ...(isRecord(meta) && { _meta: meta }),
        annotations: hints as McpTool['annotations'],
      };
    }
    return tool;
  }

  async function accept(tools?: readonly AcceptedTool[]): Promise<readonly string[]> {
    const accepted: string[] = [];
    for (const upstream of upstreams) {
      const facts = (adopted.get(upstream.name)?.facts ?? []).flatMap(({ name: tool, listedAs, drift: change }) => {
        const seen = tools === undefined ? { name: tool } : tools.find((one) => one.name === tool);
        return change === undefined || seen === undefined ? [] : [{ tool, listedAs, fingerprint: seen.fingerprint ?? change.fingerprint }];
      });
      if (facts.length === 0) continue;
      const names = await contracts?.accept(upstream.name, new Map(facts.map(({ listedAs, fingerprint }) => [listedAs, fingerprint])));
      accepted.push(...facts.flatMap(({ tool, listedAs }) => (names?.includes(listedAs) === true ? [tool] : [])));
      await renew([upstream]);
    }
    return accepted;
  }

  const close = async (): Promise<void> => {
    isOver = true;
    heldRequests.close();
    for (const stop of stops.values()) stop();
    await Promise.all(upstreams.map((one) => one.close()));
  };
  const onAbort = (): void => void close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  try {
    const started = await Promise.allSettled(upstreams.map((one) => one.started));
    const reasons = started.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    if (reasons.length === upstreams.length) throw reasons[0];
    for (const [at, { status }] of started.entries()) if (status === 'rejected') upstreams[at]?.startLater();
    const running = upstreams.filter((one) => one.client() !== undefined);
    const read = await Promise.allSettled(running.map(adopt));
    const unread = read.flatMap((one, at) => (one.status === 'rejected' ? [{ upstream: running[at] as Upstream, error: one.reason }] : []));
    if (unread.length > 0 && unread.length === running.length) throw unread[0]?.error;
    live = createLiveToolbox(build());
    for (const { upstream, error } of unread) unreadable(upstream, error);
  } catch (error) {
    await close();
    throw error;
  }
  passThrough = createPassThrough(upstreams, clients, heldRequests);
  const hooks: McpHooks = { around: clients.around, hold: heldRequests.hold, present };
  const only = upstreams.length === 1 ? upstreams[0]?.client()?.getServerVersion() : undefined;
  const instructions = instructionsOf(upstreams);
  const list = (): readonly GatewayServer[] =>
    upstreams.map((one) => {
      const facts = adopted.get(one.name)?.facts ?? [];
      return {
        ...one.state(),
        tools: facts.map((tool) => (clashes.has(tool.name) ? { ...tool, leftOut: clashes.get(tool.name) as string } : tool)),
      };
    });
  const access: GatewayAccess = { servers: list, accept };
  return {
    toolbox: Object.assign(live.toolbox, { [mcpHooksKey]: hooks, [gatewayKey]: access }),
    mcp: {
      name: name ?? only?.name ?? 'toolpact',
      version: version ?? only?.version ?? '0.0.0',
      ...(instructions !== undefined && { server: { instructions } }),
      configure: passThrough.configure,
    },
    ...access,
    close,
  };
}

/**
 * Finds the names that a model cannot tell apart, and says why. Of several servers none gets such a name, whichever was there first: one could
 * take over the calls of the other.
 */
function findClashes(names: readonly string[], reserved: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Map(reserved.map((name) => [toNameKey(name), name]));
  const alike = Map.groupBy(names, toNameKey);
  return new Map(
    names.flatMap((name) => {
      const key = toNameKey(name);
      const other = taken.get(key) ?? alike.get(key)?.find((one) => one !== name);
      return other === undefined
        ? []
        : [
            [
              name,
              `a model cannot tell it from ${taken.has(key) ? `our own ${other}` : other}; \`rename\` in a rule gives it another name`,
            ],
          ];
    }),
  );
}

/** A tool that its server takes as a task only may take long: its clients get it as a task of the gateway, or a pending call, where there is a store. */
function taskTimes(store: ToolboxOptions['store']): ToolDeclaration {
  return { timeoutMs: taskMs, ...(store !== undefined && { deferAfterMs: deferTaskMs }) };
}

/** The error of the newer era for a client that cannot do what a call of it takes. */
const missingCapability = -32021;
const lockTimer = ':lock';
const held: Readonly<Record<DriftMode, string>> = {
  block: 'it does not run until the change is accepted: toolpact wrap --accept',
  ask: 'a person is asked for each call until the change is accepted: toolpact wrap --accept',
  warn: 'it runs all the same',
};

function checkDrift({ lock, drift, rules = [], store }: GatewayOptions): void {
  if (drift !== undefined && !driftModes.includes(drift))
    throw new ToolpactError('invalid_option', `drift must be one of ${driftModes.join(', ')}, not ${JSON.stringify(drift)}`, {
      option: 'drift',
      place: ['drift'],
    });
  if (lock === undefined) {
    const at = rules.findIndex((rule) => rule.drift !== undefined);
    if (drift !== undefined || at !== -1)
      throw new ToolpactError('invalid_option', 'drift needs `lock`, the file that keeps the contracts of tools', {
        place: drift === undefined ? ['rules', at, 'drift'] : ['drift'],
      });
  }
  if (store === undefined && [drift, ...rules.map((rule) => rule.drift)].includes('ask'))
    throw new ToolpactError('invalid_option', "drift 'ask' needs `store`: it keeps what a person allowed", { place: ['drift'] });
}

function instructionsOf(upstreams: readonly Upstream[]): string | undefined {
  const parts = upstreams.flatMap((one) => {
    const text = one.client()?.getInstructions();
    return text === undefined ? [] : [upstreams.length === 1 ? text : `${one.name}: ${text}`];
  });
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** In the newer era each call says what its client can be asked, and here that depends on the client behind it. */
function withCapabilities<TParams extends Readonly<Record<string, unknown>>>(
  params: TParams,
  upstream: Upstream,
  clients: GatewayClients,
): TParams {
  const capabilities = upstream.client()?.getProtocolEra() === 'modern' ? clients.capabilities() : undefined;
  if (capabilities === undefined) return params;
  return { ...params, _meta: { ...(params._meta as object | undefined), [CLIENT_CAPABILITIES_META_KEY]: capabilities } };
}

/** A token for progress belongs to one connection. */
function withoutToken(params: unknown): unknown {
  if (!isRecord(params) || !isRecord(params._meta)) return params;
  const { _meta: meta, ...rest } = params;
  const { progressToken: _, ...others } = meta as Readonly<Record<string, unknown>>;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
