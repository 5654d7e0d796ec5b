import { contextFromHeaders, noTenant } from '../../../core/contract/index.ts';
import { ToolpactError } from '../../../core/outcome/index.ts';
import type { ServerSettings } from '../check-options.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import type { Refuse } from '../request/refusal.ts';
import { remember } from '../request/remember.ts';
import type { ReportProblem } from '../request/report-problem.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { ServerRequest } from '../request/server-request.ts';
import type { AuthRequest, Identity } from './identity.ts';
import { createRequestLimits } from './request-limits.ts';

/** Gives the caller of a request, or refuses. */
export type Identify = (request: ServerRequest) => Identity | HttpAnswer | Promise<Identity | HttpAnswer>;

/** Makes the step that finds the caller of a request and counts its requests. */
export function createIdentify(settings: ServerSettings, refuse: Refuse, report: ReportProblem): Identify {
  const { authenticators } = settings;
  const limits = settings.limits && createRequestLimits(settings.limits, refuse);
  const counted = (request: ServerRequest, who: Identity | HttpAnswer): Identity | HttpAnswer | Promise<Identity | HttpAnswer> =>
    isAnswer(who) || limits === undefined ? who : limits(request, who);
  if (authenticators.length === 0) {
    const local = identifyLocal.bind(undefined, refuseTenant);
    return limits === undefined ? local : (request) => counted(request, local(request));
  }
  return (request) => {
    const who = authenticate(request, toAuthRequest(request.head), 0, undefined);
    return who instanceof Promise ? who.then((known) => counted(request, known)) : counted(request, who);
  };

  /** Asks one authenticator after the other, and waits only for those that look something up. */
  function authenticate(
    request: ServerRequest,
    credential: AuthRequest,
    from: number,
    failed: string | undefined,
  ): Identity | HttpAnswer | Promise<Identity | HttpAnswer> {
    let debugId = failed;
    for (let at = from; at < authenticators.length; at += 1) {
      try {
        const found = authenticators[at]?.(credential);
        if (found instanceof Promise) {
          return found.then(
            (identity) => (identity === undefined ? authenticate(request, credential, at + 1, debugId) : accept(request, identity)),
            (error) => authenticate(request, credential, at + 1, report('an authenticator', error)),
          );
        }
        if (found !== undefined) return accept(request, found);
      } catch (error) {
        debugId = report('an authenticator', error);
      }
    }
    if (debugId !== undefined) return cannotTell(request, debugId);
    const headers = { 'www-authenticate': 'Bearer' };
    return refuse(request, 'unauthenticated', 'A valid credential is needed.', { denied: 'unauthenticated', headers });
  }

  function accept(request: ServerRequest, identity: Identity): Identity | HttpAnswer {
    if (isSound(identity)) return checkTenant(request, identity);
    return cannotTell(request, report('an authenticator', wrongIdentity()));
  }

  function cannotTell(request: ServerRequest, debugId: string): HttpAnswer {
    const facts = { retryAfterMs: 1000, denied: 'unauthenticated', debugId } as const;
    return refuse(request, 'not_ready', 'Authentication is temporarily unavailable.', facts);
  }

  function refuseTenant(request: ServerRequest): HttpAnswer {
    const issues = [{ path: ['tenant_id'], problem: 'format', message: 'X-Tenant-ID must be a UUID' }] as const;
    return refuse(request, 'invalid_input', 'The request names no tenant: X-Tenant-ID must be a UUID.', { issues });
  }

  /** The header may repeat the tenant of the credential, and nothing else. */
  function checkTenant(request: ServerRequest, identity: Identity): Identity | HttpAnswer {
    const claimed = request.head.header('x-tenant-id')?.trim();
    if (claimed === undefined || claimed === '' || claimed.toLowerCase() === identity.tenantId.toLowerCase()) return identity;
    return refuse(request, 'forbidden', 'X-Tenant-ID names another tenant than the credential.', { denied: 'tenant', identity });
  }
}

function toAuthRequest({ method, path, search, header }: RequestHead): AuthRequest {
  return { method, url: `${path}${search}`, headers: { get: (name) => header(name.toLowerCase()) ?? null } };
}

function wrongIdentity(): ToolpactError {
  return new ToolpactError('invalid_option', 'it must give a tenantId, and scopes as an array or not at all', { option: 'auth' });
}

function isSound({ tenantId, scopes }: Partial<Identity>): boolean {
  return typeof tenantId === 'string' && tenantId !== '' && (scopes === undefined || Array.isArray(scopes));
}

/** A server without authentication is reached from its own machine alone, so its callers may do everything. */
const local: Identity = Object.freeze({ tenantId: noTenant, scopes: Object.freeze(['*']) });
const localOf = remember((tenantId): Identity => Object.freeze({ ...local, tenantId }));
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Gives the caller without authentication: its tenant is what the header says. A header that names no tenant is refused. */
function identifyLocal(refuseTenant: (request: ServerRequest) => HttpAnswer, request: ServerRequest): Identity | HttpAnswer {
  const tenant = request.head.header('x-tenant-id')?.trim();
  if (tenant === undefined || tenant === '') return local;
  const tenantId = uuid.test(tenant) ? tenant.toLowerCase() : readTenant(tenant);
  return (tenantId === undefined ? undefined : localOf(tenantId)) ?? refuseTenant(request);
}

/** Reads the other ways to write a UUID, such as one in braces. */
function readTenant(tenant: string): string | undefined {
  const read = contextFromHeaders({ 'x-tenant-id': tenant }, { tenant: 'optional' });
  return read.issues === undefined ? read.value.tenant_id : undefined;
}
