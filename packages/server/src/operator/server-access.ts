/** Asks one server over its HTTP API, with the credential of whoever operates it. */
export interface ServerAccess {
  /** Reads JSON from a path. Throws the response where the server refuses. */
  readonly read: (path: string, signal: AbortSignal) => Promise<unknown>;
  /** Posts JSON and reads the answer. Throws the response where the server refuses. */
  readonly post: (path: string, body: object, signal: AbortSignal) => Promise<unknown>;
  /** Posts a call and reads its outcome, whether it failed or not. */
  readonly call: (path: string, body: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** Sends a request to a path of the server. */
export type SendRequest = (path: string, init: RequestInit) => Promise<Response>;

/** Creates the access to a server from a way to send requests to it. */
export function createServerAccess(send: SendRequest): ServerAccess {
  const post = (path: string, body: unknown, signal: AbortSignal): Promise<Response> =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal });
  return {
    read: async (path, signal) => readJson(await send(path, { method: 'GET', signal })),
    post: async (path, body, signal) => readJson(await post(path, body, signal)),
    async call(path, body, signal) {
      const response = await post(path, body, signal);
      const answer: unknown = await response.json();
      // A refusal before the call has no outcome to read.
      if (typeof answer !== 'object' || answer === null || !('meta' in answer)) throw Response.json(answer, response);
      return answer;
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) throw response;
  return response.json();
}

/** Creates the access to a server at an address. */
export function accessTo(url: URL, headers: Readonly<Record<string, string>>, own: typeof fetch = fetch): ServerAccess {
  return createServerAccess((path, init) => own(new URL(path.slice(1), url), { ...init, headers: { ...headers, ...init.headers } }));
}
