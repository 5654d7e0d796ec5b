import type { CallContext, StandardIssue } from 'toolpact';
import { insideOf, noTenant } from 'toolpact/extend';
import { readContextHeaders } from 'toolpact/internal';
import type { Identity } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { Refuse } from './refusal.ts';
import type { RequestHead } from './request-head.ts';
import type { ServerRequest } from './server-request.ts';

/** The context of a call as its request gives it. */
export interface RequestContext {
  /** The context that the request states; the runtime fills the rest itself, so that trace, span and log agree. The caller is not part of it: see {@link callerContext}. */
  readonly context: CallContext;
  /** Headers that are sent back. */
  readonly echo: Readonly<Record<string, string>>;
}

/** The context of a call, or what is wrong with the headers. */
type ReadContext = RequestContext | { readonly issues: readonly StandardIssue[] };

/** Sent back as they came, on failures too. */
const echoedHeaders = ['x-request-id', 'x-case-id', 'x-run-id', 'x-ingestion-run-id', 'idempotency-key', 'traceparent'] as const;

/** The settings of a server that decide how headers are read. */
interface ContextRules {
  /** Whether the tenant comes from a credential, and never from a header. */
  readonly hasAuth: boolean;
  /** Whether a key makes a call happen once. Where it does not, it is not sent back as if it did. */
  readonly keepsKeys: boolean;
}

/** Creates the step that reads the headers of a request into the context of a call. */
export function createReadContext(
  toolbox: object,
  { authenticators }: Pick<ServerSettings, 'authenticators'>,
  refuse: Refuse,
  demandTenant: DemandTenant | undefined,
): (request: ServerRequest, body?: unknown) => RequestContext | HttpAnswer {
  const rules = { hasAuth: authenticators.length > 0, keepsKeys: insideOf(toolbox).provides('idempotency') };
  return (request, body) => {
    const context = readContext(request.head, rules, body);
    if (!('issues' in context)) return demandTenant?.(request) ?? context;
    const issues = context.issues.map(({ message, path = [] }) => ({ path: path.map(String), problem: 'format' as const, message }));
    const message = `The request is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
    return refuse(request, 'invalid_input', message, { issues });
  };
}

/** Refuses a request without a tenant. */
export type DemandTenant = (request: ServerRequest) => HttpAnswer | undefined;

/** Creates the check for a tenant; undefined where no request must name one. */
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
function readContext({ header, search }: RequestHead, { hasAuth, keepsKeys }: ContextRules, body?: unknown): ReadContext {
  const read = readContextHeaders((name) => (hasAuth && name === 'x-tenant-id' ? undefined : header(name)), {
    query: search.includes('trace_id') ? new URLSearchParams(search) : undefined,
    body,
  });
  if (read.issues !== undefined) return read;
  const { tenantId: _, ...context } = read.value;
  const echo: Record<string, string> = {};
  for (const name of echoedHeaders) {
    const value = header(name);
    if (value !== undefined && (keepsKeys || name !== 'idempotency-key')) echo[name] = value;
  }
  return { context: { ...context, ...sessionContext(header('x-session-id'), header('x-worker-id')) }, echo };
}

/** Returns the part of a call's context that names its caller. */
export function callerContext({ tenantId, subject }: Identity): Pick<CallContext, 'tenantId' | 'userId'> {
  return { ...(tenantId !== noTenant && { tenantId }), ...(subject !== undefined && { userId: subject }) };
}

/** Returns the session and the worker that a call belongs to. */
function sessionContext(
  sessionId: string | undefined,
  workerId: string | undefined,
): Pick<CallContext, 'sessionId' | 'workerId'> | undefined {
  if (sessionId === undefined && workerId === undefined) return undefined;
  return { ...(sessionId !== undefined && { sessionId }), ...(workerId !== undefined && { workerId }) };
}
