import { mayCall } from '../auth/identity.ts';
import { credentialHeaders } from '../openapi/describe-security.ts';
import { createDocsPage } from '../openapi/docs-page.ts';
import { toHeader } from '../request/encode-outcome.ts';
import type { HttpAnswer } from '../request/http-answer.ts';
import { leadToPage } from '../request/lead-to-page.ts';
import { traceOf } from '../request/refusal.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { Route } from '../request/route.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerState } from '../request/server-state.ts';

interface Described {
  readonly headers: readonly string[];
  /** Documents by the names of the tools in them. */
  readonly documents: Map<string, string>;
}

/** The documents that were written so far, by server. */
const described = new WeakMap<ServerState, Described>();
const maxDocuments = 32;

/** The routes of the description of the server and of the page that shows it. The description names the tools its reader may call; the page names none. */
export const openApiRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/openapi.json',
    option: 'openapi',
    run({ head, identity }, server) {
      const names = server.toolbox.tools.flatMap(({ name }) => (mayCall(identity, name) ? name : []));
      const { headers, documents } = describedOf(server);
      const key = names.join(' ');
      let document = documents.get(key);
      if (document === undefined) {
        const allowed = new Set(names);
        document = JSON.stringify(server.describe({ credentialHeaders: headers, only: (name) => allowed.has(name) }));
        if (documents.size >= maxDocuments) documents.clear();
        documents.set(key, document);
      }
      return answerWith(head, document, { 'content-type': 'application/json' });
    },
  },
  {
    // The address alone is what people open first.
    method: 'GET',
    path: '/',
    scope: 'open',
    option: 'openapi',
    run: ({ head }) => leadToPage(head, 'docs'),
  },
  {
    method: 'GET',
    path: '/docs',
    scope: 'open',
    option: 'openapi',
    run({ head }, server) {
      const [first] = describedOf(server).headers.toSorted((a, b) => Number(b === 'authorization') - Number(a === 'authorization'));
      const { html, policy } = createDocsPage(first, server.settings.inspector?.files !== undefined);
      return answerWith(head, html, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    },
  },
];

function describedOf(server: ServerState): Described {
  const known = described.get(server);
  if (known !== undefined) return known;
  const made = { headers: credentialHeaders(server.settings.authenticators), documents: new Map<string, string>() };
  described.set(server, made);
  return made;
}

function answerWith(head: RequestHead, body: string, headers: Readonly<Record<string, string>>): HttpAnswer {
  return { status: 200, headers: { ...securityHeaders, 'x-trace-id': toHeader(traceOf(head)), ...headers }, body };
}
