import { sqliteStore } from 'toolpact/stores/sqlite';
import { checks, payTwice, runChecks } from './inside.ts';
import { server } from './tools.ts';

const all = { ...checks, 'SQLite store': () => payTwice(sqliteStore('calls.db')) };

const answer = async (request: Request): Promise<Response> => {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/^\/tools/, '');
  return url.pathname === '/checks' ? Response.json(await runChecks(all)) : server.fetch(new Request(url, request));
};

export { answer as DELETE, answer as GET, answer as OPTIONS, answer as POST };
