import type { HttpAnswer } from '../request/http-answer.ts';
import type { Route } from '../request/route.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerState } from '../request/server-state.ts';
import { leadToPage, redirect } from './lead-to-page.ts';

/** Content security policy of the page: its own files and server, nothing inline and nothing from elsewhere. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = { method: 'GET', scope: 'open', option: 'inspector' } as const;

/**
 * The routes of the inspector page. They hold nothing about tools or calls, so they are open. The page has one address, `inspector/`, so that
 * it finds the rest of the server under every prefix.
 */
export const pageRoutes: readonly Route[] = [
  { ...page, path: '/', run: ({ head }) => leadToPage(head) },
  // Where people and tools look for the description of an API.
  { ...page, path: '/docs', run: () => redirect('inspector/#/tools') },
  { ...page, path: '/inspector', run: () => redirect('inspector/') },
  { ...page, path: '/inspector/', run: (request, server) => sendFile(server, 'index.html') ?? refuseFile(server, request) },
  {
    ...page,
    path: '/inspector/assets/{file}',
    run: (request, server) => sendFile(server, `assets/${request.param}`) ?? refuseFile(server, request),
  },
  { ...page, path: '/inspector/{file}', run: (request, server) => sendFile(server, request.param) ?? refuseFile(server, request) },
];

/** The name of an asset changes with its content, so browsers may keep it. */
function sendFile({ settings }: ServerState, path: string): HttpAnswer | undefined {
  const file = settings.inspector?.files?.get(path);
  if (file === undefined) return undefined;
  const kept = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { ...securityHeaders, 'cache-control': kept, 'content-security-policy': pagePolicy, 'content-type': file.type };
  return { status: 200, headers, body: file.text };
}

function refuseFile(server: ServerState, request: Parameters<ServerState['refuse']>[0]): HttpAnswer {
  return server.refuse(request, 'not_found', 'There is nothing at this path.');
}
