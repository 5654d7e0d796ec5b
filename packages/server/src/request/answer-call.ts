import { encodeOutcome } from './encode-outcome.ts';
import { type HttpAnswer, isAnswer } from './http-answer.ts';
import { type CallFacts, makeCall, prepareCall } from './make-call.ts';
import type { RequestHead } from './request-head.ts';
import type { RouteRequest } from './route.ts';
import type { ServerState } from './server-state.ts';
import { streamCall } from './stream-call.ts';

/** Makes a call and answers it, as a stream of events where the request asks for one. */
export async function answerCall(request: RouteRequest, server: ServerState, facts: CallFacts): Promise<HttpAnswer> {
  const { format } = request;
  const call = prepareCall(server, request, facts);
  if (isAnswer(call)) return call;
  if (wantsStream(request.head)) return streamCall(server, call, format);
  return encodeOutcome(await makeCall(server, call), format, call.echo);
}

/** Finds a stream that a client says it does not take. */
const noStream = /text\/event-stream\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

function wantsStream({ header }: RequestHead): boolean {
  const accept = header('accept');
  return accept?.includes('text/event-stream') === true && !noStream.test(accept);
}
