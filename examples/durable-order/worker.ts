// The process that dies: a worker that Restate calls.
import http2 from 'node:http2';
import { restateEndpoint } from 'toolpact/engines/restate';
import { createOrders } from './toolbox.ts';

const [ingress = '', port] = process.argv.slice(2);
const server = http2.createServer(restateEndpoint(createOrders(ingress), { log: () => undefined }));
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
