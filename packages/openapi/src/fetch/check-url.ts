import { isIP } from 'node:net';
import { fail } from 'toolpact';
import { isPublicAddress } from './is-public-address.ts';

/** Which addresses may be asked. */
export interface UrlRules {
  /** Hosts, by name or IP address, that may be asked although they are not public, on any port. Meant for tests and for services of your own. */
  readonly allowHosts?: readonly string[] | undefined;
  /** @default [80, 443] */
  readonly ports?: readonly number[] | undefined;
}

/** A URL whose spelling is harmless; only the addresses of its host show whether the host is. */
export interface CheckedUrl {
  readonly url: URL;
  /** The host without brackets and without a dot at its end. */
  readonly host: string;
}

/** Names that never mean a host of the public internet. */
const innerNames = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;
const longest = 4096;

/**
 * Reads a URL that a model, or a page that leads on, supplied and throws a failure unless its spelling is harmless: http or https, no credentials, a port from the
 * list, no name of an inner network, no address that is not public. The parser has undone decimal, octal, hexadecimal and full-width spellings.
 */
export function checkUrl(given: string, rules: UrlRules, from: 'caller' | 'page' = 'caller'): CheckedUrl {
  const wrong = wrongUrl[from];
  const url = parse(given, wrong);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('only http and https URLs can be visited');
  if (url.username !== '' || url.password !== '') throw wrong('a URL with a user name or a password in it cannot be visited');
  const host = toHost(url.hostname);
  if (host === '') throw wrong('the URL has no host');
  if (isAllowed(host, rules)) return { url, host };
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  const { ports = [80, 443] } = rules;
  if (!ports.includes(port)) throw refused(`port ${port} is not among those that may be asked (${ports.join(', ')})`);
  if (isIP(host) === 0 ? !host.includes('.') || innerNames.test(host) : !isPublicAddress(host)) throw refused(notPublic);
  return { url, host };
}

/** Throws a failure unless all addresses of a host are public or the host is allowed: one that is not would be tried too. */
export function checkAddresses(host: string, addresses: readonly string[], rules: UrlRules): void {
  if (isAllowed(host, rules)) return;
  if (!addresses.every((address) => isPublicAddress(address) || isAllowed(address, rules))) throw refused(notPublic);
}

const notPublic = 'its host is not on the public internet';

function isAllowed(host: string, { allowHosts = [] }: UrlRules): boolean {
  return allowHosts.some((allowed) => toHost(allowed.toLowerCase()) === host);
}

function toHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function parse(given: string, wrong: (why: string) => Error): URL {
  if (given.length > longest) throw wrong(`a URL may have at most ${longest} characters`);
  // The parser would drop these silently, and a person who reads the URL would see another one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(given)) throw wrong('a URL cannot contain control characters');
  const url = URL.parse(given);
  if (url === null) throw wrong('it is not an absolute URL');
  return url;
}

/** A caller can correct the URL it gave, but not the one that a page redirects to. */
const wrongUrl = {
  caller: (why: string): Error => fail('invalid_input', `The URL cannot be used: ${why}.`, { code: 'invalid_url_format' }),
  page: (why: string): Error => fail('bad_response', `The page redirects to an address that cannot be used: ${why}.`),
};

function refused(why: string): Error {
  return fail('denied', `The URL was not visited: ${why}.`);
}
