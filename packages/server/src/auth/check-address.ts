import { isLoopbackName } from '../check-options.ts';
import type { HttpAnswer } from '../request/http-answer.ts';
import type { Refuse } from '../request/refusal.ts';
import type { ServerRequest } from '../request/server-request.ts';

/** Whom a server takes itself for, and whose pages may call it. */
export interface AddressRules {
  readonly hosts: readonly string[] | undefined;
  readonly origins: readonly string[] | undefined;
}

/** Refuses a request that names another host, or comes from a page of another origin; gives undefined for all others. */
export type CheckAddress = (request: ServerRequest) => HttpAnswer | undefined;

/** Probes address a process by any name that it was given; the answers contain no secret. */
const open: readonly string[] = ['/healthz', '/readyz'];

/**
 * Creates the check against pages that reach a server through a name of their own (DNS rebinding) or from another origin. A request without
 * an `Origin` comes from no page.
 */
export function createCheckAddress({ hosts, origins = [] }: AddressRules, refuse: Refuse): CheckAddress {
  const names = hosts?.map((host) => host.toLowerCase());
  const isOwn = (host: string): boolean =>
    names === undefined
      ? isLoopbackName(host)
      : names.includes('*') || names.includes(host) || names.includes(host.replace(/^\[|\]$/g, ''));
  return (request) => {
    const { head } = request;
    const host = head.header('host') ?? '';
    const name = hostName(host);
    if (name === undefined || !isOwn(name)) {
      if (open.includes(head.path)) return undefined;
      const advice = 'Use a name that the server knows, or add this one to the `hosts` of createServer.';
      const message = 'This server is not known under the host name of the request.';
      return refuse(request, 'forbidden', message, { status: 421, denied: 'host', advice });
    }
    const origin = head.header('origin');
    if (origin === undefined || origins.includes(origin) || isSameOrigin(origin, host)) return undefined;
    const advice = 'Add the origin of the page to the `origins` of createServer.';
    return refuse(request, 'forbidden', 'Pages of this origin may not call this server.', { denied: 'origin', advice });
  };
}

/** Returns the host of a `Host` header in lower case, without its port. */
function hostName(header: string): string | undefined {
  const match = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i.exec(header);
  return match?.[1]?.toLowerCase();
}

/** Checks whether a page comes from the server it calls. Some proxies add the port that a scheme has anyway; all names of the loopback are one. */
function isSameOrigin(origin: string, host: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !URL.canParse(`${url.protocol}//${host}`)) return false;
  const called = new URL(`${url.protocol}//${host}`);
  return url.host === called.host || (isLoopbackName(url.hostname) && isLoopbackName(called.hostname) && url.port === called.port);
}
