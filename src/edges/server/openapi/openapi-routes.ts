import type { Hono } from 'hono';
import { mayCall } from '../auth/identity.ts';
import type { Gate } from '../request/gate.ts';
import type { ServerParts } from '../server-options.ts';
import { createDocsPage } from './docs-page.ts';
import { credentialHeaders } from './security.ts';
import { toOpenApi } from './to-open-api.ts';

/** Adds the description of the server and the page that shows it. The description names the tools its reader may call; the page itself names none. */
export function addOpenApiRoutes(app: Hono, parts: ServerParts, { settings }: Gate): void {
  if (parts.options.openapi === false) return;
  const documents = new Map<string, string>();
  let headers: readonly string[] | undefined;
  const readHeaders = (): readonly string[] => {
    headers ??= credentialHeaders(settings.authenticators);
    return headers;
  };

  app.get('/openapi.json', async ({ req }) => {
    const identity = await parts.identify(req.raw);
    if (identity instanceof Response) return identity;
    const names = parts.toolbox.tools.flatMap(({ name }) => (mayCall(identity, name) ? name : []));
    const key = names.join(' ');
    let document = documents.get(key);
    if (document === undefined) {
      const allowed = new Set(names);
      document = JSON.stringify(toOpenApi(parts.toolbox, { credentialHeaders: readHeaders(), only: (name) => allowed.has(name) }));
      if (documents.size >= 32) documents.clear();
      documents.set(key, document);
    }
    return new Response(document, { headers: { 'content-type': 'application/json' } });
  });

  // The address alone is what people open first.
  app.get('/', () => new Response(null, { status: 302, headers: { location: 'docs' } }));

  app.get('/docs', () => {
    const [first] = [...readHeaders()].sort((a, b) => Number(b === 'authorization') - Number(a === 'authorization'));
    const { html, policy } = createDocsPage(first);
    return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } });
  });
}
