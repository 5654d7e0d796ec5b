import type { Upstream } from '../failure.ts';
import type { Redactor } from '../redact.ts';
import type { Evidence } from './gather-evidence.ts';
import { peek, peekString } from './peek.ts';
import { readHeader } from './read-header.ts';

/** Finds the address that was called, without query or credentials. */
export function findEndpoint({ visited, ownText }: Evidence, redactor: Redactor): string | undefined {
  for (const node of visited) {
    for (const holder of [node, ...requestKeys.map((key) => peek(node, key))]) {
      const url = typeof holder === 'object' && holder !== null ? readUrl(holder) : undefined;
      const endpoint = url === undefined ? undefined : redactor.endpoint(url);
      if (endpoint !== undefined) return endpoint;
    }
  }
  const quoted = quotedUrl.exec(ownText?.slice(0, 1000) ?? '');
  return quoted === null ? undefined : redactor.endpoint(quoted[1] as string);
}

/** Finds the host that a connection was meant for, where only the socket's error names it. */
export function findHost({ visited }: Evidence): string | undefined {
  for (const node of visited) {
    const host = peekString(node, 'hostname') ?? peekString(node, 'address') ?? peekString(node, 'host');
    const port = peek(node, 'port');
    if (host !== undefined && /^[\w.:-]{1,253}$/.test(host)) return typeof port === 'number' ? `${host}:${port}` : host;
  }
  return undefined;
}

/** Collects the headers of every response in the evidence. */
export function findHeaders({ visited }: Evidence): object[] {
  const found: object[] = [];
  for (const node of visited) {
    for (const key of headerKeys) {
      const headers = peek(node, key);
      if (typeof headers === 'object' && headers !== null) found.push(headers);
    }
  }
  return found;
}

/** Describes the other side as it showed itself; undefined when it never answered. */
export function readUpstream(evidence: Evidence, headers: readonly object[], endpoint: string | undefined, redactor: Redactor): Upstream | undefined {
  const { status, responded } = evidence;
  if (status === undefined && !responded) return undefined;
  const requestId = findRequestId(evidence, headers);
  return {
    ...(status !== undefined && { status }),
    ...(endpoint !== undefined && { endpoint }),
    ...(requestId !== undefined && { requestId: redactor.text(requestId) }),
  };
}

const requestKeys = ['config', 'request', 'options', 'req'];
const urlKeys = ['url', 'requestUrl', 'responseURL', 'uri', 'href'];
const headerKeys = ['headers', 'responseHeaders', 'rawHeaders', 'metadata'];
const requestIdNames =
  'x-request-id request-id x-amzn-requestid x-amz-request-id x-ms-request-id x-github-request-id apim-request-id x-correlation-id cf-ray'.split(' ');
const requestIdKeys = ['requestId', 'request_id', 'requestID', 'RequestId', 'correlationId', 'activityId'];
// A link to the manual is no endpoint: only an address that something was sent to counts.
const quotedUrl = /\b(?:to|from|calling|fetch|GET|POST|PUT|PATCH|DELETE) ["'`]?(https?:\/\/[^\s"'`<>)]+)/;

function readUrl(holder: object): string | undefined {
  for (const key of urlKeys) {
    const found = peek(holder, key);
    const url = typeof found === 'object' && found !== null ? peekString(found, 'href') : found;
    if (typeof url !== 'string' || url === '') continue;
    if (/^\w+:\/\//.test(url)) return url;
    const base = peekString(holder, 'baseURL');
    if (base !== undefined) return `${base.replace(/\/$/, '')}/${url.replace(/^\//, '')}`;
  }
  const host = peekString(holder, 'host');
  const path = peekString(holder, 'path');
  return host !== undefined && path?.startsWith('/') === true ? `${peekString(holder, 'protocol') ?? 'https:'}//${host}${path}` : undefined;
}

function findRequestId({ visited }: Evidence, headers: readonly object[]): string | undefined {
  for (const source of headers) {
    for (const name of requestIdNames) {
      const id = readHeader(source, name);
      if (id !== undefined) return id.slice(0, 128);
    }
  }
  for (const node of visited) {
    for (const key of requestIdKeys) {
      const id = peekString(node, key);
      if (id !== undefined) return id.slice(0, 128);
    }
  }
  return undefined;
}
