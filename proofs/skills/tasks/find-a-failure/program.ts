// How the cause was found: with the tools of the operator endpoint.
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, toModelText } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { price as broken } from './broken.ts';
import { price } from './tools.ts';

const toolbox = createToolbox([broken], { store: memoryStore(), report: () => undefined });
const server = await listen(createServer(toolbox, { operator: true, inspector: { causes: true } }), { port: 0 });
async function ask(name: string, args: object): Promise<string> {
  const response = await fetch(`${server.url}/operator/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { result } = (await response.json()) as { result: { content: [{ text: string }] } };
  return result.content[0].text;
}

await toolbox.call('price', { article: 'lamp' });
await toolbox.call('price', { article: 'chair' });
const failed = await ask('list_calls', { status: 'error' });
const [id = ''] = failed.split(' ');
console.log(/price .*$/m.exec(failed)?.[0].replace(/\d+ ms/, '… ms'));
const why = await ask('why', { id });
console.log(/cause: .*/.exec(why)?.[0]);
console.log(/broken\.ts:\d+/.exec(why)?.[0]);
await server.close();

const fixed = createToolbox([price], { report: () => undefined });
for (const article of ['lamp', 'chair', 'sofa']) console.log(toModelText(await fixed.call('price', { article })).split('\n')[0]);
