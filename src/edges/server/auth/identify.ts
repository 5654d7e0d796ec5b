import { noTenant } from '../../../core/contract/index.ts';
import type { ServerSettings } from '../check-options.ts';
import type { Refuse } from '../request/refusal.ts';
import type { Answer, Asked } from '../request/request-head.ts';
import type { AuthRequest, Identity } from './identity.ts';
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
  const counted = (asked: Asked, who: Identity | Answer): Identity | Answer | Promise<Identity | Answer> =>
    'body' in who || limits === undefined ? who : limits(asked, who);
  return (asked) => {
    const who = authenticate(asked, toAuthRequest(asked), 0, false);
    return who instanceof Promise ? who.then((known) => counted(asked, known)) : counted(asked, who);
  };

  /** Asks one after the other, and waits only for those who have to look something up. */
  function authenticate(asked: Asked, request: AuthRequest, from: number, failed: boolean): Identity | Answer | Promise<Identity | Answer> {
    let isFailed = failed;
    for (let at = from; at < authenticators.length; at += 1) {
      try {
        const found = authenticators[at]?.(request);
        if (found instanceof Promise) {
          return found.then(
            (identity) => (identity === undefined ? authenticate(asked, request, at + 1, isFailed) : accept(asked, identity)),
            () => authenticate(asked, request, at + 1, true),
          );
        }
        if (found !== undefined) return accept(asked, found);
      } catch {
        isFailed = true;
      }
    }
    if (isFailed) return cannotTell(asked);
    const headers = { 'www-authenticate': 'Bearer' };
    return refuse(asked, 'unauthenticated', 'A valid credential is needed.', { denied: 'unauthenticated', headers });
  }

  function accept(asked: Asked, identity: Identity): Identity | Answer {
    return isSound(identity) ? checkTenant(asked, identity) : cannotTell(asked);
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
