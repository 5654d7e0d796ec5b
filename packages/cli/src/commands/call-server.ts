import { createClient } from '@toolpact/server/client';
import type { CallContext, JsonObject, Outcome, Progress } from 'toolpact';
import { makeFailure, parseExactly } from 'toolpact/internal';
import { originOptions } from '../dialects.ts';

/** The server that is asked, and the credentials for it. */
export interface AskedServer {
  readonly url: URL;
  readonly apiKey?: string | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

/** Calls a tool through a server that runs, once. Like every call it always ends as an outcome. */
export async function callServer(server: AskedServer, tool: string, args: string, context: CallContext<never>): Promise<Outcome> {
  const { url, apiKey, onProgress } = server;
  const { signal, tenantId, idempotencyKey } = context;
  let sent: JsonObject;
  try {
    sent = parseExactly(args === '' ? '{}' : args) as JsonObject;
  } catch {
    const error = makeFailure('invalid_input', { message: 'The arguments are not valid JSON.', effect: 'none' });
    return { status: 'error', error, meta: { tool, tookMs: 0.001, attempts: 0 } };
  }
  // The user decides whether to try again, and when to stop waiting.
  const client = createClient(url, {
    dialects: originOptions.dialects,
    retry: false,
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(apiKey && { token: apiKey }),
  });
  const outcome: Outcome = await client.call(tool, sent, {
    ...(signal && { signal }),
    ...(tenantId !== undefined && { tenantId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(onProgress && { onProgress }),
  });
  return isNotRead(outcome)
    ? { ...outcome, error: { ...outcome.error, message: `${url.origin} did not answer like a tool server. ${outcome.error.message}` } }
    : outcome;
}

function isNotRead(outcome: Outcome): outcome is Extract<Outcome, { readonly status: 'error' }> {
  return outcome.status === 'error' && outcome.error.kind === 'bad_response' && outcome.error.code === 'undecodable';
}
