// The process that dies. On a store it makes the call itself; on Restate it is a worker that Restate calls.
import http2 from 'node:http2';
import { restateEndpoint } from '@toolpact/restate';
import { toolboxes } from './toolbox.ts';

const [engine, address = '', port] = process.argv.slice(2);
if (engine === 'restate') {
  const server = http2.createServer(restateEndpoint(toolboxes.restate(address), { log: () => undefined }));
  server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
} else {
  const toolbox = engine === 'postgres' ? toolboxes.postgres(address) : toolboxes.sqlite(address);
  console.log(JSON.stringify(await toolbox.call('order', { orderId: 'A-1', sku: 'tea' })));
  process.exit();
}
