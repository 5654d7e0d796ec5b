import type { CallOptions, Client } from '@toolpact/server/client';
import type { JsonObject, Outcome } from 'toolpact';
import { makeFailure, parseExactly } from 'toolpact/internal';

/** Calls a tool through a server that runs, once. Like every call it always ends as an outcome. */
export async function callServer(client: Client, url: string, tool: string, args: string, options: CallOptions): Promise<Outcome> {
  let sent: JsonObject;
  try {
    sent = parseExactly(args === '' ? '{}' : args) as JsonObject;
  } catch {
    const error = makeFailure('invalid_input', { message: 'The arguments are not valid JSON.', effect: 'none' });
    return { status: 'error', error, meta: { tool, tookMs: 0.001, attempts: 0 } };
  }
  // The user decides when to stop waiting.
  const outcome: Outcome = await client.call(tool, sent, { ...options, timeoutMs: Number.POSITIVE_INFINITY });
  return isNotRead(outcome)
    ? {
        ...outcome,
        error: { ...outcome.error, message: `${new URL(url).origin} did not answer like a tool server. ${outcome.error.message}` },
      }
    : outcome;
}

function isNotRead(outcome: Outcome): outcome is Extract<Outcome, { readonly status: 'error' }> {
  return outcome.status === 'error' && outcome.error.kind === 'bad_response' && outcome.error.code === 'undecodable';
}
