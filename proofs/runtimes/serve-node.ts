import { listen } from '@toolpact/server/node';
import { server } from './tools.ts';

console.log((await listen(server, { port: 0 })).url);
