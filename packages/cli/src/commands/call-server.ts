import type { CallOptions, Client } from '@toolpact/server/client';
import type { JsonObject, Outcome } from 'toolpact';
import { makeFailure, parseExactly, whyUnreachable } from 'toolpact/internal';

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
  if (outcome.status !== 'error') return outcome;
  const { error } = outcome;
  const { origin } = new URL(url);
  if (error.kind === 'bad_response' && error.code === 'undecodable')
    return withMessage(outcome, `${origin} did not answer like a tool server. ${error.message}`);
  // An outcome of the server has an id: then it is the tool that could not reach something.
  const why = outcome.meta.invocationId === undefined && error.effect === 'none' ? whyUnreachable({ code: error.cause }) : undefined;
  return why === undefined ? outcome : withMessage(outcome, `The server at ${origin} could not be reached: ${why}.`);
}

function withMessage(outcome: Extract<Outcome, { readonly status: 'error' }>, message: string): Outcome {
  return { ...outcome, error: { ...outcome.error, message } };
}
