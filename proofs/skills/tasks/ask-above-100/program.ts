import { apiKeys, createApiKey, createServer } from '@toolpact/server';
import { createClient } from '@toolpact/server/client';
import { listen } from '@toolpact/server/node';
import { createToolbox, toModelText } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { refund } from './tools.ts';

const toolbox = createToolbox([refund], { store: memoryStore() });
console.log((await toolbox.call('refund', { order: 'O-1', amount: 100 })).status);

// In code.
const asked = await toolbox.call('refund', { order: 'O-2', amount: 200 });
console.log(toModelText(asked).split(' (handle')[0]);
if (asked.status === 'pending') await toolbox.approvals.decide(asked.pending.handle, 'approve', { by: 'ann' });
console.log((await toolbox.call('refund', { order: 'O-2', amount: 200 })).status);

// Over HTTP: the key of the agent cannot decide, that of the person can.
const [agentKey, personKey] = [createApiKey(), createApiKey()];
const auth = apiKeys([
  { hash: agentKey.hash, tenantId: 'acme' },
  { hash: personKey.hash, tenantId: 'acme', scopes: ['approvals:decide'] },
]);
const server = await listen(createServer(toolbox, { auth }), { port: 0 });
const agent = createClient<typeof toolbox>(server.url, { apiKey: agentKey.key });
const pending = await agent.call('refund', { order: 'O-3', amount: 300 });
const handle = pending.status === 'pending' ? pending.pending.handle : '';
for (const { key } of [agentKey, personKey]) {
  const decided = await fetch(`${server.url}/v1/approvals/${handle}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ decision: 'approve', reason: 'The parcel was lost.' }),
  });
  console.log(decided.status);
}
console.log((await agent.call('refund', { order: 'O-3', amount: 300 })).status);
await server.close();
