import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { fail } from 'toolpact';
import { readBytes } from 'toolpact/internal';

/** An address of a host name. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** One request: where to, and what it may cost. */
export interface PinnedRequest {
  readonly url: URL;
  /** The only addresses to connect to, even if the name has others by now. */
  readonly addresses: readonly HostAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The response, decompressed. */
export interface PinnedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Sends one GET request over a connection of its own to addresses that were checked before. Redirects are not followed; a body beyond the
 * limit, also one that only grows when it is unpacked, is a failure.
 */
export async function sendPinnedRequest(wanted: PinnedRequest): Promise<PinnedResponse> {
  const { maxBytes, signal } = wanted;
  const response = await connect(wanted);
  try {
    const status = response.statusCode ?? 0;
    const headers = Object.fromEntries(Object.entries(response.headersDistinct).map(([name, values]) => [name, values?.[0] ?? '']));
    // A redirect: skip the body.
    const body = status >= 300 && status < 400 ? new Uint8Array() : await readBody(response, headers, maxBytes, signal);
    return { status, headers, body };
  } finally {
    response.destroy();
  }
}

function connect({ url, addresses, headers, signal }: PinnedRequest): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_host, { all }, answer) => {
    const [first] = addresses;
    if (all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // No agent: a connection that was made for another name is never used again.
    const request = send(url, { agent: false, lookup: pinned, signal, headers: { ...headers, connection: 'close' } }, resolve);
    request.on('error', reject);
    request.end();
  });
}

const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
] as const);

async function readBody(
  response: IncomingMessage,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const tooLarge = (): Error => fail('too_large', `The page is larger than ${maxBytes} bytes.`);
  if (Number(headers['content-length']) > maxBytes) throw tooLarge();
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const unpacker = unpackers.get(encoding);
  if (unpacker === undefined && encoding !== '' && encoding !== 'identity')
    throw fail('unsupported', `The page is packed as "${encoding.slice(0, 40)}", which cannot be read.`);
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
    const bytes = await readBytes(source, maxBytes);
    if (bytes === undefined) throw tooLarge();
    return bytes;
  };
  return unpacker === undefined ? pipeline(response, collect, { signal }) : pipeline(response, unpacker(), collect, { signal });
}
