import { server } from './tools.ts';

declare const Deno: { readonly serve: (options: object, fetch: unknown) => { readonly addr: { readonly port: number } } };

const { addr } = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => undefined }, server.fetch);
console.log(`http://127.0.0.1:${addr.port}`);
