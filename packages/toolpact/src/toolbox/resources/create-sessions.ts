import { noTenant, type Resource } from '../../contract/index.ts';
import { type JsonObject, ToolFailure } from '../../outcome/index.ts';
import type { ResourceUser } from '../../ports/index.ts';
import { systemClock } from '../../time/index.ts';
import { isSameConfig, mergeConfig, readConfig } from './config.ts';
import { createSessionTable, type SessionTable } from './create-session-table.ts';
import { createSweeper, type Sweeper } from './create-sweeper.ts';
import type { CloseReport, ResourceValues } from './create-values.ts';
import { notReady } from './failure.ts';
import { createResourceSession, isSessionId, type Session, type SessionDraft, type SessionInfo, toSessionInfo } from './session.ts';

/** A request for a session. */
export interface SessionRequest {
  readonly type: string;
  /** @default the nil UUID, like that of a call without a tenant */
  readonly tenantId?: string;
  /** Whose session it is. @default a new worker */
  readonly worker?: string;
  readonly config?: JsonObject;
  /** Becomes a part of the session's name. */
  readonly name?: string;
}

/** How sessions are kept. */
export interface SessionSettings {
  readonly known: ReadonlyMap<string, Resource>;
  readonly defaults: Readonly<Record<string, JsonObject>>;
  readonly workerOf: (call: Pick<ResourceUser, 'tenantId' | 'invocationId' | 'context'>) => string | undefined;
  readonly maxSessions: number;
  readonly maxPerTenant: number;
  readonly sweepMs: number;
  readonly now: () => number;
}

/** The life of sessions: who enters and leaves them, and when they end. */
export interface Sessions {
  readonly table: SessionTable;
  readonly sweep: Sweeper['sweep'];
  /** Finds the session a call means, or makes a temporary one, and counts the call among its users. */
  readonly enter: (call: ResourceUser, type: string) => Session;
  readonly leave: (session: Session) => void;
  /** `created` says whether it is a new one, or the one that its worker had already. */
  readonly create: (request: SessionRequest) => Promise<SessionInfo & { readonly created: boolean }>;
  /** Removes sessions at once; resolves when those without a user are closed, one after the other. */
  readonly end: (sessions: readonly Session[]) => Promise<void>;
  readonly close: (timeoutMs: number) => Promise<CloseReport>;
}

const longestName = 256;

/** Creates the keeper of sessions. */
export function createSessions(values: ResourceValues, settings: SessionSettings): Sessions {
  const { known, defaults, workerOf, now } = settings;
  const closeExpired = (session: Session): void => void values.close(session);
  const table = createSessionTable(settings, now, closeExpired);
  const sweeper = createSweeper(table, settings.sweepMs, now, closeExpired);
  let users = 0;
  let onIdle: (() => void) | undefined;
  let isClosed = false;

  function enter(call: ResourceUser, type: string): Session {
    const resource = known.get(type);
    if (resource === undefined) throw new ToolFailure('not_configured', `There is no resource "${type}" in this toolbox.`);
    refuseWhenClosed();
    const session = resource.shared === false ? sessionOf(call, resource) : sharedSession(resource, call.tenantId);
    return join(session);
  }

  function sessionOf(call: ResourceUser, resource: Resource): Session {
    const { type } = resource;
    const { tenantId, context } = call;
    const named = namedSession(tenantId, context.sessionId, context.workerId);
    if (named?.resource === resource) return named;
    const worker = checkName('worker', named?.worker ?? workerOf(call) ?? call.invocationId);
    const found = table.find(tenantId, worker, type);
    if (found !== undefined) return found;
    if (!resource.temporary) throw notReady('session', `There is no session of the resource "${type}".`, { advice: 'Create one first.' });
    return add({ resource, tenantId, worker, config: mergeConfig(defaults[type], undefined), temporary: true });
  }

  /** Finds the session whose id a call brings. A caller that names a session relies on its content, so a new, empty one would be wrong. */
  function namedSession(tenantId: string, id: string | undefined, worker: string | undefined): Session | undefined {
    if (id === undefined || !isSessionId(id)) return undefined;
    const named = table.findById(tenantId, id);
    if (named !== undefined && (worker === undefined || worker === named.worker)) return named;
    throw notReady('session', `The session ${id} does not exist or has expired.`, { advice: 'Create a session and name that.' });
  }

  function sharedSession(resource: Resource, asking: string): Session {
    const tenantId = resource.shared === 'process' ? undefined : asking;
    const found = table.find(tenantId, undefined, resource.type);
    return (
      found ?? add({ resource, tenantId, worker: undefined, config: mergeConfig(defaults[resource.type], undefined), temporary: false })
    );
  }

  function add(draft: SessionDraft): Session {
    if (!table.hasRoom(draft.tenantId, draft.config)) sweeper.sweep();
    if (!table.hasRoom(draft.tenantId, draft.config)) {
      throw notReady('session', 'There are too many sessions already.', { advice: 'End some, or wait until some have ended.' });
    }
    const session = createResourceSession(draft, now());
    table.add(session);
    sweeper.start();
    return session;
  }

  function join(session: Session): Session {
    session.users += 1;
    session.lastUsedAt = now();
    users += 1;
    return session;
  }

  function leave(session: Session): void {
    session.users -= 1;
    session.lastUsedAt = now();
    users -= 1;
    if (session.users === 0 && (session.temporary || session.gone)) void end([session]);
    if (users === 0) onIdle?.();
  }

  async function end(sessions: readonly Session[]): Promise<void> {
    for (const session of sessions) table.remove(session);
    for (const session of sessions) {
      if (session.users === 0 || session.state.is === 'opening') await values.close(session);
    }
  }

  async function create({ type, tenantId: asking = noTenant, worker, config, name }: SessionRequest): ReturnType<Sessions['create']> {
    const resource = known.get(type);
    if (resource === undefined) throw unknownType(type, known);
    const label = name === undefined ? undefined : checkName('name', name);
    const owner = resource.shared === false ? checkName('worker', worker ?? `worker_${crypto.randomUUID()}`) : undefined;
    const tenantId = resource.shared === 'process' ? undefined : asking;
    const merged = mergeConfig(defaults[type], config);
    await readConfig(resource, merged);
    refuseWhenClosed();
    const found = table.find(tenantId, owner, type);
    const kept = found && keep(found, config === undefined ? undefined : merged);
    const session = kept ?? add({ resource, tenantId, worker: owner, config: merged, temporary: false, label });
    session.temporary = false;
    join(session);
    try {
      await values.open(session);
    } finally {
      leave(session);
    }
    return Object.freeze({ ...toSessionInfo(session), created: kept === undefined });
  }

  /** Decides whether a session that exists is the one asked for; one that did not open, or that ends anyway, makes room for another config. */
  function keep(session: Session, config: JsonObject | undefined): Session | undefined {
    if (config === undefined || isSameConfig(session.config, config)) return session;
    if (!session.temporary && session.state.is !== 'failed') {
      throw new ToolFailure('conflict', `The session ${session.id} exists with another config. End it first, or leave the config out.`);
    }
    void end([session]);
    return undefined;
  }

  function refuseWhenClosed(): void {
    if (isClosed) throw notReady('session', 'The resources are being closed.');
  }

  async function close(timeoutMs: number): Promise<CloseReport> {
    isClosed = true;
    sweeper.stop();
    const startedAt = performance.now();
    // Sessions that still open are not needed any more. Calls that use a session get half of the time to end.
    void end(table.all().filter(({ state }) => state.is === 'opening'));
    if (users > 0) await idleWithin(timeoutMs / 2);
    for (const session of table.all()) table.remove(session);
    return values.closeAll(Math.max(0, timeoutMs - (performance.now() - startedAt)));
  }

  function idleWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stopTimer = systemClock.after(ms, resolve);
      onIdle = () => {
        stopTimer();
        resolve();
      };
    });
  }

  return { table, sweep: sweeper.sweep, enter, leave, create, end, close };
}

function unknownType(type: unknown, known: ReadonlyMap<string, Resource>): ToolFailure {
  const issue = { path: ['resource_type'], problem: 'rule', message: 'is not the type of a resource' } as const;
  return new ToolFailure('invalid_input', `There is no resource ${JSON.stringify(type)}. There are: ${[...known.keys()].join(', ')}.`, {
    issues: [issue],
  });
}

function checkName(what: string, name: unknown): string {
  if (typeof name === 'string' && name !== '' && name.length <= longestName) return name;
  throw new ToolFailure('invalid_input', `The ${what} of a session must be a text of 1 to ${longestName} characters.`);
}
