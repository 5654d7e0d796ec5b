import { type CallContext, contextFromHeaders, noTenant, type StandardIssue, toCallContext } from '../../../core/contract/index.ts';
import { isObject } from '../../../core/json/index.ts';
import type { Identity } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { Refuse } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
import type { ServerRequest } from './server-request.ts';

/** The context of a call as its request gives it. */
export interface RequestContext {
  /** What the request says about the call; undefined when it says nothing. The caller is not part of it: see {@link callerContext}. */
  readonly context: CallContext | undefined;
  /** Headers that are sent back. */
  readonly echo: Readonly<Record<string, string>> | undefined;
}

const nothing: RequestContext = { context: undefined, echo: undefined };

/** The context of a call, or what is wrong with the headers. */
type ReadContext = RequestContext | { readonly issues: readonly StandardIssue[] };

/** Headers of the context, and the part of the context each one brings. Only what was sent is passed on: the runtime fills the rest itself, so that trace, span and log agree. */
const parts = {
  'x-tenant-id': undefined,
  'x-request-id': 'requestId',
  'x-trace-id': 'traceId',
  'x-invocation-id': 'invocationId',
  'x-run-id': 'runId',
  'x-ingestion-run-id': undefined,
  'x-workflow-id': undefined,
  'x-collection-id': undefined,
  'x-document-id': undefined,
  'x-document-version-id': undefined,
  'x-case-id': undefined,
  'idempotency-key': 'idempotencyKey',
  'x-timeouts-ms': 'timeoutMs',
  'x-budget-tokens': 'budgetTokens',
  'x-locale': 'locale',
  'x-safety-mode': 'safetyMode',
  traceparent: undefined,
} as const satisfies Readonly<Record<string, keyof CallContext | undefined>>;
const ownNames = ['x-session-id', 'x-worker-id'];
const names: ReadonlySet<string> = new Set([...Object.keys(parts), ...ownNames]);

/** Sent back as they came, on failures too. */
const echoed = ['x-request-id', 'x-case-id', 'x-run-id', 'x-ingestion-run-id', 'idempotency-key', 'traceparent'] as const;

/** The settings of a server that decide how headers are read. */
interface ContextRules {
  /** Whether the tenant comes from a credential, and never from a header. */
  readonly hasAuth: boolean;
  /** Whether a key makes a call happen once. Where it does not, it is not sent back as if it did. */
  readonly keepsKeys: boolean;
}

/** Makes the step that reads the headers of a request into the context of a call. */
export function createReadContext(
  toolbox: Pick<ServedToolbox, '~provides'>,
  { authenticators }: Pick<ServerSettings, 'authenticators'>,
  refuse: Refuse,
  demandTenant: DemandTenant | undefined,
): (request: ServerRequest, body?: unknown) => RequestContext | HttpAnswer {
  const rules = { hasAuth: authenticators.length > 0, keepsKeys: toolbox['~provides']?.('idempotency') === true };
  return (request, body) => {
    const read = readContext(request.head, rules, body);
    if (!('issues' in read)) return demandTenant?.(request) ?? read;
    const issues = read.issues.map(({ message, path = [] }) => ({ path: path.map(String), problem: 'format' as const, message }));
    const message = `The request is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
    return refuse(request, 'invalid_input', message, { issues });
  };
}

/** Refuses a request without a tenant. */
export type DemandTenant = (request: ServerRequest) => HttpAnswer | undefined;

/** Makes what refuses requests without a tenant; undefined where none must name one. */
export function createDemandTenant(
  { authenticators, tenant: rule }: Pick<ServerSettings, 'authenticators' | 'tenant'>,
  refuse: Refuse,
): DemandTenant | undefined {
  if (rule !== 'required' || authenticators.length > 0) return undefined;
  return (request) => {
    const tenant = request.head.header('x-tenant-id')?.trim() ?? '';
    if (tenant !== '' && tenant !== noTenant) return undefined;
    const issues = [{ path: ['x-tenant-id'], problem: 'missing', message: 'X-Tenant-ID is required' }] as const;
    return refuse(request, 'invalid_input', 'The request names no tenant: X-Tenant-ID is required.', { issues });
  };
}

/** Reads the headers of a request into the context of a call; `body` may bring a trace id and nothing else. */
function readContext(head: RequestHead, { hasAuth, keepsKeys }: ContextRules, body?: unknown): ReadContext {
  const { header, search } = head;
  const found = head.sentOf(names);
  const own = found && worksIn(header('x-session-id'), header('x-worker-id'));
  let sent: Record<string, string> | undefined;
  if (found !== undefined) {
    for (const name of found) {
      const value = header(name);
      if (value === undefined || ownNames.includes(name) || (hasAuth && name === 'x-tenant-id')) continue;
      sent ??= {};
      sent[name] = value;
    }
  }
  const hasQuery = search.includes('trace_id');
  const hasBody = isObject(body) && Object.hasOwn(body, 'trace_id');
  if (sent === undefined && !hasQuery && !hasBody) return own === undefined ? nothing : { context: own, echo: undefined };
  const simple = sent === undefined || hasQuery || hasBody ? undefined : readSimple(sent, own, keepsKeys);
  if (simple !== undefined) return simple;
  const read = contextFromHeaders(sent ?? {}, {
    tenant: 'optional',
    query: hasQuery ? new URLSearchParams(search) : undefined,
    ...(hasBody && { body }),
  });
  if (read.issues !== undefined) return { issues: read.issues };
  const filled: Readonly<Record<string, unknown>> = { ...toCallContext(read.value) };
  const context: Record<string, unknown> = filled.ids === undefined ? {} : { ids: filled.ids };
  const echo: Record<string, string> = {};
  for (const name of Object.keys(sent ?? {}) as (keyof typeof parts)[]) {
    const part = parts[name];
    if (part !== undefined) context[part] = filled[part];
  }
  const isTraced = sent?.['x-trace-id'] ?? sent?.['x-request-id'] ?? (hasQuery || hasBody || undefined);
  if (isTraced !== undefined || sent?.traceparent?.includes(read.value.trace_id) === true) context.traceId = read.value.trace_id;
  for (const name of echoed) {
    const value = sent?.[name];
    if (value !== undefined && (keepsKeys || name !== 'idempotency-key')) echo[name] = value;
  }
  return { context: { ...context, ...own }, echo };
}

const plainTrace = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const plainKey = /^[\x21-\x7e]{1,512}$/;

/** Reads the two headers that agents send with every call, a sound trace and a key. Everything else is read, and judged, as a whole. */
function readSimple(sent: Readonly<Record<string, string>>, own: CallContext | undefined, keepsKeys: boolean): RequestContext | undefined {
  for (const name in sent) if (name !== 'traceparent' && name !== 'idempotency-key') return undefined;
  const { traceparent, 'idempotency-key': key } = sent;
  const context: { idempotencyKey?: string; traceId?: string } = {};
  const echo: Record<string, string> = {};
  if (key !== undefined) {
    if (!plainKey.test(key)) return undefined;
    context.idempotencyKey = key;
    if (keepsKeys) echo['idempotency-key'] = key;
  }
  if (traceparent !== undefined) {
    const traceId = plainTrace.exec(traceparent)?.[1];
    if (traceId === undefined) return undefined;
    context.traceId = traceId;
    echo.traceparent = traceparent;
  }
  return { context: own === undefined ? context : { ...context, ...own }, echo };
}

/** Gives what a call knows of its caller. */
export function callerContext({ tenantId, subject }: Identity): Pick<CallContext, 'tenantId' | 'userId'> {
  return { ...(tenantId !== noTenant && { tenantId }), ...(subject !== undefined && { userId: subject }) };
}

function worksIn(sessionId: string | undefined, workerId: string | undefined): Pick<CallContext, 'sessionId' | 'workerId'> | undefined {
  if (sessionId === undefined && workerId === undefined) return undefined;
  return { ...(sessionId !== undefined && { sessionId }), ...(workerId !== undefined && { workerId }) };
}
