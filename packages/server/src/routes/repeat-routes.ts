import type { JsonObject, RecordedCall } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { describe, outcomeAnswers } from '../openapi/operation.ts';
import { callParameters, formParameters } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { encodeJson, encodeOutcome } from '../request/encode-outcome.ts';
import { isAnswer } from '../request/http-answer.ts';
import { makeCall, prepareCall } from '../request/make-call.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { findVisible, idParameter, tenantParameter } from './visible-calls.ts';
import { type WayToRepeat, wayToRepeat } from './way-to-repeat.ts';

const text: JsonObject = { type: 'string' };

/** The routes that make a call again where that cannot repeat an effect, and that tell whether there is a way. */
export const repeatRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/calls/{id}/repeat',
    needs: 'store',
    async run(request, server) {
      const found = await findVisible(request, server);
      return isAnswer(found) ? found : encodeJson(traceOf(request.head), wayOf(server, found));
    },
    docs: describe(
      'Stored calls',
      'readRepeat',
      'Check whether a call can be repeated',
      '`way` is how: `whole`, or from the first of its `steps` that has not ended. `refused` says why not.',
      {
        parameters: [idParameter, tenantParameter],
        gives: ['The way, or the reason.', object({ way: { enum: ['whole', 'steps'] }, refused: text })],
        fails: [404],
      },
    ),
  },
  {
    method: 'POST',
    path: '/v1/calls/{id}/repeat',
    outcomes: 'outcome',
    selectsFormat: true,
    startsWork: true,
    needs: 'store',
    async run(request, server) {
      const found = await findVisible(request, server);
      if (isAnswer(found)) return found;
      const chosen = wayOf(server, found);
      if ('refused' in chosen) return server.refuse(request, 'conflict', chosen.refused);
      const { id, tool: name, input, tenantId, runId } = found;
      const call = prepareCall(server, request, {
        name,
        args: input,
        // It belongs to the run of the call that it repeats, so that both are found beside each other.
        ...(runId !== undefined && { context: { runId } }),
        ...(chosen.way === 'steps' && { make: (toolbox, context) => toolbox.calls?.rerun(id, {}, { ...context, tenantId }) }),
      });
      return isAnswer(call) ? call : encodeOutcome(await makeCall(server, call), request.format, call.echo);
    },
    docs: describe(
      'Stored calls',
      'repeatCall',
      'Repeat a call if that cannot repeat an effect',
      'With the stored arguments, where its tool changes nothing, may be repeated, or the call failed before anything changed; from the first step that has not ended, where it has steps. Else it is a `conflict` that says why.',
      { parameters: [idParameter, ...callParameters, ...formParameters], gives: outcomeAnswers('The outcome of the new call') },
    ),
  },
];

/** Of a tool that is not there any more nothing is known: it counts as one that writes. */
function wayOf({ toolbox }: ServerState, call: RecordedCall): WayToRepeat {
  return wayToRepeat(call, insideOf(toolbox).plans.get(call.tool)?.effects ?? 'writes');
}
