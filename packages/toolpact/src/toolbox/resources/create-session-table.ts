import type { JsonObject } from '../../outcome/index.ts';
import { isExpired, type Session } from './session.ts';

/** The most characters that the configs of all sessions may have together: callers choose how long theirs are. */
const maxConfigChars = 32_000_000;

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
  /** Checks whether a tenant may have one more, with this config. */
  readonly hasRoom: (tenantId: string | undefined, config: JsonObject) => boolean;
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
  const configChars = new Map<string | undefined, number>();
  let allConfigChars = 0;
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
    countConfig(session, -1);
  }

  function countConfig({ tenantId, config }: Session, sign: 1 | -1): void {
    const chars = sign * sizeOf(config);
    const left = (configChars.get(tenantId) ?? 0) + chars;
    if (left > 0) configChars.set(tenantId, left);
    else configChars.delete(tenantId);
    allConfigChars += chars;
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
    hasRoom(tenantId, config) {
      const own = byTenant.get(tenantId)?.size ?? 0;
      return (
        own < limits.maxPerTenant &&
        hasShare(limits.maxSessions, byId.size, own, 1) &&
        hasShare(maxConfigChars, allConfigChars, configChars.get(tenantId) ?? 0, sizeOf(config))
      );
    },
    add(session) {
      byId.set(session.id, session);
      const own = byTenant.get(session.tenantId) ?? new Map<string, Session>();
      byTenant.set(session.tenantId, own.set(keyOf(session.worker, session.resource.type), session));
      countConfig(session, 1);
    },
    remove,
    size: () => byId.size,
  };
}

/** Checks whether a tenant may take more of what all share. The last tenth is kept for tenants that hold little, so that none takes all. */
function hasShare(most: number, used: number, own: number, more: number): boolean {
  const kept = Math.floor(most / 10);
  const free = most - used - more;
  return free >= 0 && (free >= kept || own + more <= kept);
}

function sizeOf(config: JsonObject): number {
  return JSON.stringify(config).length;
}

function keyOf(worker: string | undefined, type: string): string {
  // A type holds no line break, so no worker can pass for another one's session.
  return `${type}\n${worker ?? ''}${worker === undefined ? '\n' : ''}`;
}
