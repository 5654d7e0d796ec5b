import { peek } from '../json/index.ts';

const maxBytes = 8_192;

/** Checks whether a fetch response was thrown whose body is unread. */
export function isUnreadResponse(thrown: unknown): thrown is Response {
  // Asked first, because `instanceof` throws for a hostile proxy.
  return peek(thrown, 'bodyUsed') === false && typeof Response === 'function' && thrown instanceof Response && thrown.body !== null;
}

/** Reads at most 8 kB of a thrown response, so that the failure contains the service's own message; never rejects. */
export async function readResponse(response: Response): Promise<unknown> {
  const { status, statusText, headers, url } = response;
  let body = '';
  try {
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      body += decoder.decode(bytes.subarray(0, maxBytes), { stream: true });
      if (body.length >= maxBytes) break;
    }
  } catch {
    // The part that was read until then is used.
  }
  return { name: 'Response', status, statusText, headers, url, body };
}
