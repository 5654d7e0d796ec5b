import { windowWaitMs, withTimeLimit } from 'toolpact/internal';
import { memoryStore } from 'toolpact/stores/memory';
import type { HttpAnswer } from '../request/http-answer.ts';
import type { Refuse } from '../request/refusal.ts';
import type { ServerRequest } from '../request/server-request.ts';
import type { RequestLimit, ServerOptions } from '../server-options.ts';
import type { Identity } from './identity.ts';

/** Counts a request for the one who sent it; gives the identity back, or the refusal of one request too many. */
export type RequestLimits = (request: ServerRequest, identity: Identity) => Promise<Identity | HttpAnswer>;

const storeTimeoutMs = 1_000;

/** Creates a counter of requests by credential and by tenant. While the store fails requests pass: a limit protects, it decides nothing. */
export function createRequestLimits(
  { perKey, perTenant, store = memoryStore() }: NonNullable<ServerOptions['limits']>,
  refuse: Refuse,
): RequestLimits {
  const rules: readonly { readonly rule: RequestLimit; readonly who: string; readonly key: (identity: Identity) => string }[] = [
    ...(perKey === undefined ? [] : [{ rule: perKey, who: 'credential', key: ownerOf }]),
    ...(perTenant === undefined ? [] : [{ rule: perTenant, who: 'tenant', key: () => 'requests' }]),
  ];
  return async (request, identity) => {
    for (const { rule, who, key } of rules) {
      const { limit, windowMs = 60_000 } = rule;
      const counted = await within(() => store.add({ space: 'request-rate', tenant: identity.tenantId, key: key(identity) }, 1, windowMs));
      const retryAfterMs = counted && windowWaitMs(counted, { limit, windowMs });
      if (retryAfterMs === undefined) continue;
      const message = `This ${who} may send ${limit} requests in ${windowMs / 1000} s; this one is too many.`;
      return refuse(request, 'rate_limited', message, { retryAfterMs, denied: 'rate_limited', identity });
    }
    return identity;
  };
}

function ownerOf({ keyId, subject }: Identity): string {
  return keyId === undefined ? `subject:${subject ?? ''}` : `key:${keyId}`;
}

async function within<TValue>(ask: () => Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await withTimeLimit(ask(), { ms: storeTimeoutMs, onLate: () => undefined });
  } catch {
    return undefined;
  }
}
