import { createClient } from '@toolpact/server/client';
import type { CallContext, JsonObject, Outcome, Progress } from 'toolpact';
import { makeFailure, parseExactly, whyUnreachable } from 'toolpact/internal';
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
  if (outcome.status !== 'error') return outcome;
  const { error } = outcome;
  if (error.kind === 'bad_response' && error.code === 'undecodable')
    return withMessage(outcome, `${url.origin} did not answer like a tool server. ${error.message}`);
  // An outcome of the server has an id: then it is the tool that could not reach something.
  const why = outcome.meta.invocationId === undefined && error.effect === 'none' ? whyUnreachable({ code: error.cause }) : undefined;
  return why === undefined ? outcome : withMessage(outcome, `The server at ${url.origin} could not be reached: ${why}.`);
}

function withMessage(outcome: Extract<Outcome, { readonly status: 'error' }>, message: string): Outcome {
  return { ...outcome, error: { ...outcome.error, message } };
}
