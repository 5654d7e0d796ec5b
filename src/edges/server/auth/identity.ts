import { noTenant } from '../../../core/contract/index.ts';
import type { ServerSettings } from '../check-options.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import type { Refuse } from '../request/refusal.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { ServerRequest } from '../request/server-request.ts';
import { createRequestLimits } from './request-limits.ts';

/** Who asks. The tenant comes from here and from nowhere else: no header and no field of a body can change it. */
export interface Identity {
  readonly tenantId: string;
  /** The person or service behind the credential. */
  readonly subject?: string;
  /** What it may do, see {@link mayCall} and {@link hasScope}. Without scopes it may call every tool and administer nothing. */
  readonly scopes?: readonly string[];
  /** Names the credential; limits count by it. It is no secret. */
  readonly keyId?: string;
}

/** As much of a request as authentication may look at; a `Request` is one. */
export interface AuthRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly get: (name: string) => string | null };
}

/** Identifies the sender of a request; undefined when its credential is missing or wrong. It throws when authentication is unavailable. */
export type Authenticate = (request: AuthRequest) => Identity | undefined | Promise<Identity | undefined>;

/** What a server lets a caller do besides calling tools. `admin` includes the others, `*` includes everything. */
export type AdminScope = 'admin' | 'approvals:decide' | 'pending:settle' | 'sessions:admin';

const callScope = 'tools:call:';
const adminScopes: readonly string[] = ['admin', 'approvals:decide', 'pending:settle', 'sessions:admin'] satisfies AdminScope[];

/** Gives the scopes that mean nothing to a server: a misspelt one would silently allow less than its author wanted. */
export function findUnknownScopes(scopes: readonly string[]): readonly string[] {
  const isKnown = (scope: string): boolean =>
    scope === '*' || adminScopes.includes(scope) || (scope.startsWith(callScope) && scope.length > callScope.length);
  return scopes.filter((scope) => !isKnown(scope));
}

/** Says which scopes there are, for messages about wrong ones. */
export const scopesNote = `scopes are *, tools:call:<tool>, tools:call:<resource>:*, tools:call:*, ${adminScopes.join(', ')}`;

/** Checks whether an identity may call a tool: by `*`, `tools:call:*`, `tools:call:<name>`, or `tools:call:<resource>:*`. */
export function mayCall({ scopes }: Identity, tool: string): boolean {
  if (scopes === undefined) return true;
  for (const scope of scopes) if (allows(scope, tool)) return true;
  return false;
}

function allows(scope: string, tool: string): boolean {
  if (scope === '*') return true;
  if (!scope.startsWith(callScope)) return false;
  const allowed = scope.slice(callScope.length);
  return allowed === tool || allowed === '*' || (allowed.endsWith(':*') && tool.startsWith(allowed.slice(0, -1)));
}

/** Checks whether an identity may call every tool, also one that does not exist. */
export function mayCallAll({ scopes }: Identity): boolean {
  return scopes === undefined || scopes.includes('*') || scopes.includes(`${callScope}*`);
}

/** Checks whether an identity has one of the scopes that callers of tools do not have. */
export function hasScope({ scopes = [] }: Identity, scope: AdminScope): boolean {
  return scopes.includes('*') || scopes.includes('admin') || scopes.includes(scope);
}

/** Gives the caller of a request, or refuses. */
export type Identify = (request: ServerRequest) => Identity | HttpAnswer | Promise<Identity | HttpAnswer>;

/** A server without authentication is reached from its own machine alone, so its callers may do everything. */
const local: Identity = Object.freeze({ tenantId: noTenant, scopes: Object.freeze(['*']) });
const localSeen = new Map<string, Identity>();
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Makes the step that finds the caller of a request and counts its requests. */
export function createIdentify(settings: ServerSettings, refuse: Refuse): Identify {
  const { authenticators } = settings;
  const limits = settings.limits && createRequestLimits(settings.limits, refuse);
  if (authenticators.length === 0) {
    return limits === undefined ? identifyLocal : (request) => limits(request, identifyLocal(request));
  }
  const counted = (request: ServerRequest, who: Identity | HttpAnswer): Identity | HttpAnswer | Promise<Identity | HttpAnswer> =>
    isAnswer(who) || limits === undefined ? who : limits(request, who);
  return (request) => {
    const who = authenticate(request, toAuthRequest(request.head), 0, false);
    return who instanceof Promise ? who.then((known) => counted(request, known)) : counted(request, who);
  };

  /** Asks one authenticator after the other, and waits only for those that look something up. */
  function authenticate(
    request: ServerRequest,
    credential: AuthRequest,
    from: number,
    failed: boolean,
  ): Identity | HttpAnswer | Promise<Identity | HttpAnswer> {
    let isFailed = failed;
    for (let at = from; at < authenticators.length; at += 1) {
      try {
        const found = authenticators[at]?.(credential);
        if (found instanceof Promise) {
          return found.then(
            (identity) => (identity === undefined ? authenticate(request, credential, at + 1, isFailed) : accept(request, identity)),
            () => authenticate(request, credential, at + 1, true),
          );
        }
        if (found !== undefined) return accept(request, found);
      } catch {
        isFailed = true;
      }
    }
    if (isFailed) return cannotTell(request);
    const headers = { 'www-authenticate': 'Bearer' };
    return refuse(request, 'unauthenticated', 'A valid credential is needed.', { denied: 'unauthenticated', headers });
  }

  function accept(request: ServerRequest, identity: Identity): Identity | HttpAnswer {
    return isSound(identity) ? checkTenant(request, identity) : cannotTell(request);
  }

  function cannotTell(request: ServerRequest): HttpAnswer {
    return refuse(request, 'not_ready', 'Authentication is temporarily unavailable.', { retryAfterMs: 1000, denied: 'unauthenticated' });
  }

  /** The header may repeat the tenant of the credential, and nothing else. */
  function checkTenant(request: ServerRequest, identity: Identity): Identity | HttpAnswer {
    const claimed = request.head.header('x-tenant-id')?.trim();
    if (claimed === undefined || claimed === '' || claimed.toLowerCase() === identity.tenantId.toLowerCase()) return identity;
    return refuse(request, 'forbidden', 'X-Tenant-ID names another tenant than the credential.', { denied: 'tenant', identity });
  }
}

/** Without authentication the tenant is what the header says; reading the context refuses a header that names no tenant. */
function identifyLocal(request: ServerRequest): Identity {
  const tenant = request.head.header('x-tenant-id')?.trim();
  if (tenant === undefined || !uuid.test(tenant)) return local;
  const tenantId = tenant.toLowerCase();
  const seen = localSeen.get(tenantId);
  if (seen !== undefined) return seen;
  const identity = Object.freeze({ ...local, tenantId });
  if (localSeen.size < 256) localSeen.set(tenantId, identity);
  return identity;
}

function toAuthRequest({ method, path, search, header }: RequestHead): AuthRequest {
  return { method, url: `${path}${search}`, headers: { get: (name) => header(name.toLowerCase()) ?? null } };
}

function isSound({ tenantId, scopes }: Partial<Identity>): boolean {
  return typeof tenantId === 'string' && tenantId !== '' && (scopes === undefined || Array.isArray(scopes));
}
