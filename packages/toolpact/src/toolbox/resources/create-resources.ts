import { noTenant, type Resource } from '../../contract/index.ts';
import { createProblemLog, type EventProblem } from '../../events/index.ts';
import { assertPositive, type JsonObject, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import type { ResourcePort, ResourceUser } from '../../ports/index.ts';
import { createLease } from './create-lease.ts';
import type { SessionFilter } from './create-session-table.ts';
import { createSessions, type SessionRequest } from './create-sessions.ts';
import { createValues } from './create-values.ts';
import { type SessionInfo, toSessionInfo } from './session.ts';
import { warmUp, warmUpStatus } from './warm-up.ts';

/** How sessions are kept. */
export interface ResourcesOptions {
  /** Defaults under what callers send, by type. */
  readonly config?: Readonly<Record<string, JsonObject>>;
  /** Returns the worker of a call; calls of one worker share their sessions. @default its `workerId`, else its `sessionId`, else its `runId`; a call without any is on its own */
  readonly workerOf?: (call: Pick<ResourceUser, 'tenantId' | 'invocationId' | 'context'>) => string | undefined;
  /** @default 10_000 */
  readonly maxSessions?: number;
  /** @default all but the last tenth, which is kept for tenants that hold less than a tenth */
  readonly maxPerTenant?: number;
  /** How often sessions whose time is over are looked for. @default 30_000 */
  readonly sweepMs?: number;
  /** How long a tool that goes on after its call has ended keeps what it holds. @default 30_000 */
  readonly lateMs?: number;
  /** The time in epoch milliseconds. @default Date.now */
  readonly now?: () => number;
}

/** Resources at work: sessions, their values, and how long each lives. Give it to `createToolbox`, and close it when all calls have ended. */
export interface Resources extends ResourcePort {
  /** Prepares all resources, or those of these types. What failed says so, and is tried again when it is needed. */
  readonly warmUp: (types?: readonly string[]) => Promise<ReturnType<Resources['warmUps']>>;
  readonly warmUps: () => { readonly type: string; readonly status: 'cold' | 'warming' | 'ready' | 'failed' }[];
  /**
   * Opens a session that lasts, or gives the one its worker has already. Rejects with a `ToolFailure`; a session that did not open is
   * listed with status `error` until it expires, and the next call that needs it tries again.
   */
  readonly create: (request: SessionRequest) => Promise<SessionInfo & { readonly created: boolean }>;
  /** Lists the sessions of a tenant. */
  readonly list: (filter?: SessionFilter) => SessionInfo[];
  /** Lets sessions of a tenant live for their whole time again, as every use does: one, those of a worker (its heartbeat), or all. */
  readonly refresh: (filter?: SessionFilter) => SessionInfo[];
  /** Ends one session, or all of a worker. New calls do not find them; a session in use is closed when its last call has ended. */
  readonly destroy: (filter: SessionFilter & ({ readonly id: string } | { readonly worker: string })) => Promise<SessionInfo[]>;
  /** Ends the sessions whose time is over, as the timer does; gives their number. */
  readonly sweep: () => number;
  /** How many there are, over all tenants. */
  readonly count: () => { readonly sessions: number; readonly temporary: number; readonly workers: number };
  /**
   * Ends everything in reverse order of opening, within `timeoutMs` (10 s by default). Calls that come later are refused. Never rejects;
   * `failed` counts what could not be closed, or not in time.
   */
  readonly close: (options?: { readonly timeoutMs?: number }) => Promise<{ readonly closed: number; readonly failed: number }>;
}

/** Creates the keeper of resources. It opens nothing, and starts no timer, before a call needs a resource. */
export function createResources(definitions: readonly Resource[], options: ResourcesOptions = {}): Resources {
  refuseOptions<ResourcesOptions>('createResources', options, {
    config: true,
    workerOf: true,
    maxSessions: true,
    maxPerTenant: true,
    sweepMs: true,
    lateMs: true,
    now: true,
  });
  const { config: defaults = {}, workerOf = defaultWorker, lateMs = 30_000, now = Date.now } = options;
  const { maxSessions = 10_000, maxPerTenant = maxSessions, sweepMs = 30_000 } = options;
  if (!Array.isArray(definitions)) throw new ToolpactError('invalid_argument', 'createResources takes an array of resources');
  const known = readDefinitions(definitions, defaults);
  assertPositive('createResources', { maxSessions, maxPerTenant, sweepMs, lateMs });
  const listeners: ((problem: EventProblem) => void)[] = [];
  // No caller sees these: a value that did not close, an opening that failed after its last caller had left.
  const problems = createProblemLog((problem) => {
    for (const listener of listeners) listener(problem);
    return false;
  });
  const values = createValues(now, problems.add);
  const sessions = createSessions(values, { known, defaults, workerOf, maxSessions, maxPerTenant, sweepMs, now });
  const { table, enter, leave } = sessions;
  const select = (filter: SessionFilter) => table.select(filter.tenantId ?? noTenant, filter);
  let closed: ReturnType<Resources['close']> | undefined;

  return Object.freeze<Resources>({
    has: (type) => known.has(type),
    watch: (listener) => void listeners.push(listener),
    lease: (call) => createLease(call, { enter, open: values.open, leave, lateMs }),
    async warmUp(types = [...known.keys()]) {
      const wanted = types.map((type) => definitionOf(known, type));
      await Promise.allSettled(wanted.map(warmUp));
      return wanted.map(warmUpStatus);
    },
    warmUps: () => [...known.values()].map(warmUpStatus),
    create: sessions.create,
    list: (filter = {}) => select(filter).map(toSessionInfo),
    refresh: (filter = {}) =>
      select(filter).map((session) => {
        session.lastUsedAt = now();
        return toSessionInfo(session);
      }),
    async destroy(filter) {
      if (filter.id === undefined && filter.worker === undefined)
        throw new ToolpactError('invalid_argument', 'destroy needs the id of a session, or a worker');
      const ending = select(filter).reverse();
      await sessions.end(ending);
      return ending.map(toSessionInfo);
    },
    sweep: sessions.sweep,
    count() {
      const all = table.all();
      const workers = new Set(all.flatMap(({ tenantId, worker }) => (worker === undefined ? [] : `${tenantId}\n${worker}`)));
      return { sessions: all.length, temporary: all.filter(({ temporary }) => temporary).length, workers: workers.size };
    },
    close({ timeoutMs = 10_000 } = {}) {
      closed ??= sessions.close(timeoutMs);
      return closed;
    },
  });
}

function readDefinitions(definitions: readonly Resource[], defaults: Readonly<Record<string, JsonObject>>): Map<string, Resource> {
  const known = new Map<string, Resource>();
  for (const definition of definitions) {
    if (typeof definition?.open !== 'function')
      throw new ToolpactError('invalid_argument', '`createResources` takes resources made by `defineResource`');
    if (known.has(definition.type))
      throw new ToolpactError('duplicate_name', `two resources are of the type "${definition.type}"`, { resource: definition.type });
    known.set(definition.type, definition);
  }
  for (const type of Object.keys(defaults)) definitionOf(known, type);
  return known;
}

function definitionOf(known: ReadonlyMap<string, Resource>, type: string): Resource {
  const resource = known.get(type);
  if (resource === undefined)
    throw new ToolpactError('missing_resource', `there is no resource "${type}"; there are: ${[...known.keys()].join(', ')}`, {
      resource: type,
    });
  return resource;
}

function defaultWorker({ context }: Pick<ResourceUser, 'context'>): string | undefined {
  return context.workerId ?? context.sessionId ?? context.runId;
}
