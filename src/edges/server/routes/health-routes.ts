import type { Hono } from 'hono';
import { hasScope } from '../auth/identity.ts';
import type { ServerParts } from '../server-options.ts';
import { readyFacts } from './session-routes.ts';

/**
 * Adds what tells whether the process lives and whether it takes calls. These say nothing about tools or callers, so everybody may ask; `/ready`
 * has numbers too, which count all tenants together, for those who look after them.
 */
export function addHealthRoutes(app: Hono, parts: ServerParts): void {
  app.get('/healthz', ({ req }) => parts.json(req.raw, { status: 'ok' }));
  app.get('/readyz', async ({ req }) => {
    const told = await tellReadiness(parts);
    return parts.json(req.raw, told, told.status === 'ready' ? 200 : 503);
  });
  app.get('/ready', async ({ req }) => {
    const identity = await parts.identify(req.raw);
    if (identity instanceof Response) return identity;
    const told = await tellReadiness(parts);
    return parts.json(
      req.raw,
      { ...told, ...(hasScope(identity, 'sessions:admin') && readyFacts(parts.toolbox)) },
      told.status === 'ready' ? 200 : 503,
    );
  });
}

interface Readiness {
  readonly status: 'ready' | 'draining' | 'not_ready';
  readonly reasons?: readonly string[];
}

async function tellReadiness({ inFlight, readiness }: ServerParts): Promise<Readiness> {
  if (inFlight.draining) return { status: 'draining' };
  const asked = await Promise.all(readiness.map(async (check) => check()).map((one) => one.catch(() => 'a check failed')));
  const reasons = asked.filter((reason) => reason !== undefined);
  return reasons.length === 0 ? { status: 'ready' } : { status: 'not_ready', reasons };
}
