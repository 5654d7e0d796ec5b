import { computed, signal } from '@preact/signals';
import { apiBase } from './api-base.ts';

/** Says why the server did not give what was asked for. A status of 0 means that it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly kind: string | undefined;
  constructor(status: number, message: string, kind?: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.kind = kind;
  }
}

/** Checks whether an answer failed only for now: the server cannot be reached, or its store does not answer. */
export function isAway({ status }: ApiError): boolean {
  return status === 0 || status === 503;
}

/** A request to the server. */
export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The API key or token. It is kept in memory only: a reload forgets it. */
export const credential = signal('');
/** The tenant whose calls are meant, on a server that asks for no credential; empty for the default one. */
export const tenant = signal('');
/** For whom the page asks: another object as soon as the credential or the tenant is another. */
export const caller = computed(() => ({ credential: credential.value, tenant: tenant.value }));
/** Whether the server refused the credential, or wants one. */
export const isRefused = signal(false);

/** For how long a caller's other requests wait for the first one. */
const longestWaitMs = 3_000;

/** The caller that the server let in last. */
let admitted: object | undefined;
/** The first request of another caller, while it is under way. */
let first: { readonly by: object; readonly isRefused: Promise<boolean> } | undefined;

/**
 * Sends a request and gives the response, whatever its status. Fails with an `ApiError` if the server cannot be reached. Of a caller that was not
 * let in yet the requests wait for the first one, so that a refusal is not repeated by all of them.
 */
export async function send(path: string, question: Question = {}): Promise<Response> {
  const by = caller.peek();
  if (admitted === by) return ask(path, question);
  if (first?.by === by) {
    if (await first.isRefused) throw new ApiError(401, keyWanted);
    return ask(path, question);
  }
  const asking = ask(path, question);
  const isRefusedNow = Promise.race([
    asking.then(
      ({ status }) => status === 401,
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, longestWaitMs, false)),
  ]);
  first = { by, isRefused: isRefusedNow };
  const isOut = await isRefusedNow;
  if (first.by === by) first = undefined;
  if (!isOut && by === caller.peek()) admitted = by;
  return asking;
}

/** The sentence on the page while the server wants a credential. */
export const keyWanted = 'This server requires an API key or token.';

async function ask(path: string, { method = 'GET', body, headers, signal: stop }: Question): Promise<Response> {
  try {
    const address = new URL(path, apiBase(document.baseURI));
    if (tenant.value !== '' && method === 'GET') address.searchParams.set('tenantId', tenant.value);
    return await fetch(address, {
      method,
      headers: {
        ...(tenant.value !== '' && { 'x-tenant-id': tenant.value }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(credential.value !== '' && { authorization: `Bearer ${credential.value}` }),
        ...headers,
      },
      // Cookies of the same host are no business of this page.
      credentials: 'omit',
      cache: 'no-store',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(stop && { signal: stop }),
    });
  } catch (error) {
    if (stop?.aborted) throw error;
    throw new ApiError(0, 'Cannot reach the server.');
  }
}

/** Asks the server and gives what it answers as JSON; fails with an `ApiError` on every status that is not a success. */
export async function askServer<T>(path: string, question: Question = {}): Promise<T> {
  const asked = caller.peek();
  const response = await send(path, question);
  const answer: unknown = await response.json().catch(() => undefined);
  if (asked === caller.peek() && (response.ok || response.status === 401)) isRefused.value = !response.ok;
  if (response.ok) return answer as T;
  throw toApiError(response.status, answer);
}

/** The result of a request that only reads. */
export type Read<T> = { readonly value: T; readonly error?: never } | { readonly value?: never; readonly error: ApiError };

/** Asks the server without ever failing; gives undefined if the caller has changed meanwhile: the answer is about another caller's calls. */
export async function readForCaller<T>(path: string, question: Question = {}): Promise<Read<T> | undefined> {
  const asked = caller.peek();
  const read: Read<T> = await askServer<T>(path, question).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof ApiError ? error : new ApiError(0, String(error)) }),
  );
  return asked === caller.peek() ? read : undefined;
}

/** Reads why a request was refused from the body of its response: problem details, as this server writes them. */
function toApiError(status: number, answer: unknown): ApiError {
  const { detail, _toolpact } = (answer ?? {}) as {
    readonly detail?: string;
    readonly _toolpact?: { readonly error?: { readonly kind?: string } };
  };
  return new ApiError(status, detail ?? `The server answered with status ${status}.`, _toolpact?.error?.kind);
}
