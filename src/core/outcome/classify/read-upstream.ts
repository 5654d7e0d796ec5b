import type { Upstream } from '../failure.ts';
import type { Redactor } from '../redact.ts';
import type { Evidence } from './evidence.ts';
import { isObject, peek, peekString, propertyReader } from './peek.ts';
import { readHeader } from './read-header.ts';

/** Finds the address that was called, without query or credentials. */
export function findEndpoint({ visited, ownText }: Evidence, redactor: Redactor): string | undefined {
  for (const node of visited) {
    for (const holder of [node, ...requests.read(node)]) {
      const url = isObject(holder) ? readUrl(holder) : undefined;
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
    for (const headers of headerFields.read(node)) if (isObject(headers)) found.push(headers);
  }
  return found;
}

/** Describes the other side as it showed itself; undefined when it never answered. */
export function readUpstream(
  evidence: Evidence,
  headers: readonly object[],
  endpoint: string | undefined,
  redactor: Redactor,
): Upstream | undefined {
  const { status, responded } = evidence;
  if (status === undefined && !responded) return undefined;
  const requestId = findRequestId(evidence, headers);
  return {
    ...(status !== undefined && { status }),
    ...(endpoint !== undefined && { endpoint }),
    ...(requestId !== undefined && { requestId: redactor.text(requestId) }),
  };
}

const requests = propertyReader((o) => [o.config, o.request, o.options, o.req]);
const urls = propertyReader((o) => [o.url, o.requestUrl, o.responseURL, o.uri, o.href]);
const headerFields = propertyReader((o) => [o.headers, o.responseHeaders, o.rawHeaders, o.metadata]);
const requestIds = propertyReader((o) => [o.requestId, o.request_id, o.requestID, o.RequestId, o.correlationId, o.activityId]);
const requestIdNames =
  'x-request-id request-id x-amzn-requestid x-amz-request-id x-ms-request-id x-github-request-id apim-request-id x-correlation-id cf-ray'.split(
    ' ',
  );
// A link to the manual is no endpoint: only an address that something was sent to counts.
const quotedUrl = /\b(?:to|from|calling|fetch|GET|POST|PUT|PATCH|DELETE) ["'`]?(https?:\/\/[^\s"'`<>)]+)/;

function readUrl(holder: object): string | undefined {
  for (const found of urls.read(holder)) {
    const url = isObject(found) ? peek(found, 'href') : found;
    if (typeof url !== 'string' || url === '') continue;
    if (/^\w+:\/\//.test(url)) return url;
    const base = peekString(holder, 'baseURL');
    if (base !== undefined) return `${base.replace(/\/$/, '')}/${url.replace(/^\//, '')}`;
  }
  const host = peekString(holder, 'host');
  const path = host === undefined ? undefined : peekString(holder, 'path');
  return path?.startsWith('/') === true ? `${peekString(holder, 'protocol') ?? 'https:'}//${host}${path}` : undefined;
}

function findRequestId({ visited }: Evidence, headers: readonly object[]): string | undefined {
  for (const node of visited) {
    const id = requestIds.read(node).find((value) => typeof value === 'string' && value !== '');
    if (id !== undefined) return (id as string).slice(0, 128);
  }
  for (const source of headers) {
    for (const name of requestIdNames) {
      const id = readHeader(source, name);
      if (id !== undefined) return id.slice(0, 128);
    }
  }
  return undefined;
}
