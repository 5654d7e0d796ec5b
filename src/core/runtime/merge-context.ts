import type { CallContext } from '../contract/index.ts';
import { isObject, peek } from '../json/index.ts';

/** Stands for a call made without context. */
export const noContext: CallContext = Object.freeze({});

/** What each part of a context must be; anything else is as good as absent. Whatever the application brings is its own. */
const parts = {
  signal: 'object',
  callId: 'string',
  tenantId: 'string',
  userId: 'string',
  sessionId: 'string',
  workerId: 'string',
  runId: 'string',
  traceId: 'string',
  invocationId: 'string',
  requestId: 'string',
  conversationId: 'string',
  agentName: 'string',
  ids: 'object',
  idempotencyKey: 'string',
  timeoutMs: 'number',
  budgetTokens: 'number',
  locale: 'string',
  safetyMode: 'string',
  now: 'string',
  auth: 'object',
  app: undefined,
  onProgress: 'function',
  isControlFlow: 'function',
  session: 'object',
  promptName: 'string',
  adapter: 'string',
} as const satisfies Record<keyof CallContext, 'string' | 'number' | 'object' | 'function' | undefined>;

/** A context with what the runtime itself keeps in it. */
export interface OwnContext extends CallContext {
  /** A key that no context has. */
  readonly '~unknownKey'?: string;
}

/** The names of all parts of a context. */
export const contextKeys = Object.keys(parts) as readonly (keyof CallContext)[];

/**
 * Lays one context over another, reading each part once and by name: what is absent, of the wrong type or unreadable changes nothing,
 * and of two times the shorter counts. The context of a running call may be given too; then its own time and signal bind the new call.
 */
export function mergeContext(base: CallContext, extra: unknown): CallContext {
  if (!isObject(extra)) return base;
  const merged: Record<string, unknown> = { ...base };
  for (const key of contextKeys) {
    const value = peek(extra, key);
    if (value === undefined || value === null || (parts[key] !== undefined && typeof value !== parts[key])) continue;
    merged[key] = value;
  }
  const unknownKey = findUnknownKey(extra);
  if (unknownKey !== undefined) merged['~unknownKey'] = unknownKey;
  // What cannot be asked and listened to is no signal.
  if (typeof peek(merged.signal, 'addEventListener') !== 'function' || typeof peek(merged.signal, 'aborted') !== 'boolean')
    delete merged.signal;
  const remaining = peek(extra, 'remainingMs');
  if (typeof remaining === 'number') {
    merged.timeoutMs = remaining;
    // This is the running call's own. Its view of the session is not: through it the new call becomes a part of the running one.
    if (base.invocationId === undefined) delete merged.invocationId;
  }
  if (base.timeoutMs !== undefined && base.timeoutMs < (merged.timeoutMs as number)) merged.timeoutMs = base.timeoutMs;
  return merged;
}

/** Finds a key with a value that no context has. Only plain objects are looked through: the context of a running call has more. */
function findUnknownKey(extra: object): string | undefined {
  try {
    if (Object.getPrototypeOf(extra) !== Object.prototype) return undefined;
    return Object.keys(extra).find((key) => !Object.hasOwn(parts, key) && key[0] !== '~' && peek(extra, key) !== undefined);
  } catch {
    return undefined;
  }
}
