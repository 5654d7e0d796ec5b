import { hash } from 'node:crypto';
import type { HttpAnswer } from '../request/http-answer.ts';
import type { RequestHead } from '../request/request-head.ts';
import { securityHeaders } from '../request/security-headers.ts';

/**
 * Leads from the address of the server to the page below it. Only a browser knows whether that address ends in a slash: where a framework such as
 * Hono cuts off the path of a mount, `/tools` and `/tools/` are the same here, and a relative redirect would leave the mount for one of them.
 */
export function leadToPage(head: Pick<RequestHead, 'header'>): HttpAnswer {
  if (head.header('accept')?.includes('text/html') !== true) return redirect('inspector/');
  const script = `location.replace(location.origin+location.pathname.replace(/\\/*$/,"/")+"inspector/")`;
  const policy = `default-src 'none'; script-src 'sha256-${hash('sha256', script, 'base64')}'; frame-ancestors 'none'`;
  const headers = { ...securityHeaders, 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' };
  const html = `<!doctype html><html lang="en"><title>Toolpact</title><a href="inspector/">inspector/</a><script>${script}</script></html>`;
  return { status: 200, headers, body: html };
}

/** A relative address, which is right behind a proxy too. */
export function redirect(location: string): HttpAnswer {
  return { status: 302, headers: { ...securityHeaders, location }, body: '' };
}
