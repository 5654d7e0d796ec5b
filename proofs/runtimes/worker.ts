import type { ToolServer } from '@toolpact/server';
import { checks, runChecks } from './inside.ts';
import { server } from './tools.ts';

const worker = {
  fetch: async (...[request, env, platform]: Parameters<ToolServer['fetch']>): Promise<Response> =>
    new URL(request.url).pathname === '/checks' ? Response.json(await runChecks(checks)) : server.fetch(request, env, platform),
};

export { worker as default };
