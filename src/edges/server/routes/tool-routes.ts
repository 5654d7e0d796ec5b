import type { Hono } from 'hono';
import type { ListedTool } from '../../../core/runtime/index.ts';
import { type Identity, mayCall } from '../auth/identity.ts';
import { toolNameOf } from '../request/make-call.ts';
import type { ServedToolbox, ServerParts } from '../server-options.ts';

const usualPage = 100;
const mostPage = 1_000;

/** Adds the routes that tell which tools there are. A caller is told of those it may call. */
export function addToolRoutes(app: Hono, parts: ServerParts): void {
  app.get('/v1/tools', async ({ req }) => {
    const identity = await parts.identify(req.raw);
    if (identity instanceof Response) return identity;
    const offset = readCount(req.query('offset'), 0, 0);
    const limit = readCount(req.query('limit'), usualPage, 1);
    if (offset === undefined || limit === undefined) {
      return parts.refuse(req.raw, 'invalid_input', 'offset must be a whole number from 0, limit one from 1.');
    }
    const allowed = listFor(parts.toolbox, identity);
    const end = offset + Math.min(limit, mostPage);
    return parts.json(req.raw, {
      tools: allowed.slice(offset, end),
      total: allowed.length,
      offset,
      ...(end < allowed.length && { next: end }),
    });
  });
  app.get('/v1/tools/:name/schema', async ({ req }) => {
    const identity = await parts.identify(req.raw);
    if (identity instanceof Response) return identity;
    const asked = toolNameOf(req.path.slice(0, req.path.lastIndexOf('/')));
    const name = parts.permit(req.raw, identity, asked);
    if (name instanceof Response) return name;
    const listed = name === undefined ? undefined : parts.toolbox.list().find((tool) => tool.name === name);
    // The toolbox knows the nearest names; asking it to make a call would be one.
    if (listed === undefined) return parts.refuse(req.raw, 'unknown_tool', `There is no tool named ${JSON.stringify(asked.slice(0, 64))}.`);
    return parts.json(req.raw, listed);
  });
}

function listFor(toolbox: ServedToolbox, identity: Identity): ListedTool[] {
  return toolbox.list().filter(({ name }) => mayCall(identity, name));
}

/** Reads a count off a query; undefined when it is none. */
export function readCount(given: string | undefined, usual: number, least: number): number | undefined {
  if (given === undefined || given === '') return usual;
  const count = Number(given);
  return /^\d{1,9}$/.test(given) && count >= least ? count : undefined;
}
