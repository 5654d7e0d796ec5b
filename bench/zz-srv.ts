import { createServer as http } from 'node:http';
import { z } from 'zod';
import { createToolbox, defineTool } from '../src/core/runtime/index.ts';
import { createServer } from '../src/edges/server/index.ts';
import { listen } from '../src/edges/server/node.ts';
const input = z.object({ a: z.number(), b: z.number() }); const output = z.object({ sum: z.number() });
const [, , mode, port] = process.argv;
const fat = Object.entries({'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'toolpact-dialect':'outcome', 'x-trace-id':'b99e0d37e29f88a7c9ac000000000001','x-invocation-id':'01a1dfae-cb22-7566-83d6-000000000000'}).flat();
if (mode === 'const' || mode === 'parse' || mode === 'call' || mode === 'lib') {
  const { createNodeListener } = await import('../src/edges/server/node-listener.ts');
  const { createInFlight } = await import('../src/edges/server/in-flight.ts');
  const { parseJson } = await import('../src/edges/server/read-json.ts');
  const add = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: ({ a, b }) => ({ sum: a + b }) });
  const toolbox = createToolbox([add]);
  const body = '{"status":"ok","data":{"sum":3},"input":{"a":1,"b":2},"meta":{"tool":"add","invocationId":"01a1dfae-cb22-7566-83d6-000000000000","traceId":"b99e0d37e29f88a7c9ac000000000001","tookMs":2.84,"attempts":1,"tenantId":"00000000-0000-0000-0000-000000000000"}}';
  const hs: Record<string,string> = { 'content-type': 'application/json' }; for (let i = 0; i < fat.length; i += 2) hs[fat[i] as string] = fat[i + 1] as string;
  const answer = async (_: unknown, bytes: Uint8Array) => { 
    if (mode === 'parse') input.parse((parseJson(bytes, { maxDepth: 64, maxBodyBytes: 1e6 }) as { value: unknown }).value);
    if (mode === 'call') await toolbox.answer({ name: 'add', args: (parseJson(bytes, { maxDepth: 64, maxBodyBytes: 1e6 }) as { value: unknown }).value }, { tenantId: 'x' });
    return { status: 200, headers: hs, body }; };
  const { onRequest, onConnection } = createNodeListener({ fetch: async () => new Response(''), '~direct': { maxBodyBytes: 1e6, inFlight: createInFlight(), find: () => ({ matches: () => true, answer }) } } as never, true);
  const h = http({ connectionsCheckingInterval: 1000 }, onRequest); h.on('connection', onConnection); h.listen(Number(port), '127.0.0.1', () => console.log('up'));
} else if (mode !== 'fast' && mode !== 'key') {
  http((req, res) => { const chunks: Buffer[] = []; req.on('data', (c) => chunks.push(c)); req.on('end', () => {
    const args = input.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))); let body = JSON.stringify(output.parse({ sum: args.a + args.b }));
    if (mode === 'fat') body = '{"status":"ok","data":{"sum":3},"input":{"a":1,"b":2},"meta":{"tool":"add","invocationId":"01a1dfae-cb22-7566-83d6-000000000000","traceId":"b99e0d37e29f88a7c9ac000000000001","tookMs":2.84,"attempts":1,"tenantId":"00000000-0000-0000-0000-000000000000"}}';
    if (mode === 'fat') res.writeHead(200, ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(body)), ...fat]); else
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }); res.end(body); }); }).listen(Number(port), '127.0.0.1', () => console.log('up'));
} else {
const add = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: ({ a, b }) => ({ sum: a + b }) });
const { apiKeys, hashApiKey } = await import('../src/edges/server/index.ts'); await listen(createServer(createToolbox([add]), mode === 'key' ? { auth: apiKeys([{ hash: hashApiKey('tpk_0123456789abcdef0123456789abcdef'), tenantId: 'acme', scopes: ['tools:call:add'] }]) } : {}), { port: Number(port) }); console.log('up');
}
process.on('SIGUSR2', () => { const c = process.cpuUsage(); console.log(mode, 'user', c.user / 1000, 'sys', c.system / 1000); });
process.on('SIGTERM', () => process.exit(0));
