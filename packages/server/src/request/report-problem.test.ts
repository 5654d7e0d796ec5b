import type { ToolpactEvent } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Identity } from '../auth/identity.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

/** A server and the problems that its operator hears of. */
function setUp(options: ServerOptions) {
  const look = defineTool({ name: 'look', description: 'Looks.', effects: 'none', run: () => 'seen' });
  const toolbox = createToolbox([look]);
  const problems: ToolpactEvent[] = [];
  toolbox.subscribe((event) => void (event.type === 'problem' && problems.push(event)));
  const server = createServer(toolbox, { auditLog: false, ...options });
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await server.fetch(new Request(`http://localhost${path}`, init));
    return { status: response.status, text: await response.text() };
  };
  const debugIds = () => problems.map((problem) => (problem.type === 'problem' ? problem.debugId : undefined));
  return { send, problems, debugIds };
}

test.each<[string, () => unknown, string]>([
  [
    'throws',
    () => {
      throw new TypeError('cannot read users.json');
    },
    'cannot read users.json',
  ],
  ['rejects', () => Promise.reject(new TypeError('cannot read users.json')), 'cannot read users.json'],
  ['gives no tenant', () => ({ subject: 'ann' }), 'it must give a tenantId'],
])('an authenticator that %s is a problem that the operator finds by the id in the refusal', async (_, auth, message) => {
  const { send, problems, debugIds } = setUp({ auth: auth as () => Identity });
  const { status, text } = await send('/v1/tools');
  expect([status, text]).toEqual([503, expect.stringContaining('Authentication is temporarily unavailable.')]);
  expect(problems).toMatchObject([{ where: 'an authenticator', message: expect.stringContaining(message) }]);
  expect(text).toContain(`"debugId":"${debugIds()[0]}"`);
  expect(text).not.toContain(message);
});

test.each([
  ['tools/list', {}],
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }],
])('so is a mistake in mcp.configure: %s', async (method, params) => {
  const configure = async () => {
    throw new Error('the prompts are missing');
  };
  const { send, problems, debugIds } = setUp({ mcp: { configure } });
  const { status, text } = await send('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  });
  const problem = { where: 'mcp.configure', message: 'the prompts are missing' };
  // Once when the server is made, and once for the request.
  expect(problems).toMatchObject([problem, problem]);
  const error = { code: -32603, message: 'Internal server error', data: { debugId: debugIds()[1] } };
  expect([status, JSON.parse(text)]).toEqual([500, { jsonrpc: '2.0', id: 7, error }]);
});

test('and so is a route that fails', async () => {
  const { send, problems, debugIds } = setUp({ auth: () => ({ tenantId: 'acme', scopes: [7] }) as unknown as Identity });
  const { status, text } = await send('/v1/tools');
  expect([status, text]).toEqual([500, expect.stringContaining(`"debugId":"${debugIds()[0]}"`)]);
  expect(problems).toMatchObject([{ where: 'the route GET /v1/tools', message: expect.stringContaining('startsWith') }]);
});
