import { type CallContext, typeName, withArticle } from '../contract/index.ts';
import { isObject, peek, rankNames } from '../json/index.ts';

/** Stands for a call made without context. */
export const noContext: CallContext = Object.freeze({});

/** The texts of a context that say for whom and where a call is made. Events carry them. */
export const callerTexts = [
  'callId',
  'sessionId',
  'runId',
  'requestId',
  'tenantId',
  'userId',
  'conversationId',
  'agentName',
  'promptName',
  'adapter',
  'workerId',
] as const satisfies readonly (keyof CallContext)[];

/** The parts of a context that are texts. */
const texts = [
  ...callerTexts,
  'traceId',
  'invocationId',
  'idempotencyKey',
  'locale',
  'safetyMode',
  'now',
] as const satisfies readonly (keyof CallContext)[];

/** The type that each other part of a context must have. The application may put anything into `app`, and anything may identify a client. */
const others: Readonly<Record<Exclude<keyof CallContext, (typeof texts)[number]>, string>> = {
  signal: 'object',
  ids: 'object',
  timeoutMs: 'number',
  budgetTokens: 'number',
  auth: 'object',
  app: '',
  client: '',
  onProgress: 'function',
  mayCall: 'function',
  isControlFlow: 'function',
  session: 'object',
};

/** A mistake in a context, as the failure of the calls that are made with it. */
export interface ContextProblem {
  readonly message: string;
  readonly advice: string;
  readonly details: { readonly key: string; readonly expected: string };
}

const problemKey = Symbol('problem');

/** Returns the first mistake in a merged context: a key that no context has, or a text that is none. */
export function problemOf(context: CallContext): ContextProblem | undefined {
  return (context as { readonly [problemKey]?: ContextProblem })[problemKey];
}

const types = new Map<string, string>([...texts.map((key) => [key, 'string'] as const), ...Object.entries(others)]);

/** The names of all parts of a context. */
export const contextKeys: readonly string[] = [...types.keys()];

/**
 * Lays one context over another, reading each part once and by name: what is absent or unreadable changes nothing, of two times or token
 * budgets the smaller counts, and a safety mode stays. A text of another type is noted: a tenant that is a number must not become no tenant.
 * The context of a running call may be given too; then its own time and signal bind the new call.
 */
export function mergeContext(base: CallContext, extra: unknown): CallContext {
  if (!isObject(extra)) return base;
  const merged: Record<string | symbol, unknown> = { ...base };
  // Most contexts state few of many parts. Only plain objects are looked through: the context of a running call has getters, and more of them.
  const keys = keysOf(extra);
  for (const key of keys ?? contextKeys) {
    const value = peek(extra, key as never);
    if (value === undefined || value === null || Number.isNaN(value)) continue;
    const type = types.get(key);
    if (type === '' || typeof value === type) merged[key] = value;
    else if (type === undefined) merged[problemKey] ??= unknownKey(key);
    else if (type === 'string') merged[problemKey] ??= noText(key, value);
  }
  // A signal must say whether it has fired, and take listeners; drop anything else.
  if (typeof peek(merged.signal, 'addEventListener') !== 'function' || typeof peek(merged.signal, 'aborted') !== 'boolean')
    delete merged.signal;
  const remaining = peek(extra, 'remainingMs');
  if (typeof remaining === 'number') {
    merged.timeoutMs = remaining;
    // These are the running call's own. Its view of the session is not: through it the new call becomes a part of the running one.
    merged.invocationId = base.invocationId;
    if (keys === undefined) merged.idempotencyKey = base.idempotencyKey;
  }
  for (const key of ['timeoutMs', 'budgetTokens'] as const) {
    if ((base[key] as number) < (merged[key] as number)) merged[key] = base[key];
  }
  if (base.safetyMode !== undefined) merged.safetyMode = base.safetyMode;
  return merged;
}

/** Returns a context that several calls may share: without the id that belongs to one call, under which its record and its cause are found. */
export function toSharedContext<TContext extends CallContext>(context: TContext): Omit<TContext, 'invocationId'> {
  const { invocationId: _, ...shared } = context;
  return shared;
}

function unknownKey(key: string): ContextProblem {
  const [nearest] = rankNames(key, contextKeys, 1);
  return {
    message: `The context has an unknown key: ${JSON.stringify(key)}.`,
    advice: `An operator has to ${nearest === undefined ? 'leave it out, or put it into "app"' : `write "${nearest}"`}.`,
    details: { key, expected: nearest ?? 'app' },
  };
}

function noText(key: string, value: unknown): ContextProblem {
  return {
    message: `"${key}" of the context must be a string; ${withArticle(typeName(value))} was given.`,
    advice: 'An operator has to fix the code that creates the context.',
    details: { key, expected: 'a string' },
  };
}

/** Returns the keys of a plain object; undefined for anything else. */
function keysOf(extra: object): readonly string[] | undefined {
  try {
    return Object.getPrototypeOf(extra) === Object.prototype ? Object.keys(extra) : undefined;
  } catch {
    return undefined;
  }
}
