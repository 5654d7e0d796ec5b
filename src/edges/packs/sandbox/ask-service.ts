import { fail, type JsonObject } from '../../../core/outcome/index.ts';

/** One question to a service that the operator chose. */
export interface ServiceRequest {
  /** What the service is called in messages. */
  readonly service: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: JsonObject;
  /** What must never be repeated in a message, should the service do so. */
  readonly secret?: string | undefined;
  readonly signal: AbortSignal;
}

const mostChars = 4_000_000;

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
  const json = parse(text);
  if (response.status >= 300) {
    const said = secret ? text.replaceAll(secret, '…') : text;
    const error = new Error(`${service} answered HTTP ${response.status}`);
    throw Object.assign(error, {
      status: response.status,
      headers: response.headers,
      url: url.href,
      body: parse(said) ?? said.slice(0, 500),
    });
  }
  if (json === undefined) throw fail('bad_response', `${service} answered with something that is not a JSON object.`);
  return json;
}

/** Gives a key as it is to be sent, or throws the failure of a service without one. A variable that nobody filled in is no key. */
export function keyOf(service: string, key: string | undefined): string {
  const trimmed = key?.trim() ?? '';
  if (trimmed !== '' && !/^\$\{.*\}$|^\$[A-Z_]+$/.test(trimmed)) return trimmed;
  throw fail('not_configured', `No API key is configured for ${service}.`, { code: 'api_key_not_configured' });
}

async function readText(response: Response, service: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostChars) throw fail('bad_response', `${service} answered with more than ${mostChars} characters.`);
  }
  return text + decoder.decode();
}

function parse(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
