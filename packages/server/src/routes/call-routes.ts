import { insideOf } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import { answerCall } from '../request/answer-call.ts';
import type { CallFacts } from '../request/make-call.ts';
import type { Route } from '../request/route.ts';
import type { ServedToolbox } from '../server-options.ts';

/** The route that makes one call. The document describes it once per tool. */
export const callRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/tools/{name}',
    format: 'outcome',
    selectsFormat: true,
    startsWork: true,
    read: 'json',
    run(request, server) {
      const { value: args = {}, param: name } = request;
      if (isRecord(args)) return answerCall(request, server, { name, ...readTrace(server.toolbox, name, args) });
      return server.refuse(request, 'invalid_input', 'The body must be a JSON object with the arguments of the tool.');
    },
  },
];

/** Tells the trace id that a body may bring, as on the other paths, from an argument of the tool. */
function readTrace(toolbox: ServedToolbox, name: string, args: Readonly<Record<string, unknown>>): Pick<CallFacts, 'args' | 'body'> {
  const { trace_id: traceId, ...rest } = args;
  if (typeof traceId !== 'string') return { args };
  const { properties = {}, additionalProperties } =
    insideOf(toolbox)
      .plans.get(toolbox.resolveName(name) ?? '')
      ?.schemas().input ?? {};
  if (Object.hasOwn(properties as object, 'trace_id')) return { args };
  // A tool that takes any argument may mean this one, too; one that takes no other would refuse it.
  return { args: additionalProperties === false ? rest : args, body: { trace_id: traceId } };
}
