import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preset } from '@toolpact/origins/coded';
import { createDocumentIndex, createSandbox, createSerper } from '@toolpact/origins/coded/tools';
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createResources, createToolbox } from 'toolpact';

// A tool server for agents that search, read and look things up, asked with plain JSON and answered as { code, message, data, meta }. The web of
// this story is one HTTP server on this machine: a search service, a site and a model. For the last part the search service breaks.

let broken = false;
async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const body = Buffer.concat(await request.toArray()).toString();
  const json = (value: unknown, status = 200): unknown =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/search')
    return broken
      ? json({ message: 'Internal error' }, 500)
      : json({ organic: [{ title: 'Railway museum', link: `${origin}/museum`, snippet: 'Opening hours', position: 1 }] });
  if (request.url === '/v1/chat/completions') {
    assert.match(body, /opens at ten/);
    return json({ choices: [{ index: 0, message: { role: 'assistant', content: 'It opens at ten.' }, finish_reason: 'stop' }] });
  }
  if (request.url !== '/museum') return response.writeHead(404).end();
  return response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(
      '<html><head><title>Railway museum</title></head><body><nav>Home</nav><p>The museum opens at ten, every day except Monday.</p></body></html>',
    );
}
const web = createHttpServer((request, response) => void respond(request, response));
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;

// Documents are put into one file: by this function, or by anybody else who opens it.
const folder = mkdtempSync(join(tmpdir(), 'toolpact-sandbox-'));
const path = join(folder, 'documents.db');
const index = createDocumentIndex({ path });
index.add([
  { id: 'returns', title: 'Returns', text: 'Goods can be returned within thirty days of delivery.' },
  { id: '保証', title: '保証について', text: '保証期間は購入日から二年間です。' },
]);
index.close();

const { tools, resources } = createSandbox({
  search: createSerper({ apiKey: 'key-of-the-story', baseUrl: origin }),
  visit: { allowHosts: ['127.0.0.1'] }, // without it only the public internet is visited
  model: { baseUrl: `${origin}/v1`, model: 'small' },
  documents: { path },
});
const toolbox = createToolbox(tools, { preset, resources: createResources(resources), report: () => undefined });
const server = await listen(createServer(toolbox), { port: 0 });

console.log('\nPOST /v1/execute with { action, params }:\n');
assert.equal(await execute('search', { query: 'railway museum' }), 0);
assert.equal(await execute('visit', { urls: [`${origin}/museum`], goal: 'When does it open?' }), 0);
assert.equal(await execute('rag:search', { query: 'How many days do I have to return something?' }), 0);
assert.equal(await execute('rag:batch_search', { queries: ['保証期間は何年ですか', 'quantum physics'] }), 5009);

console.log('\nWhat goes wrong has a number, and what was had is kept:\n');
assert.equal(await execute('rag:search', { query: 'quantum physics' }), 4005);
assert.equal(await execute('visit', { urls: [`${origin}/museum`, `${origin}/gone`] }), 5009);
assert.equal(await execute('visit', { urls: 'http://169.254.169.254/latest/meta-data/' }), 5006);
assert.equal(await execute('visit', { urls: 'no address' }), 4004);
assert.equal(await execute('search', {}), 4002);
broken = true;
assert.equal(await execute('search', { query: 'railway museum' }), 5002);
console.log();

await server.close();
web.close();
web.closeAllConnections();
rmSync(folder, { recursive: true });

async function execute(action: string, params: object): Promise<number> {
  const response = await fetch(`${server.url}/v1/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ worker_id: 'agent-7', action, params }),
  });
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: unknown };
  const short = (value: unknown): string => JSON.stringify(value)?.replaceAll(origin, 'http://…').slice(0, 150);
  console.log(`  ${action} ${short(params)}\n    ${code} ${message.split('\n')[0]?.slice(0, 120)}\n    ${short(data)}`);
  return code;
}
