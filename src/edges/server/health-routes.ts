import type { Hono } from 'hono';
import type { ServerParts } from './server-parts.ts';

/** Adds what tells whether the process lives and whether it takes calls. These say nothing about tools or callers, so everybody may ask. */
export function addHealthRoutes(app: Hono, parts: ServerParts): void {
  app.get('/healthz', ({ req }) => parts.json(req.raw, { status: 'ok' }));
  app.get('/readyz', async ({ req }) => {
    if (parts.inFlight.draining) return parts.json(req.raw, { status: 'draining' }, 503);
    const asked = await Promise.all(parts.readiness.map(async (check) => check()).map((one) => one.catch(() => 'a check failed')));
    const reasons = asked.filter((reason) => reason !== undefined);
    return reasons.length === 0 ? parts.json(req.raw, { status: 'ready' }) : parts.json(req.raw, { status: 'not_ready', reasons }, 503);
  });
}
