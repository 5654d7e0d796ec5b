import type { HttpAnswer } from '../request/http-answer.ts';
import type { ServerRequest } from '../request/server-request.ts';
import type { ServerState } from '../request/server-state.ts';

/** Stands for an answer that a store did not give. */
export const storeFailed = Symbol('store failed');

/** Asks what may reject because its store does not answer. */
export async function askStore<TValue>(question: () => Promise<TValue>): Promise<TValue | typeof storeFailed> {
  try {
    return await question();
  } catch {
    return storeFailed;
  }
}

/** Refuses a request that cannot be answered while the store does not answer. */
export function refuseWithoutStore({ refuse }: ServerState, request: ServerRequest): HttpAnswer {
  return refuse(request, 'not_ready', 'The store does not answer now.', { retryAfterMs: 1000 });
}
