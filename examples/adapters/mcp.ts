import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { fromJsonSchema } from '@toolpact/openapi';
import { createToolbox, defineTool, toModelText } from 'toolpact';
import { fromMcp, toMcpServer } from 'toolpact/adapters/mcp';
import { z } from 'zod';

// A toolbox as an MCP server, and the tools of an MCP server as a toolbox. In between lies the real protocol, here in memory.

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  output: z.object({ celsius: z.number() }),
  effects: 'none',
  run: ({ city }, { fail, progress }) => {
    progress('Looking out of the window');
    return city === 'Atlantis' ? fail('not_found', 'There is no city named Atlantis.') : { celsius: 21 };
  },
});
const server = toMcpServer(createToolbox([forecast], { report: () => undefined }), {
  server: new Server({ name: 'weather', version: '1.0.0' }),
});
const client = new Client({ name: 'agent', version: '1.0.0' });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);

// Any client gets results that its model can read, also where the protocol would answer with an error of its own.
const refused = await client.callTool({ name: 'weather_forecats', arguments: {} });
assert.equal(refused.isError, true);
assert.match(JSON.stringify(refused.content), /Did you mean/);

// A Toolpact client gets the whole outcome back. Arguments are checked before they are sent.
const toolbox = createToolbox(await fromMcp(client, { prefix: 'remote', schema: fromJsonSchema }), { report: () => undefined });
const outcome = await toolbox.answer({ name: 'remote:weather_forecast', args: { city: 'Atlantis' } });
assert.equal(outcome.status === 'error' && outcome.error.kind, 'not_found');
assert.equal((await toolbox.answer({ name: 'remote:weather_forecast', args: { city: 'Oslo' } })).status, 'ok');
console.log(toModelText(outcome));
await client.close();
