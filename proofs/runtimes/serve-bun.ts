import { server } from './tools.ts';

declare const Bun: { readonly serve: (options: object) => { readonly port: number } };

const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: server.fetch });
console.log(`http://127.0.0.1:${port}`);
