import { isExpired, type Session } from './session.ts';

/** Which sessions are meant. */
export interface SessionFilter {
  /** @default the nil UUID, like that of a call without a tenant */
  readonly tenantId?: string;
  readonly id?: string;
  readonly worker?: string;
  readonly type?: string;
}

/** All sessions that can be entered, by tenant, worker and type, and by id. */
export interface SessionTable {
  readonly find: (tenantId: string | undefined, worker: string | undefined, type: string) => Session | undefined;
  /** Finds a session of a tenant by its id. */
  readonly findById: (tenantId: string, id: string) => Session | undefined;
  readonly select: (tenantId: string, filter: SessionFilter) => Session[];
  readonly all: () => Session[];
  /** Checks whether a tenant may have one more. */
  readonly hasRoom: (tenantId: string | undefined) => boolean;
  readonly add: (session: Session) => void;
  /** Takes a session out; new calls do not find it. */
  readonly remove: (session: Session) => void;
  readonly size: () => number;
}

/** Creates an empty table. Sessions whose time is over are never found, whether they were swept or not; `onExpired` gets them. */
export function createSessionTable(
  limits: { readonly maxSessions: number; readonly maxPerTenant: number },
  now: () => number,
  onExpired: (session: Session) => void,
): SessionTable {
  /** The last places are kept for tenants that hold few, so that one tenant cannot take all of them. */
  const kept = Math.floor(limits.maxSessions / 10);
  const byId = new Map<string, Session>();
  const byTenant = new Map<string | undefined, Map<string, Session>>();

  function alive(session: Session | undefined): Session | undefined {
    if (session === undefined || !isExpired(session, now())) return session;
    remove(session);
    onExpired(session);
    return undefined;
  }

  function remove(session: Session): void {
    if (session.gone) return;
    session.gone = true;
    byId.delete(session.id);
    const own = byTenant.get(session.tenantId);
    own?.delete(keyOf(session.worker, session.resource.type));
    if (own?.size === 0) byTenant.delete(session.tenantId);
  }

  return {
    find: (tenantId, worker, type) => alive(byTenant.get(tenantId)?.get(keyOf(worker, type))),
    findById(tenantId, id) {
      const session = byId.get(id);
      return session?.tenantId === tenantId ? alive(session) : undefined;
    },
    select: (tenantId, { id, worker, type }) =>
      [...(byTenant.get(tenantId)?.values() ?? [])].filter(
        (session) =>
          (id === undefined || session.id === id) &&
          (worker === undefined || session.worker === worker) &&
          (type === undefined || session.resource.type === type) &&
          alive(session) !== undefined,
      ),
    all: () => [...byId.values()],
    hasRoom(tenantId) {
      const own = byTenant.get(tenantId)?.size ?? 0;
      const free = limits.maxSessions - byId.size;
      return free > 0 && own < limits.maxPerTenant && (free > kept || own < kept);
    },
    add(session) {
      byId.set(session.id, session);
      const own = byTenant.get(session.tenantId) ?? new Map<string, Session>();
      byTenant.set(session.tenantId, own.set(keyOf(session.worker, session.resource.type), session));
    },
    remove,
    size: () => byId.size,
  };
}

function keyOf(worker: string | undefined, type: string): string {
  // A type holds no line break, so no worker can pass for another one's session.
  return `${type}\n${worker ?? ''}${worker === undefined ? '\n' : ''}`;
}
