import type { CallContext } from 'toolpact';
import { mayCall } from '../auth/identity.ts';
import { makeBatch } from '../routes/make-batch.ts';
import { answerCall } from './answer-call.ts';
import { encodeJson, encodeOutcome } from './encode-outcome.ts';
import type { RouteServer } from './given-route.ts';
import { isAnswer } from './http-answer.ts';
import { makeCall, prepareCall } from './make-call.ts';
import { callerContext } from './read-context.ts';
import { traceOf } from './refusal.ts';
import { encodeFormat } from './response-format.ts';
import type { RouteRequest } from './route.ts';
import type { ServerState } from './server-state.ts';

/** Returns a server as a given route has it for one request. */
export function createRouteServer(server: ServerState, request: RouteRequest): RouteServer {
  const { head, identity, format } = request;
  return {
    toolbox: server.toolbox,
    resources: server.resources,
    maxBatch: server.settings.maxBatch,
    refuse: (kind, message, options) => server.refuse(request, kind, message, options),
    mayCall: (tool) => mayCall(identity, tool),
    permit: (name) => server.permit(request, identity, name),
    async call(facts) {
      const call = prepareCall(server, request, facts);
      return isAnswer(call) ? call : { outcome: await makeCall(server, call), echo: call.echo };
    },
    answerCall: (facts) => answerCall(request, server, facts),
    batch: (batch, selected = format) => makeBatch(server, request, batch, selected),
    async work(run, body) {
      const read = server.contextOf(request, body);
      if (isAnswer(read)) return read;
      const traceId = read.context.traceId ?? traceOf(head);
      const context: CallContext = { ...read.context, ...callerContext(identity), traceId };
      return { result: await server.inFlight.run(head.client(), () => run(context)), traceId, echo: read.echo };
    },
    keepSessions: (name, args, context) => server.sessionTools().answer({ name, args }, context as CallContext<never>),
    formatOr: (form) => server.formats.select(head, server.formats.spoken ?? server.formats.of(form)) ?? format,
    encode: (outcome, selected = format) => encodeFormat(outcome, selected),
    answer: (outcome, { format: selected = format, status, echo } = {}) => encodeOutcome(outcome, selected, echo, status),
    json: (value, status) => encodeJson(traceOf(head), value, status),
    shutDown: server.shutDown,
  };
}
