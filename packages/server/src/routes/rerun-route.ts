import type { JsonObject } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { describe, outcomeAnswers } from '../openapi/operation.ts';
import { callParameters, formParameters } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { encodeOutcome } from '../request/encode-outcome.ts';
import { isAnswer } from '../request/http-answer.ts';
import { makeCall, prepareCall } from '../request/make-call.ts';
import type { Route } from '../request/route.ts';
import { findVisible, idParameter } from './visible-calls.ts';

const text: JsonObject = { type: 'string', minLength: 1 };

/** The route that runs a call again from one of its steps. Who may do that is who may see the call and call its tool. */
export const rerunRoute: Route = {
  method: 'POST',
  path: '/v1/calls/{id}/rerun',
  outcomes: 'outcome',
  selectsFormat: true,
  startsWork: true,
  needs: 'store',
  read: 'json',
  async run(request, server) {
    const { value: given = {}, param: id, format } = request;
    const options = isRecord(given) ? given : { body: given };
    const { from, trace_id: traceId, ...rest } = options as { readonly from?: unknown; readonly trace_id?: unknown };
    if (Object.keys(rest).length > 0 || !(from === undefined || (typeof from === 'string' && from !== '')))
      return server.refuse(request, 'invalid_input', 'The body must be { "from": "the name of a step" }, or {}.');
    const found = await findVisible(request, server);
    if (isAnswer(found)) return found;
    const { tool: name, tenantId } = found;
    const call = prepareCall(server, request, {
      name,
      args: undefined,
      body: { trace_id: traceId },
      make: (toolbox, context) => toolbox.calls?.rerun(id, from === undefined ? {} : { from }, { ...context, tenantId }),
    });
    return isAnswer(call) ? call : encodeOutcome(await makeCall(server, call), format, call.echo);
  },
  docs: describe(
    'Stored calls',
    'rerunCall',
    'Run a failed call again from a step',
    'The steps that ended before it keep their results; it and those after it run again, as a new call. A step that writes and has taken effect, or may have, is not run twice: the answer then is `interrupted`. A call that has succeeded or still runs is a `conflict`, an unknown step is refused with the names of the known ones.',
    {
      parameters: [idParameter, ...callParameters, ...formParameters],
      body: [
        'The step from which the call runs again; without it, the first that has not ended.',
        object({ from: text }),
        {
          from: 'ship',
        },
      ],
      gives: outcomeAnswers('The outcome of the new call'),
    },
  ),
};
