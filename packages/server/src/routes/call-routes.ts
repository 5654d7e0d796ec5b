import { isRecord } from 'toolpact/internal';
import { answerCall } from '../request/answer-call.ts';
import type { Route } from '../request/route.ts';

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
      if (isRecord(args)) return answerCall(request, server, { name, args });
      return server.refuse(request, 'invalid_input', 'The body must be a JSON object with the arguments of the tool.');
    },
  },
];
