import type { Resource } from '../../contract/index.ts';
import { defaultRedactor, type JsonObject, type JsonValue } from '../../outcome/index.ts';

/** A session as callers and operators see it. */
export interface SessionInfo {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Absent for one that all tenants share. */
  readonly tenantId?: string;
  /** Whose it is; absent for a shared one. */
  readonly worker?: string;
  /** Whether it is being opened, can be used, or could not be opened; then the next call tries again. */
  readonly status: 'initializing' | 'active' | 'error';
  /** Whether it was made for a call and ends with it. */
  readonly temporary: boolean;
  readonly shared: boolean;
  /** How many calls use it now, or wait for it. */
  readonly users: number;
  /** Without secrets. */
  readonly config: JsonValue;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** Absent for one that does not expire. */
  readonly expiresAt?: string;
}

/** One value and whose it is. */
export interface Session {
  readonly id: string;
  readonly name: string;
  readonly resource: Resource;
  /** Undefined for one that all tenants share. */
  readonly tenantId: string | undefined;
  /** Undefined for one that all workers share. */
  readonly worker: string | undefined;
  /** The caller's settings, over the defaults. */
  readonly config: JsonObject;
  readonly createdAt: number;
  temporary: boolean;
  lastUsedAt: number;
  /** How many hold it or wait for it. It neither expires nor is it closed before the last of them has left. */
  users: number;
  /** Whether it has left the table: no new call may enter. */
  gone: boolean;
  state: SessionState;
}

/** How far the value of a session has come. */
export type SessionState =
  | { readonly is: 'unopened' | 'failed' | 'closed' }
  | { readonly is: 'opening'; readonly promise: Promise<unknown>; readonly stop: AbortController }
  | { readonly is: 'open'; readonly value: unknown };

/** The parts of a new session. */
export interface SessionDraft extends Pick<Session, 'resource' | 'tenantId' | 'worker' | 'config' | 'temporary'> {
  readonly label?: string | undefined;
}

let made = 0;

/** Creates a session that is not opened yet. */
export function createResourceSession({ label, ...draft }: SessionDraft, now: number): Session {
  made += 1;
  const count = String(made % 1000).padStart(3, '0');
  const name = [draft.resource.type, short(draft.worker ?? 'shared'), count, ...(label === undefined ? [] : [short(label)])].join('_');
  const id = createSessionId();
  return { ...draft, id, name, createdAt: now, lastUsedAt: now, users: 0, gone: false, state: { is: 'unopened' } };
}

/** Checks whether an id has the form of those made here, so that it cannot be mistaken for the name of a worker. */
export function isSessionId(id: string): boolean {
  return /^ses_[0-9a-f]{32}$/.test(id);
}

/** Returns the time at which a session expires if no call uses it. */
function expiryOf({ lastUsedAt, resource }: Session): number {
  return lastUsedAt + resource.ttlMs;
}

/** Checks whether a session's time is over. One that is in use, or on its way, has all the time it needs. */
export function isExpired(session: Session, now: number): boolean {
  return session.users === 0 && session.state.is !== 'opening' && expiryOf(session) <= now;
}

/** Shows a session. */
export function toSessionInfo(session: Session): SessionInfo {
  const { id, name, resource, tenantId, worker, temporary, users, config, createdAt, lastUsedAt, state } = session;
  const expiresAt = expiryOf(session);
  return Object.freeze({
    id,
    name,
    type: resource.type,
    ...(tenantId !== undefined && { tenantId }),
    ...(worker !== undefined && { worker }),
    status: statusOf[state.is],
    temporary,
    shared: resource.shared !== false,
    users,
    config: defaultRedactor.value(config),
    createdAt: toTime(createdAt),
    lastUsedAt: toTime(lastUsedAt),
    ...(expiresAt < 8.64e15 && { expiresAt: toTime(expiresAt) }),
  });
}

const statusOf: Readonly<Record<SessionState['is'], SessionInfo['status']>> = {
  unopened: 'initializing',
  opening: 'initializing',
  open: 'active',
  closed: 'active',
  failed: 'error',
};

function createSessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `ses_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Creates a text fit for a part of a name. */
function short(text: string): string {
  return text.replace(/[^\w.-]+/g, '-').slice(0, 32);
}

function toTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
