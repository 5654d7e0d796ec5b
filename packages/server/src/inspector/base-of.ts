import type { RequestHead } from '../request/request-head.ts';
import { readQuery } from '../routes/read-query.ts';

/** Returns the address of the server as its caller knows it, with a slash at the end: what `base` says, or else the host of the request. */
export function baseOf(head: RequestHead): string {
  const given = URL.parse(readQuery(head, 'base') ?? '');
  if (given !== null && /^https?:$/.test(given.protocol)) return `${given.origin}${given.pathname.replace(/\/*$/, '/')}`;
  return `http://${head.header('host') ?? '127.0.0.1'}/`;
}
