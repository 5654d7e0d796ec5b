import { mayCall } from '../auth/identity.ts';
import { credentialHeaders } from '../openapi/describe-security.ts';
import { toHeader } from '../request/encode-outcome.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route } from '../request/route.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerState } from '../request/server-state.ts';

interface Described {
  /** The request headers that carry credentials. */
  readonly credentials: readonly string[];
  /** Documents by the names of the tools in them. */
  readonly documents: Map<string, string>;
}

/** The documents that were written so far, by server. */
const described = new WeakMap<ServerState, Described>();
const maxDocuments = 32;

/** The route of the description of the server, which names the tools its reader may call. */
export const openApiRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/openapi.json',
    option: 'openapi',
    run({ head, identity }, server) {
      const names = server.toolbox.tools.flatMap(({ name }) => (mayCall(identity, name) ? name : []));
      const { credentials, documents } = describedOf(server);
      const key = names.join(' ');
      let document = documents.get(key);
      if (document === undefined) {
        const allowed = new Set(names);
        document = JSON.stringify(server.describe({ credentialHeaders: credentials, only: (name) => allowed.has(name) }));
        if (documents.size >= maxDocuments) documents.clear();
        documents.set(key, document);
      }
      const headers = { ...securityHeaders, 'x-trace-id': toHeader(traceOf(head)), 'content-type': 'application/json' };
      return { status: 200, headers, body: document };
    },
  },
];

function describedOf(server: ServerState): Described {
  const known = described.get(server);
  if (known !== undefined) return known;
  const made = { credentials: credentialHeaders(server.settings.authenticators), documents: new Map<string, string>() };
  described.set(server, made);
  return made;
}
