import { noTenant } from '../../core/contract/index.ts';
import type { Answer, Asked } from './asked.ts';
import type { ServerSettings } from './check-options.ts';
import type { AuthRequest, Identity } from './identity.ts';
import type { Refuse } from './refusal.ts';
import { createRequestLimits } from './request-limits.ts';

/** Tells who asks, or refuses. */
export type Identify = (asked: Asked) => Identity | Answer | Promise<Identity | Answer>;

/** Whoever reaches a server without authentication sits at the same machine, and owns it. */
const local: Identity = Object.freeze({ tenantId: noTenant, scopes: Object.freeze(['*']) });
const localSeen = new Map<string, Identity>();
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Makes what tells who asks, and counts how often. */
export function createIdentify(settings: ServerSettings, refuse: Refuse): Identify {
  const { authenticators } = settings;
  const limits = settings.limits && createRequestLimits(settings.limits, refuse);
  if (authenticators.length === 0) {
    return limits === undefined ? identifyLocal : (asked) => limits(asked, identifyLocal(asked));
  }
  return async (asked) => {
    const identity = await authenticate(asked);
    return 'body' in identity || limits === undefined ? identity : limits(asked, identity);
  };

  async function authenticate(asked: Asked): Promise<Identity | Answer> {
    const request = toAuthRequest(asked);
    let failed = false;
    for (const one of authenticators) {
      try {
        const identity = await one(request);
        if (identity !== undefined) return isSound(identity) ? checkTenant(asked, identity) : cannotTell(asked);
      } catch {
        failed = true;
      }
    }
    if (failed) return cannotTell(asked);
    const headers = { 'www-authenticate': 'Bearer' };
    return refuse(asked, 'unauthenticated', 'A valid credential is needed.', { denied: 'unauthenticated', headers });
  }

  function cannotTell(asked: Asked): Answer {
    return refuse(asked, 'not_ready', 'Nobody can tell now who sent this request.', { retryAfterMs: 1000, denied: 'unauthenticated' });
  }

  /** The header may repeat the tenant of the credential, and nothing else. */
  function checkTenant(asked: Asked, identity: Identity): Identity | Answer {
    const claimed = asked.header('x-tenant-id')?.trim();
    if (claimed === undefined || claimed === '' || claimed.toLowerCase() === identity.tenantId.toLowerCase()) return identity;
    return refuse(asked, 'forbidden', 'X-Tenant-ID names another tenant than the credential.', { denied: 'tenant', identity });
  }
}

/** Without authentication the tenant is what the header says; whether that is a tenant at all, reading the context tells. */
function identifyLocal(asked: Asked): Identity {
  const tenant = asked.header('x-tenant-id')?.trim();
  if (tenant === undefined || !uuid.test(tenant)) return local;
  const tenantId = tenant.toLowerCase();
  const seen = localSeen.get(tenantId);
  if (seen !== undefined) return seen;
  const identity = Object.freeze({ ...local, tenantId });
  if (localSeen.size < 256) localSeen.set(tenantId, identity);
  return identity;
}

function toAuthRequest({ method, path, search, header }: Asked): AuthRequest {
  return { method, url: `${path}${search}`, headers: { get: (name) => header(name.toLowerCase()) ?? null } };
}

function isSound({ tenantId, scopes }: Partial<Identity>): boolean {
  return typeof tenantId === 'string' && tenantId !== '' && (scopes === undefined || Array.isArray(scopes));
}
