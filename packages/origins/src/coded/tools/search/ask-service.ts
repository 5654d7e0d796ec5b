import { fail, type JsonObject, type ToolFailure } from 'toolpact';
import { isRecord, readBytes } from 'toolpact/internal';

/** One question to a service that the operator chose. */
export interface ServiceRequest {
  /** The name of the service in messages. */
  readonly service: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: JsonObject;
  /** Secrets that no message may contain, even if the service repeats them. */
  readonly secret?: string | undefined;
  readonly signal: AbortSignal;
}

const maxBytes = 4_000_000;

/** Asks a service and gives its JSON answer. Rejects with what the service said, so that `classify` can read it; redirects are not followed, because the key would travel along. */
export async function askService({ service, url, headers, body, secret, signal }: ServiceRequest): Promise<JsonObject> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  });
  const text = await readText(response, service);
  if (response.status >= 300) {
    // Do not hide shorter keys: they are likely to be ordinary words of the message.
    const hide = (said: string): string => (secret !== undefined && secret.length > 4 ? said.replaceAll(secret, '…') : said);
    const error = new Error(`${service} answered HTTP ${response.status}`);
    throw Object.assign(error, {
      status: response.status,
      headers: response.headers,
      url: url.href,
      body: parse(text, hide) ?? hide(text).slice(0, 500),
    });
  }
  const json = parse(text);
  if (json === undefined) throw fail('bad_response', `${service} answered with something that is not a JSON object.`);
  return json;
}

/** Returns a key as it is to be sent, or throws the failure of a service without one. A placeholder that was not filled in is no key. */
export function keyOf(service: string, key: string | undefined): string {
  const trimmed = key?.trim() ?? '';
  if (trimmed === '' || /^\$\{.*\}$|^\$[A-Z_]+$/.test(trimmed)) throw notSetUp(`No API key is configured for ${service}.`);
  // The platform would quote it in its message.
  if (!/^[\x20-\x7e]+$/.test(trimmed))
    throw notSetUp(`The API key of ${service} holds a character that cannot be sent, such as a line break.`);
  return trimmed;
}

/** Returns the address of a service's path, or throws the failure of a service whose address cannot be used: no caller can mend that. */
export function serviceUrl(service: string, baseUrl: string, path: string): URL {
  const url = URL.parse(`${baseUrl.replace(/\/$/, '')}/${path}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw notSetUp(`The address of ${service} is not a full http or https URL.`);
  if (url.username !== '' || url.password !== '') throw notSetUp(`The address of ${service} must not hold a credential.`);
  return url;
}

/** Creates the failure of what only the operator can put right. */
export function notSetUp(message: string): ToolFailure {
  return fail('not_configured', message, { code: 'api_key_not_configured' });
}

async function readText(response: Response, service: string): Promise<string> {
  const bytes = await readBytes(response.body, maxBytes);
  if (bytes === undefined) throw fail('bad_response', `${service} answered with more than ${maxBytes} bytes.`);
  return new TextDecoder().decode(bytes);
}

/** Reads a JSON object. A secret may be written with escapes, which only parsing resolves. */
function parse(text: string, hide?: (said: string) => string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text, hide && ((_, value) => (typeof value === 'string' ? hide(value) : value)));
    return isRecord(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
