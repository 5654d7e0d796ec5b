import { ToolpactError } from 'toolpact';
import { noTenant } from 'toolpact/extend';
import { toUuid } from 'toolpact/internal';
import type { ServerSettings } from '../check-options.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import type { Refuse } from '../request/refusal.ts';
import type { ReportProblem } from '../request/report-problem.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { ServerRequest } from '../request/server-request.ts';
import type { AuthRequest, Identity } from './identity.ts';
import { createRequestLimits } from './request-limits.ts';

/** Returns the caller of a request, or refuses. */
export type Identify = (request: ServerRequest) => Promise<Identity | HttpAnswer>;

/** A server without authentication is reached from its own machine alone, so its callers may do everything. */
const localScopes: readonly string[] = Object.freeze(['*']);

/** Creates the step that finds the caller of a request and counts its requests. */
export function createIdentify(settings: ServerSettings, refuse: Refuse, report: ReportProblem): Identify {
  const { authenticators } = settings;
  const limits = settings.limits && createRequestLimits(settings.limits, refuse);
  return async (request) => {
    const caller = authenticators.length === 0 ? identifyLocal(request) : await authenticate(request);
    return isAnswer(caller) || limits === undefined ? caller : limits(request, caller);
  };

  /** Without authentication the tenant is the one that the header names. */
  function identifyLocal(request: ServerRequest): Identity | HttpAnswer {
    const header = request.head.header('x-tenant-id')?.trim();
    if (header === undefined || header === '') return { tenantId: noTenant, scopes: localScopes };
    const tenantId = toUuid(header);
    if (tenantId !== undefined) return { tenantId, scopes: localScopes };
    const issues = [{ path: ['tenant_id'], problem: 'format', message: 'X-Tenant-ID must be a UUID' }] as const;
    return refuse(request, 'invalid_input', 'The request names no tenant: X-Tenant-ID must be a UUID.', { issues });
  }

  /** Asks one authenticator after the other. One that fails does not keep the next from knowing the caller. */
  async function authenticate(request: ServerRequest): Promise<Identity | HttpAnswer> {
    const credential = toAuthRequest(request.head);
    let debugId: string | undefined;
    for (const authenticator of authenticators) {
      let identity: Identity | undefined;
      try {
        identity = await authenticator(credential);
      } catch (error) {
        debugId = report('an authenticator', error);
      }
      if (identity === undefined) continue;
      return isSound(identity) ? checkTenant(request, identity) : refuseUnknown(request, report('an authenticator', wrongIdentity()));
    }
    if (debugId !== undefined) return refuseUnknown(request, debugId);
    const headers = { 'www-authenticate': 'Bearer' };
    return refuse(request, 'unauthenticated', 'A valid credential is needed.', { denied: 'unauthenticated', headers });
  }

  function refuseUnknown(request: ServerRequest, debugId: string): HttpAnswer {
    const facts = { retryAfterMs: 1000, denied: 'unauthenticated', debugId } as const;
    return refuse(request, 'not_ready', 'Authentication is temporarily unavailable.', facts);
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

function isSound(identity: Partial<Identity> | null): boolean {
  if (identity === null || typeof identity !== 'object') return false;
  const { tenantId, scopes } = identity;
  return typeof tenantId === 'string' && tenantId !== '' && (scopes === undefined || Array.isArray(scopes));
}

function wrongIdentity(): ToolpactError {
  return new ToolpactError('invalid_option', 'it must give a tenantId, and scopes as an array or not at all', { option: 'auth' });
}
